#pragma once
// The free blocks of one pool and stream: by size for the best fit, by address where that is equal. A step asks for few different sizes
// many thousand times, so that each size has a row of its own, and rows are looked for, not blocks.

#include "plimsoll/method/quantity.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace plimsoll::allocator {

using BlockId = std::uint32_t;
inline constexpr BlockId kNone = 0; ///< no block has this id

/// Where a block would stand on the device: only the order counts. Every segment gets addresses of its own.
using Address = std::uint64_t;

class FreeBlocks {
public:
  struct Entry {
    Address address = 0;
    BlockId id = kNone;
  };

  /// A block that stands here, or none of them.
  class Place {
  public:
    bool operator==(const Place&) const = default;

  private:
    friend class FreeBlocks;
    std::size_t row = 0;   ///< among the sizes
    std::size_t after = 0; ///< blocks of that size at higher addresses
  };

  void insert(Bytes size, Entry entry) {
    const std::size_t row = row_from(size);
    if (row == sizes_.size() || sizes_[row].bytes != size) sizes_.insert(sizes_.begin() + static_cast<std::ptrdiff_t>(row), {size, row_for_use()});
    row_at(row).insert(entry);
  }

  void erase(Bytes size, Address address) {
    const std::size_t row = row_from(size);
    if (row_at(row).erase(address)) give_back(row);
  }

  bool holds(Place at) const noexcept { return at.row < sizes_.size(); }
  Bytes size_at(Place at) const noexcept { return sizes_[at.row].bytes; }
  Entry operator[](Place at) const noexcept { return rows_[sizes_[at.row].row][at.after]; }

  /// The smallest of at least that size, the lowest address of those that are equal.
  Place first_of(Bytes size) const noexcept {
    Place at;
    at.row = row_from(size);
    if (holds(at)) at.after = rows_[sizes_[at.row].row].size() - 1;
    return at;
  }

  /// In the order of best fits.
  Place next(Place at) const noexcept {
    if (at.after > 0) --at.after;
    else if (++at.row; holds(at)) at.after = rows_[sizes_[at.row].row].size() - 1;
    return at;
  }

  /// The largest, the highest address of those that are equal; none where there is no block.
  Place last() const noexcept {
    Place at;
    at.row = sizes_.empty() ? 0 : sizes_.size() - 1;
    return at;
  }

private:
  struct Size {
    Bytes bytes;
    std::size_t row = 0; ///< in rows_
  };

  std::size_t row_from(Bytes size) const noexcept {
    return static_cast<std::size_t>(std::ranges::lower_bound(sizes_, size, {}, &Size::bytes) - sizes_.begin());
  }

  /// Blocks of one size, the lowest address last: it is what is taken first. What segments leave over comes with ever higher addresses, so that
  /// there is room in front as well.
  class Row {
  public:
    std::size_t size() const noexcept { return entries_.size() - room_; }
    const Entry& operator[](std::size_t at) const noexcept { return entries_[room_ + at]; }

    void insert(Entry entry) {
      const auto at = place_of(entry.address);
      if (at != begin() || at == entries_.end()) {
        entries_.insert(at, entry);
      } else {
        if (room_ == 0) {
          room_ = entries_.size();
          entries_.insert(entries_.begin(), room_, {});
        }
        entries_[--room_] = entry;
      }
    }

    /// Whether it was the last one.
    bool erase(Address address) {
      const auto at = place_of(address);
      if (at != begin()) {
        entries_.erase(at);
      } else if (++room_ > entries_.size() / 2) {
        entries_.erase(entries_.begin(), begin());
        room_ = 0;
      }
      return entries_.empty();
    }

  private:
    using Entries = std::vector<Entry>;

    Entries::iterator begin() noexcept { return entries_.begin() + static_cast<std::ptrdiff_t>(room_); }
    Entries::iterator place_of(Address address) noexcept {
      if (size() > 0 && entries_.back().address >= address) // mostly: what was freed last is asked for first
        return entries_.back().address == address ? std::prev(entries_.end()) : entries_.end();
      return std::ranges::lower_bound(begin(), entries_.end(), address, std::ranges::greater{}, &Entry::address);
    }

    Entries entries_;
    std::size_t room_ = 0; ///< entries in front that are none
  };

  Row& row_at(std::size_t row) noexcept { return rows_[sizes_[row].row]; }

  std::size_t row_for_use() {
    if (spare_.empty()) return rows_.emplace_back(), rows_.size() - 1;
    const std::size_t row = spare_.back();
    spare_.pop_back();
    return row;
  }

  void give_back(std::size_t row) {
    spare_.push_back(sizes_[row].row);
    sizes_.erase(sizes_.begin() + static_cast<std::ptrdiff_t>(row));
  }

  std::vector<Size> sizes_; ///< ascending, none without blocks
  std::vector<Row> rows_;
  std::vector<std::size_t> spare_; ///< of rows_, empty
};

} // namespace plimsoll::allocator
