#pragma once
// What the metadata of a GGUF file says about the model, over what the shapes of its tensors show.

#include "files/tensors/gguf.hpp"
#include "files/tensors/layer_facts.hpp"
#include "files/tensors/report.hpp"

#include <cstdint>

namespace plimsoll::io::tensor_files {

class GgufFacts {
public:
  explicit GgufFacts(const GgufMetadata& metadata);

  std::string_view architecture() const noexcept { return architecture_; }
  /// A count of the architecture, e.g. "block_count"; 0 when absent or not from 1 to 10^12.
  Count count(std::string_view key) const noexcept;
  /// Likewise, where a list has one entry per layer.
  Count count(std::string_view key, std::size_t layer) const noexcept;

  /// Completes a layer that was read from shapes. `layers`: of the whole model.
  void complete(Layer& layer, std::span<const Module> modules, std::size_t number, std::size_t layers, Count hidden_size,
                Unknowns& unknowns, Report& report) const;

  /// Notes on what this architecture leaves open.
  void report_windows(Report& report) const;

private:
  void complete_attention(Attention& attention, std::size_t number, std::size_t layers, Count hidden_size, Unknowns& unknowns,
                          Report& report) const;
  void complete_latent(LatentAttention& latent, std::size_t number, Unknowns& unknowns) const;
  void complete_recurrence(Layer& layer, std::span<const Module> modules, Unknowns& unknowns) const;
  bool slides(std::size_t number) const noexcept;

  const GgufMetadata& metadata_;
  std::string_view architecture_;
};

} // namespace plimsoll::io::tensor_files
