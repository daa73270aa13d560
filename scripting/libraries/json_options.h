// What a script can set about JSON: the options of cjson, with Redis' defaults. They last as long as the
// interpreter does, from one script to the next.
#pragma once

namespace lockstep {

// Infinities and nan, for which JSON has no words.
enum class InvalidNumbers : int { kRefuse, kWrite, kNull };

struct JsonOptions {
  // Arrays with holes: refused, or written as maps, when the largest index is beyond `sparse_safe` and beyond
  // `sparse_ratio` times the number of elements. A ratio of 0 allows all.
  int sparse_as_map = 0;
  int sparse_ratio = 2;
  int sparse_safe = 10;
  int encode_max_depth = 1000;
  int decode_max_depth = 1000;
  int number_precision = 14;  // significant digits
  int keep_buffer = 1;        // kept for those who ask; no buffer is
  int encode_invalid_numbers = static_cast<int>(InvalidNumbers::kRefuse);
  int decode_invalid_numbers = 1;
};

}  // namespace lockstep
