// Layers whose activations Megatron Core leaves to the host's memory (NVIDIA/Megatron-LM, megatron/core/transformer/transformer_config.py).
#include "files/training/megatron_reader.hpp"
#include "files/training/megatron_shared.hpp"
#include "files/training/megatron_words.hpp"
#include "text/value.hpp"

#include <algorithm>

namespace plimsoll::io::configs {

namespace {

class OffloadReader : MegatronReader {
public:
  using MegatronReader::MegatronReader;

  void run() {
    read_layer_offload();
    read_offload_fraction();
  }

private:
  /// Layers whose activations wait in the host's memory. Transformer Engine no longer moves weights, and has one way to overlap
  /// (transformer_engine/pytorch/cpu_offload.py, get_cpu_offload_context).
  void read_layer_offload() {
    const auto layers = whole("cpu-offloading-num-layers");
    for (const char* argument : {"cpu-offloading", "cpu-offloading-weights", "cpu-offloading-double-buffering", "cpu-offloading-retain-pinned-cpu-buffers"}) document_.take(key(argument));
    const Json* const activations = document_.take(key("cpu-offloading-activations"));
    if (!layers || *layers <= 0 || (activations != nullptr && truth_word(plain_text(*activations)) == false)) return;
    draft_.set("activation_offload", "kept");
    draft_.set("offload_layers", *layers);
  }

  /// Of the groups that modules make, the first part goes: counted in whole layers (--activation-offload-fraction).
  void read_offload_fraction() {
    const auto fraction = real("activation-offload-fraction");
    if (!fraction || *fraction >= 1 || !draft_.has("offload_modules")) return;
    const std::int64_t layers = whole("num-layers").value_or(0);
    if (layers == 0 || *fraction <= 0) return draft_.refuse(key("activation-offload-fraction"), "A part of the layers cannot be told without their number.", "Set offload_layers.");
    draft_.set("offload_layers", std::max<std::int64_t>(static_cast<std::int64_t>(*fraction * static_cast<double>(layers)), 1));
  }
};

} // namespace

void read_megatron_offload(Document& document, RequestBuilder& draft, MegatronDialect dialect) { OffloadReader{document, draft, dialect}.run(); }

} // namespace plimsoll::io::configs
