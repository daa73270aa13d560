#include "server/store/hash_value.h"

#include <algorithm>

#include "server/base/bytes.h"

namespace lockstep {

HashValue::~HashValue() {
  for_each([](Entry& entry) { Entry::destroy(&entry); });
}

size_t HashValue::memory_bytes() const {
  return sizeof(*this) + entry_bytes_ + listed_.capacity() * sizeof(Entry*) +
         (index_ ? index_->memory_bytes() : 0);
}

std::unique_ptr<Object> HashValue::clone() const {
  auto copy = std::make_unique<HashValue>(hash_seed_);
  if (index_) copy->make_index();
  for_each([&](const Entry& entry) { copy->set(entry.key(), entry.value()); });
  return copy;
}

Entry* HashValue::find_entry(std::string_view field, uint64_t hash) const {
  if (index_) return index_->find(hash, field);
  const auto found = std::find_if(listed_.begin(), listed_.end(), [&](Entry* e) { return e->key() == field; });
  return found == listed_.end() ? nullptr : *found;
}

const Entry* HashValue::find(std::string_view field) const {
  return find_entry(field, index_ ? index_->hash(field) : 0);
}

bool HashValue::set(std::string_view field, std::string_view value) {
  if (!index_ && (!fits_list(field) || !fits_list(value))) make_index();
  const uint64_t hash = index_ ? index_->hash(field) : 0;
  Entry* old = find_entry(field, hash);
  if (old == nullptr) {
    add(field, value, hash);
    return true;
  }
  if (old->fits(value.size())) {
    copy_bytes(old->value_data(), value);
    old->set_value_size(value.size());
    return false;
  }
  Entry* fresh = Entry::make(field, value.size(), 0);
  copy_bytes(fresh->value_data(), value);
  entry_bytes_ += fresh->memory_bytes();
  entry_bytes_ -= old->memory_bytes();
  if (index_) {
    index_->replace(hash, old, fresh);
  } else {
    *std::find(listed_.begin(), listed_.end(), old) = fresh;
  }
  Entry::destroy(old);
  return false;
}

void HashValue::add(std::string_view field, std::string_view value, uint64_t hash) {
  Entry* entry = Entry::make(field, value.size(), 0);
  copy_bytes(entry->value_data(), value);
  entry_bytes_ += entry->memory_bytes();
  if (index_) {
    index_->insert(hash, entry);
    return;
  }
  listed_.push_back(entry);
  if (listed_.size() > kMaxListed) make_index();
}

void HashValue::make_index() {
  index_ = std::make_unique<KeyIndex>(hash_seed_);
  for (Entry* entry : listed_) index_->insert(index_->hash(entry->key()), entry);
  std::vector<Entry*>().swap(listed_);
}

bool HashValue::erase(std::string_view field) {
  const uint64_t hash = index_ ? index_->hash(field) : 0;
  Entry* entry = find_entry(field, hash);
  if (entry == nullptr) return false;
  if (index_) {
    index_->erase(hash, entry);
  } else {
    listed_.erase(std::find(listed_.begin(), listed_.end(), entry));
  }
  entry_bytes_ -= entry->memory_bytes();
  Entry::destroy(entry);
  return true;
}

uint64_t HashValue::scan(uint64_t cursor, size_t count, const std::function<void(const Entry&)>& visit) const {
  if (index_) return index_->scan(cursor, count, visit);
  for (const Entry* entry : listed_) visit(*entry);
  return 0;
}

}  // namespace lockstep
