#include "server/store/encoding.h"

#include "server/base/numbers.h"
#include "server/store/hash_value.h"
#include "server/store/list_value.h"
#include "server/store/packed_list.h"

namespace lockstep {

std::string_view encoding_name(const Entry& entry) {
  constexpr size_t kMaxEmbedded = 44;
  switch (entry.type()) {
    case ValueType::kString:
      if (parse_integer(entry.value())) return "int";
      return entry.value_size() <= kMaxEmbedded ? "embstr" : "raw";
    case ValueType::kHash:
      return static_cast<const HashValue&>(entry.object()).is_listed() ? "listpack" : "hashtable";
    case ValueType::kList: {
      constexpr size_t kMaxListpackBytes = 8192;
      ListpackWriter packed;
      const auto& list = static_cast<const ListValue&>(entry.object());
      for (size_t i = 0; i < list.size(); ++i) {
        if (list.at(i).size() <= kMaxListpackBytes) packed.add(list.at(i));
        if (list.at(i).size() > kMaxListpackBytes || packed.size() > kMaxListpackBytes) return "quicklist";
      }
      return "listpack";
    }
  }
  return "unknown";
}

}  // namespace lockstep
