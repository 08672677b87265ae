#pragma once
// Rows of measured kernels as ai-dynamo/aiconfigurator writes them (aic-core, systems/data), one CSV file for each kind of kernel.

#include "method/kernels/choose.hpp"
#include "method/kernels/shape.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/method/issue.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io::latencies {

struct Measured {
  Kernel kernel = Kernel::matrices;
  std::string system, engine, source, format;
  std::string shape_text; ///< the same for the same shape on any GPU
  kernels::Shape shape;
  Arithmetic arithmetic = Arithmetic::bf16;
  double ns = 0; ///< > 0
};

/// Appends the rows of one file. `name` is the file's, whatever its folder, and says what its rows are: "gemm.csv", packed or not. Rows
/// whose values cannot be read are left out and counted in an issue; a file of another name adds nothing.
void read_rows(std::string_view name, std::string_view bytes, std::vector<Measured>& rows, Issues& issues);

/// The catalogue's device behind a system's name, such as "h100_sxm", in a machine whose GPUs reach each other's memory, as all were that were measured; none where it has none.
std::optional<Hardware> hardware_of(const Catalog& catalog, std::string_view system);

} // namespace plimsoll::io::latencies
