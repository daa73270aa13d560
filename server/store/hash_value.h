// A hash: fields with values. Small ones are a list in the order of insertion, searched through; larger
// ones get the index that databases have, and its scan. A field is an Entry as a key is.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "server/store/entry.h"
#include "server/store/key_index.h"
#include "server/store/object.h"

namespace lockstep {

class HashValue final : public Object {
 public:
  // Up to here a hash is a list, and never again once it was larger. CONFIG GET tells these as
  // hash-max-listpack-entries and hash-max-listpack-value.
  static constexpr size_t kMaxListed = 128;
  static constexpr size_t kMaxListedBytes = 64;

  explicit HashValue(uint64_t hash_seed) : hash_seed_(hash_seed) {}
  ~HashValue() override;

  size_t size() const { return index_ ? index_->size() : listed_.size(); }
  bool empty() const override { return size() == 0; }
  bool is_listed() const { return index_ == nullptr; }
  size_t memory_bytes() const override;
  std::unique_ptr<Object> clone() const override;

  // nullptr when there is no such field. Good until the hash changes.
  const Entry* find(std::string_view field) const;
  // True when the field is new.
  bool set(std::string_view field, std::string_view value);
  bool erase(std::string_view field);

  template <typename Visit>
  void for_each(Visit visit) const {
    if (index_) return index_->for_each(visit);
    for (Entry* entry : listed_) visit(*entry);
  }
  // See KeyIndex::scan; a list is given whole.
  uint64_t scan(uint64_t cursor, size_t count, const std::function<void(const Entry&)>& visit) const;

 private:
  static bool fits_list(std::string_view text) { return text.size() <= kMaxListedBytes; }
  Entry* find_entry(std::string_view field, uint64_t hash) const;
  void add(std::string_view field, std::string_view value, uint64_t hash);
  void make_index();

  const uint64_t hash_seed_;
  size_t entry_bytes_ = 0;
  std::vector<Entry*> listed_;
  std::unique_ptr<KeyIndex> index_;
};

}  // namespace lockstep
