#include "server/engine/command_syntax.h"

#include <algorithm>

#include "server/base/check.h"

namespace lockstep {
namespace {

bool is_word(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<SyntaxNode> all() {
    std::vector<SyntaxNode> nodes = sequence();
    LOCKSTEP_CHECK(at_ == text_.size());
    return nodes;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool at_end_of_sequence() {
    skip_blanks();
    return at_ == text_.size() || text_[at_] == ']' || text_[at_] == '>' || text_[at_] == '|';
  }

  std::vector<SyntaxNode> sequence() {
    std::vector<SyntaxNode> nodes;
    while (!at_end_of_sequence()) {
      SyntaxNode node = item();
      if (node.multiple && node.kind == SyntaxNode::Kind::kOneOf) {
        repeat(nodes, std::move(node.parts.front()));
      } else if (!nodes.empty() && nodes.back().kind == SyntaxNode::Kind::kWord && !node.optional) {
        node.word = nodes.back().word;
        nodes.back() = std::move(node);
      } else {
        nodes.push_back(std::move(node));
      }
    }
    return nodes;
  }

  // "key value [key value ...]": the bracket only says that there may be more of what stands before it.
  // "command [arg ...]": there may be none.
  static void repeat(std::vector<SyntaxNode>& nodes, SyntaxNode repeated) {
    const size_t count = std::max<size_t>(repeated.parts.size(), 1);
    const bool again = nodes.size() >= count && nodes[nodes.size() - count].name == repeated.name;
    repeated.multiple = true;
    repeated.optional = !again;
    if (again) {
      repeated.word = nodes[nodes.size() - count].word;
      nodes.resize(nodes.size() - count);
    }
    nodes.push_back(std::move(repeated));
  }

  SyntaxNode item() {
    if (text_[at_] == '[') return group(']', true);
    if (text_[at_] == '<') return group('>', false);
    const size_t end = std::min(text_.find_first_of(" ]>|", at_), text_.size());
    SyntaxNode node;
    node.name = text_.substr(at_, end - at_);
    if (is_word(node.name)) {
      node.kind = SyntaxNode::Kind::kWord;
      node.word = node.name;
    }
    at_ = end;
    return node;
  }

  // Up to `close`: alternatives, or what belongs together. One that ends in "..." comes back as a choice
  // of one, marked.
  SyntaxNode group(char close, bool optional) {
    ++at_;
    SyntaxNode node;
    node.kind = SyntaxNode::Kind::kOneOf;
    for (;;) {
      node.parts.push_back(wrapped(sequence(), node.multiple));
      LOCKSTEP_CHECK(at_ < text_.size());
      if (text_[at_++] == close) break;
    }
    if (node.parts.size() == 1 && !node.multiple) {
      SyntaxNode only = std::move(node.parts.front());
      only.optional = only.optional || optional;
      return only;
    }
    node.optional = optional;
    return node;
  }

  // One node for a sequence; `more` is set when it ends in "...".
  static SyntaxNode wrapped(std::vector<SyntaxNode> nodes, bool& more) {
    if (!nodes.empty() && nodes.back().name == "...") {
      nodes.pop_back();
      more = true;
    }
    LOCKSTEP_CHECK(!nodes.empty());
    if (nodes.size() == 1) return std::move(nodes.front());
    SyntaxNode block;
    block.kind = SyntaxNode::Kind::kBlock;
    block.name = nodes.front().name;
    block.parts = std::move(nodes);
    return block;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::vector<SyntaxNode> parse_syntax(std::string_view syntax) { return Parser(syntax).all(); }

}  // namespace lockstep
