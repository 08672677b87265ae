// A program may replace the global operator new (C++20, [replacement.functions]). The array forms call
// these; the non-throwing ones must be here too, or the address sanitizer pairs its own with our delete.
#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

std::uint64_t count = 0;    // these programs have one thread

void* counted(void* memory) {
  ++count;
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}

} // namespace

namespace plimsoll::test {

std::uint64_t allocations() noexcept { return count; }

} // namespace plimsoll::test

void* operator new(std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }

void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(step, (size / step + 1) * step));    // aligned_alloc wants a multiple
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++count;
  return std::malloc(size == 0 ? 1 : size);
}

void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
