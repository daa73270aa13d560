// The packed lists inside Redis' payloads: listpacks, which are written today, and the ziplists and zipmaps
// that older versions wrote. One walk each, which looks at every byte; numbers come as their decimal text.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace lockstep {

// Gets one element; false stops the walk, which then counts as failed.
using PackedVisit = std::function<bool(std::string_view element)>;

// False when the bytes are no such list. Elements before the fault have been visited then.
bool walk_listpack(std::string_view bytes, const PackedVisit& visit);
bool walk_ziplist(std::string_view bytes, const PackedVisit& visit);
// Fields and values in turn.
bool walk_zipmap(std::string_view bytes, const PackedVisit& visit);

// Makes a listpack, element by element.
class ListpackWriter {
 public:
  ListpackWriter();

  void add(std::string_view element);
  size_t size() const { return bytes_.size() + 1; }  // when finished
  bool empty() const { return count_ == 0; }
  // The finished bytes; the writer starts anew.
  std::string take();

 private:
  std::string bytes_;
  size_t count_ = 0;
};

}  // namespace lockstep
