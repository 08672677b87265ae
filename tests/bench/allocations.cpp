// A program may replace the global operator new (C++20, [replacement.functions]). The two forms below are enough: the
// standard library's array and non-throwing forms call them.
#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

std::uint64_t count = 0;    // the benchmark has one thread

void* counted(void* memory) {
  ++count;
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}

} // namespace

namespace plimsoll::bench {

std::uint64_t allocations() noexcept { return count; }

} // namespace plimsoll::bench

void* operator new(std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }

void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(step, (size / step + 1) * step));    // aligned_alloc wants a multiple
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
