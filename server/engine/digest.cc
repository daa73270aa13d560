#define OPENSSL_SUPPRESS_DEPRECATED  // the low-level calls are meant; see digest.h
#include "server/engine/digest.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

namespace lockstep {

Sha1Hex sha1_hex(std::string_view bytes) {
  unsigned char raw[SHA_DIGEST_LENGTH];
  SHA_CTX context;
  SHA1_Init(&context);
  SHA1_Update(&context, bytes.data(), bytes.size());
  SHA1_Final(raw, &context);

  static constexpr char kDigits[] = "0123456789abcdef";
  Sha1Hex hex;
  for (size_t i = 0; i < sizeof raw; ++i) {
    hex[2 * i] = kDigits[raw[i] >> 4];
    hex[2 * i + 1] = kDigits[raw[i] & 15];
  }
  return hex;
}

bool equal_secrets(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace lockstep
