#pragma once
// A vector with room for N and no heap, as C++26 has it (std::inplace_vector, P0843), for what can be copied as bytes. Room that nobody has
// taken is neither cleared nor copied: an estimate of one GPU would spend as long on that as on its sums.

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

namespace plimsoll {

template <class T, std::size_t N> class InplaceVector {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  InplaceVector() noexcept {} // not defaulted: that would let T{} clear the room
  InplaceVector(const InplaceVector& other) noexcept { *this = other; }
  InplaceVector& operator=(const InplaceVector& other) noexcept {
    size_ = other.size_;
    std::memmove(room_, other.room_, size_ * sizeof(T)); // which may be itself
    return *this;
  }

  std::size_t size() const noexcept { return size_; }

  /// `at` < size().
  T& operator[](std::size_t at) noexcept { return data()[at]; }
  const T& operator[](std::size_t at) const noexcept { return data()[at]; }

  /// size() > 0.
  const T& back() const noexcept { return *(end() - 1); }

  T* data() noexcept { return reinterpret_cast<T*>(room_); }
  const T* data() const noexcept { return reinterpret_cast<const T*>(room_); }
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + size_; }

  /// size() < N.
  T& push_back(const T& item) noexcept { return *std::construct_at(data() + size_++, item); }
  void clear() noexcept { size_ = 0; }

private:
  std::size_t size_ = 0;
  alignas(T) std::byte room_[N * sizeof(T)];
};

} // namespace plimsoll
