// One database: keys, their values and deadlines. Every change of a key goes through here, so
// what must follow a change (watches, later notifications and the journal) hangs on one listener.
// Used by command handlers; knows no protocol, no session and no clock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string_view>

#include "server/base/instant.h"
#include "server/store/entry.h"
#include "server/store/key_index.h"

namespace lockstep {

// Told of changes as they happen, inside the unit that makes them. Keys are views into the store, valid
// during the call.
class KeyspaceListener {
 public:
  virtual void key_changed(int database, std::string_view key) = 0;  // value, deadline or existence
  virtual void key_expired(int database, std::string_view key) = 0;  // after it is gone
  virtual void key_created(int database, std::string_view key) = 0;  // blocked waiters may want it
  virtual void database_flushed(class Keyspace& keyspace) = 0;       // before its keys go
  virtual void databases_swapped(class Keyspace& a, class Keyspace& b) = 0;  // have their numbers traded

 protected:
  ~KeyspaceListener() = default;
};

// What all databases of one engine share.
struct StoreShared {
  Deadlines deadlines;
  Instant now;                  // written by the engine alone
  KeyspaceListener* listener = nullptr;
  bool observed = false;        // key_changed has somebody to tell
  size_t value_bytes = 0;       // of all entries, for the account of memory
};

class Keyspace {
 public:
  // What one look at the index found: lets a handler read, decide and write while hashing once. Good
  // until the next change of this keyspace by anything but the calls that take it.
  struct Location {
    std::string_view key;
    uint64_t hash = 0;
    Entry* entry = nullptr;  // nullptr: no such key

    explicit operator bool() const { return entry != nullptr; }
    Entry* operator->() const { return entry; }
  };

  // Its number is the id until SWAPDB.
  Keyspace(uint8_t id, uint64_t hash_seed, StoreShared& shared)
      : id_(id), number_(id), shared_(shared), index_(hash_seed) {}
  ~Keyspace() { release_all(); }
  Keyspace(const Keyspace&) = delete;
  Keyspace& operator=(const Keyspace&) = delete;

  // A key that is due but not yet swept dies here.
  Location locate(std::string_view key);

  // Sets a string value over whatever is there; a deadline stays as it was. Allocates nothing when the old
  // memory fits.
  void put(Location& at, std::string_view value);
  // Gives the string `size` bytes (missing keys included) and returns them for writing: old bytes are
  // kept, new ones unset. Leaves room to grow, so that appending costs amortized constant time.
  char* resize(Location& at, size_t size);
  // Makes a missing key with a value of another type.
  void create(Location& at, ValueType type, std::unique_ptr<Object> object);
  // Sets such a value over whatever is there, without a deadline.
  void replace(Location& at, ValueType type, std::unique_ptr<Object> object);
  // The object of this key has been changed in place. A key whose object is empty now is erased.
  void edited(Location& at);
  void erase(Location& at);
  // Moves value and deadline of `from` to the key `to`, over what is there.
  void rename(Location& from, Location& to);
  // Makes the key `to` anew with a copy of another's value and deadline; of any keyspace.
  void copy(const Entry& from, Location& to);
  // Gives the key to another keyspace, which must not have it. Its memory stays.
  void move(Location& at, Keyspace& to);
  void clear();

  // Deadlines are milliseconds on the engine's time line, negative ones count as 0 (long past).
  std::optional<int64_t> deadline_ms(const Entry& entry) const;
  void set_deadline(Location& at, int64_t at_ms);
  bool clear_deadline(Location& at);  // false: there was none
  // One whose deadline has come. The only way a key expires.
  void expire(Entry& entry);

  // A key by chance, alike for all but for the spread of hashes; nullptr when there is none. May expire
  // keys that are due.
  const Entry* pick(std::mt19937_64& random);

  size_t size() const { return index_.size(); }
  size_t size_with_deadline() const { return armed_; }
  // The mean of what is left to live, in ms; 0 without deadlines. Looks at about `samples` keys.
  int64_t mean_ttl_ms(size_t samples) const;
  int number() const { return number_; }
  uint64_t hash_seed() const { return index_.seed(); }
  size_t memory_bytes() const { return index_.memory_bytes(); }
  // What this key alone takes: its entry and value, its slot in the index and that of its deadline.
  static size_t memory_bytes(const Entry& entry);

  template <typename Visit>
  void for_each(Visit visit) const {
    index_.for_each([&](Entry& entry) {
      if (!due(entry)) visit(entry);
    });
  }
  // See KeyIndex::scan.
  uint64_t scan(uint64_t cursor, size_t count, const std::function<void(const Entry&)>& visit) const;

 private:
  bool due(const Entry& entry) const;
  void changed(std::string_view key) {
    if (shared_.observed) shared_.listener->key_changed(number_, key);
  }
  Entry* make_entry(std::string_view key, size_t value_bytes);
  void destroy(Entry* entry);
  void account(Object& object);
  Entry* take_value(Entry& from, std::string_view key);
  void swap_entry(Location& at, Entry* fresh);  // same key, other memory
  void insert(Location& at, Entry* entry);
  void remove(uint64_t hash, Entry* entry);
  void release_all();

  friend class Databases;  // trades numbers

  const uint8_t id_;  // what its entries name it by
  uint8_t number_;
  StoreShared& shared_;
  KeyIndex index_;
  size_t armed_ = 0;
};

}  // namespace lockstep
