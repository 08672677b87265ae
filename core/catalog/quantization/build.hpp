#pragma once
// A scheme in the making: what the methods of quantization_config do with what they have read.

#include "catalog/quantization/reader.hpp"
#include "plimsoll/catalog/quantization.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

class SchemeBuilder {
public:
  SchemeBuilder(const WeightCatalog& catalog, ImportedScheme& result) : catalog_(catalog), result_(result) {}

  const WeightCatalog& catalog() const noexcept { return catalog_; }
  Issues& issues() noexcept { return result_.issues; }

  /// Starts from the catalogue's scheme; an issue at `key` when it has none, which only numbers that were read can cause.
  bool use(const ObjectReader& reader, std::string_view key, const std::string& id);
  /// The scheme that use() set; never call it before.
  WeightScheme& scheme() { return *result_.scheme; }
  /// The scheme is no longer the listed one.
  void change() { result_.as_listed = false; }

  /// Leaves those modules unquantised. Of texts that are not understood a note tells.
  void keep(const ObjectReader& reader, std::string_view key, const std::vector<std::string>& texts);
  /// Leaves the output head unquantised.
  void keep_head();
  /// Stores the matrices of those modules in that format.
  void store_as(const ObjectReader& reader, std::string_view key, const std::vector<std::string>& texts, const WeightFormat& format);

  /// The index of a format, added if it is new.
  std::size_t index_of(const WeightFormat& format);

private:
  std::size_t unquantised();
  void put_first(std::vector<WeightRule> rules);
  void tell_unknown(const ObjectReader& reader, std::string_view key, const std::vector<std::string>& unknown);

  const WeightCatalog& catalog_;
  ImportedScheme& result_;
};

/// Reads one method's members. It leaves an error where it cannot say which scheme that is.
using Method = void (*)(const ObjectReader& reader, SchemeBuilder& builder);

/// Null when there is no such method.
Method integer_method(std::string_view name);
Method float_method(std::string_view name);
/// MLX's object has no method's name.
void read_mlx(const ObjectReader& reader, SchemeBuilder& builder);
/// The names of all methods, for remedies.
std::vector<std::string> integer_methods();
std::vector<std::string> float_methods();

/// compressed-tensors groups modules and states a layout for each group.
void read_compressed_tensors(const ObjectReader& reader, SchemeBuilder& builder);

} // namespace plimsoll::io
