// memcpy(), memmove() and memset() for WebAssembly. A module that is linked for size has those of Emscripten's C library, which take one byte at a
// time: 70 ns for what an amount and its symbols are, and thirty times what a browser takes for a large array. A browser has had an instruction for
// both ever since it has had exceptions in WebAssembly, which these modules need anyway; what is shorter than the call behind it goes by words.

#include <cstddef>
#include <cstdint>

namespace {

using Word = std::uint64_t;
constexpr std::size_t kFew = 32, kFewToFill = 96; ///< bytes: as long as these take as words, the instruction takes too

Word word_at(const char* from) {
  Word word;
  __builtin_memcpy(&word, from, sizeof(Word));
  return word;
}

void put(char* to, Word word) { __builtin_memcpy(to, &word, sizeof(Word)); }

} // namespace

extern "C" {

void* memcpy(void* to, const void* from, std::size_t bytes) {
  if (bytes > kFew) return __builtin_memcpy(to, from, bytes);
  char* at = static_cast<char*>(to);
  const char* next = static_cast<const char*>(from);
  if (bytes < sizeof(Word)) {
    for (; bytes > 0; --bytes) *at++ = *next++;
    return to;
  }
  const Word rest = word_at(next + bytes - sizeof(Word)); // which may overlap the last whole one
  char* const last = at + bytes - sizeof(Word);
  for (; at < last; at += sizeof(Word), next += sizeof(Word)) put(at, word_at(next));
  put(last, rest);
  return to;
}

void* memmove(void* to, const void* from, std::size_t bytes) { return __builtin_memmove(to, from, bytes); }

void* memset(void* to, int value, std::size_t bytes) {
  if (bytes > kFewToFill) return __builtin_memset(to, value, bytes);
  char* at = static_cast<char*>(to);
  if (bytes < sizeof(Word)) {
    for (; bytes > 0; --bytes) *at++ = static_cast<char>(value);
    return to;
  }
  const Word word = 0x0101010101010101 * static_cast<unsigned char>(value);
  char* const last = at + bytes - sizeof(Word);
  for (; at < last; at += sizeof(Word)) put(at, word);
  put(last, word);
  return to;
}
}
