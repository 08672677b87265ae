#pragma once
// Numbers of kernels from measured rows: those with the least mean |log(predicted / measured)|, in which rows that are far off count little.
// A pattern search in the numbers' logarithms with a dozen hops, from the same start for every class; the tiles are those of a small menu that do
// best. The same rows give the same numbers.

#include "evidence/latencies/rows.hpp"

#include <functional>
#include <span>

namespace plimsoll::io::latencies {

/// A row with its device.
struct Sample {
  const Measured* row = nullptr;
  kernels::Gpu gpu;
  std::string device_class;
  std::string device; ///< catalogue id
};

/// Those rows whose device the catalogue has and whose class `table` knows; the others are counted in an issue.
std::vector<Sample> samples_of(const std::vector<Measured>& rows, const Catalog& catalog, const KernelTable& table, Issues& issues);

/// Whether a row of such a shape is left out of the fit: one in five, by a hash of its shape.
bool is_left_out(const Measured& row) noexcept;

/// Rows of `kernel` that measured its time with the host's before it have no part in what an engine does.
bool is_of_host(const KernelRow& row, const KernelClass& device_class) noexcept;

/// Fits one row of the table for every class, kernel, format, source and engine among the samples.
std::vector<KernelRow> fit(std::span<const Sample* const> samples, const KernelTable& table);

double predicted_ns(const Sample& sample, const KernelRow& row) noexcept;

} // namespace plimsoll::io::latencies
