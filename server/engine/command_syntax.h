// A row's syntax as a tree: what COMMAND DOCS tells of it. Written as redis.io writes it: WORDS are sent as
// they are, names stand for values, [a] may be left out, <a | b> is one of them, "a [a ...]" any number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct SyntaxNode {
  enum class Kind : uint8_t { kValue, kWord, kOneOf, kBlock };

  Kind kind = Kind::kValue;
  std::string_view name;     // of a value; of a word in lower case: lowered by whoever prints it
  std::string_view word;     // the word itself, or the one that must precede this value or choice
  bool optional = false;
  bool multiple = false;
  std::vector<SyntaxNode> parts;  // of kOneOf and kBlock
};

// `syntax` must outlive the nodes. Rows are ours, so a malformed one is a broken assertion.
std::vector<SyntaxNode> parse_syntax(std::string_view syntax);

}  // namespace lockstep
