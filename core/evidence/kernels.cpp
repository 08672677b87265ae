// {"kind": "kernel", "kernel", "provider", "mode", "x": {"name", "value"}, "config", "gpu": {"name"}, "framework": {"version"},
// "measured": {"bytes_median"}}: one operator of a benchmark. Names of sizes and of implementations are those of Liger-Kernel,
// benchmark/scripts/*.py; what each script sets up beside the operator is said where it enters.
#include "evidence/kernel_sweeps.hpp"
#include "evidence/rows.hpp"
#include "plimsoll/evidence/operators.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace plimsoll::io::accuracy {

namespace {

bool matches(const Json& row) { return text_of(row, "kind") == "kernel" && row.contains("kernel"); }

const Json* member(const Json& row, const char* key) {
  if (!row.is_object()) return nullptr;
  const auto at = row.find(key);
  return at == row.end() ? nullptr : &*at;
}

std::string text_in(const Json& row, const char* object, const char* key) {
  const Json* inner = member(row, object);
  return inner ? text_of(*inner, key) : "";
}

// Thousandths that nineteen of twenty measured rows lie within, of tests/corpus/liger.json.
constexpr std::int64_t kThousand = 1000, kSpread = 1;

/// Sizes of the models that newer scripts sweep: Liger-Kernel, benchmark/scripts/benchmark_model_configs.py.
struct BenchmarkModel {
  std::string_view name;
  std::int64_t hidden, intermediate, vocabulary, heads, key_value_heads, head;
};
constexpr std::array kModels{
    BenchmarkModel{"llama_2_7b", 4096, 11008, 32000, 32, 32, 128},
    BenchmarkModel{"llama_3_8b", 4096, 14336, 128256, 32, 8, 128},
    BenchmarkModel{"qwen2.5_7b", 3584, 18944, 152064, 28, 4, 128},
    BenchmarkModel{"qwen2.5_14b", 5120, 13824, 152064, 40, 8, 128},
    BenchmarkModel{"qwen2.5_72b", 8192, 29568, 152064, 64, 8, 128},
    BenchmarkModel{"deepseek_v2_lite", 2048, 10944, 102400, 16, 16, 128},
    BenchmarkModel{"deepseek_v3", 7168, 18432, 129280, 128, 128, 128},
    BenchmarkModel{"lfm2_1.2b", 2048, 12288, 65536, 32, 8, 64},
    BenchmarkModel{"lfm2_moe_8b_a1b", 2048, 7168, 65536, 32, 8, 64},
};

/// The sizes of one row: the swept one, else the config's, else the swept model's.
class Sizes {
public:
  explicit Sizes(const Json& row) : config_(member(row, "config")) {
    const Json* x = member(row, "x");
    if (x == nullptr) return;
    swept_ = text_of(*x, "name");
    value_ = number_of(*x, "value");
    const std::string name = text_of(*x, "value");
    const auto* found = std::ranges::find(kModels, std::string_view{name}, &BenchmarkModel::name);
    if (found != kModels.end()) model_ = found;
  }

  std::string_view swept() const { return swept_; }
  bool unknown_model() const { return swept_ == "model_config" && model_ == nullptr; }

  /// The first of these names that the row has; nothing for what is below one.
  std::optional<std::int64_t> find(std::initializer_list<const char*> names) const {
    for (const char* name : names) {
      std::optional<std::int64_t> value = swept_ == name ? value_ : std::nullopt;
      if (!value && config_) value = number_of(*config_, name);
      if (value && *value > 0) return value;
    }
    return std::nullopt;
  }

  std::string text(const char* key) const { return config_ ? text_of(*config_, key) : ""; }

  std::optional<std::int64_t> hidden() const { return of_model(find({"hidden_size", "H", "D", "N"}), &BenchmarkModel::hidden); }
  std::optional<std::int64_t> intermediate() const {
    return of_model(find({"intermediate_size", "intermediate_dim", "ffn_local"}), &BenchmarkModel::intermediate);
  }
  std::optional<std::int64_t> vocabulary() const { return of_model(find({"V", "vocab_size"}), &BenchmarkModel::vocabulary); }
  std::optional<std::int64_t> heads() const { return of_model(find({"num_q_heads", "num_attention_heads", "num_heads"}), &BenchmarkModel::heads); }
  std::optional<std::int64_t> key_value_heads() const {
    return of_model(find({"num_kv_heads", "num_key_value_heads"}), &BenchmarkModel::key_value_heads);
  }

  std::optional<std::int64_t> sequence() const { return find({"T", "S", "seq_len"}); }

  /// Rows: "BT" and "M" count them, else batch × sequence.
  std::optional<Count> tokens() const {
    if (const auto rows = find({"BT", "M"})) return Count{*rows};
    const auto length = sequence();
    if (!length) return std::nullopt;
    return Count{find({"B", "bsz", "batch_size"}).value_or(1)} * Count{*length};
  }

private:
  std::optional<std::int64_t> of_model(std::optional<std::int64_t> value, std::int64_t BenchmarkModel::* size) const {
    return value || model_ == nullptr ? value : std::optional{model_->*size};
  }

  const Json* config_ = nullptr;
  std::string swept_;
  std::optional<std::int64_t> value_;
  const BenchmarkModel* model_ = nullptr;
};

/// "0.5.10" as 5010; 0 when it is no version.
std::int64_t version_of(std::string_view text) {
  std::int64_t version = 0, part = 0;
  int dots = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') part = std::min<std::int64_t>(part * 10 + (c - '0'), 999);
    else if (c == '.' && dots < 2) version = version * 1000 + std::exchange(part, 0), ++dots;
    else break;
  }
  for (; dots < 2; ++dots) version = version * 1000 + std::exchange(part, 0);
  return version * 1000 + part;
}

/// What a run is in terms of operators. `before`: for versions of Liger-Kernel below that one, written as version_of() writes it.
struct Binding {
  std::string_view kernel, provider, op, implementation;
  std::int64_t before = version_of("999");
};

// The first row that fits is taken. Providers of which there are several variants come with the version that changed them.
constexpr std::int64_t k0_3 = 3000, k0_5 = 5000, k0_6 = 6000, k0_7 = 7000, k0_8 = 8000;
const std::array kBindings{
    Binding{"swiglu", "huggingface", "gated_mlp", "eager"}, Binding{"swiglu", "liger", "gated_mlp", "fused"},
    Binding{"geglu", "huggingface", "gated_mlp", "eager"}, Binding{"geglu", "liger", "gated_mlp", "fused"},
    Binding{"tiled_swiglu", "huggingface", "gated_mlp", "eager"}, Binding{"tiled_swiglu", "liger", "gated_mlp", "fused"},
    Binding{"tiled_swiglu", "liger_tiled", "gated_mlp", "tiled_fused"},
    Binding{"tiled_swiglu", "deepspeed_tiled", "gated_mlp", "tiled_eager"},
    Binding{"tiled_geglu", "huggingface", "gated_mlp", "eager"}, Binding{"tiled_geglu", "liger", "gated_mlp", "fused"},
    Binding{"tiled_geglu", "liger_tiled", "gated_mlp", "tiled_fused"},
    Binding{"tiled_geglu", "deepspeed_tiled", "gated_mlp", "tiled_eager"},
    Binding{"megatron_swiglu", "torch", "gated_activation", "eager"},
    Binding{"megatron_swiglu", "megatron", "gated_activation", "jit"},
    Binding{"megatron_swiglu", "liger", "gated_activation", "fused"},
    Binding{"megatron_swiglu", "liger_in_place", "gated_activation", "fused_in_place"},
    Binding{"layer_norm", "huggingface", "layer_norm", "eager"},
    Binding{"layer_norm", "liger", "layer_norm", "fused", k0_6},
    Binding{"layer_norm", "liger", "layer_norm", "fused_atomic", k0_7},
    Binding{"layer_norm", "liger", "layer_norm", "fused"},
    Binding{"rms_norm", "huggingface", "rms_norm", "eager"}, 
    Binding{"rms_norm", "liger", "rms_norm", "fused_weight_gradient_of_rows", k0_3},
    Binding{"rms_norm", "liger", "rms_norm", "fused"},
    Binding{"megatron_rms_norm", "torch", "rms_norm", "fused_framework"},
    Binding{"megatron_rms_norm", "megatron", "rms_norm", "fused_framework"},
    Binding{"megatron_rms_norm", "liger", "rms_norm", "fused_out_of_place"},
    Binding{"fused_add_rms_norm", "liger_fused_add_rms_norm", "fused_add_rms_norm", "fused"},
    Binding{"fused_add_rms_norm", "huggingface", "fused_add_rms_norm", "eager"},
    Binding{"fused_add_rms_norm", "liger_rms_norm", "fused_add_rms_norm", "fused_norm"},
    Binding{"poly_norm", "torch", "poly_norm", "eager"}, Binding{"poly_norm", "liger_cutile", "poly_norm", "fused"},
    Binding{"poly_norm", "liger", "poly_norm", "fused_in_place"},
    Binding{"dyt", "torch", "dyt", "eager"}, Binding{"dyt", "torch_compile", "dyt", "compiled"},
    Binding{"group_norm", "huggingface", "group_norm", "eager"}, Binding{"group_norm", "liger_cutile", "group_norm", "fused_by_sample"},
    Binding{"group_norm", "liger", "group_norm", "fused"},
    Binding{"dyt", "liger", "dyt", "fused"},
    Binding{"relu_squared", "torch", "relu_squared", "eager"}, Binding{"relu_squared", "liger", "relu_squared", "fused"},
    Binding{"softmax", "torch", "softmax", "eager"}, Binding{"softmax", "liger", "softmax", "fused"},
    Binding{"cross_entropy", "huggingface", "cross_entropy", "eager"}, Binding{"cross_entropy", "torch", "cross_entropy", "eager"},
    Binding{"cross_entropy", "liger_cutile", "cross_entropy", "fused_out_of_place"},
    Binding{"cross_entropy", "liger", "cross_entropy", "fused"},
    Binding{"megatron_cross_entropy", "liger", "cross_entropy", "fused_unreduced"},
    Binding{"megatron_cross_entropy", "megatron-unfused", "cross_entropy", "vocabulary_parallel"},
    Binding{"megatron_cross_entropy", "megatron-fused", "cross_entropy", "vocabulary_parallel_jit"},
    Binding{"megatron_cross_entropy", "torch", "cross_entropy", "eager_upcast"},
    Binding{"megatron_cross_entropy", "megatron", "cross_entropy", "vocabulary_parallel_jit"},
    Binding{"fused_linear_cross_entropy", "huggingface", "linear_cross_entropy", "eager"},
    Binding{"fused_linear_cross_entropy", "liger", "linear_cross_entropy", "fused_fp32_chunks", k0_5},
    Binding{"fused_linear_cross_entropy", "liger", "", "", k0_8}, // weight gradients by other means, which nothing here measured
    Binding{"fused_linear_cross_entropy", "liger", "linear_cross_entropy", "fused"},
    Binding{"fused_linear_jsd", "torch", "linear_jsd", "eager"}, Binding{"fused_linear_jsd", "liger", "linear_jsd", "fused"},
    Binding{"fused_linear_grpo_loss_sequence", "torch", "linear_grpo", "eager"},
    Binding{"fused_linear_grpo_loss_token", "torch", "linear_grpo", "eager"},
    Binding{"kl_div", "torch", "kl_div", "eager"}, Binding{"kl_div", "liger_cutile", "kl_div", "fused"},
    Binding{"kl_div", "liger", "kl_div", "fused", k0_5}, Binding{"kl_div", "liger", "kl_div", "fused_out_of_place"},
    Binding{"jsd", "torch", "jsd", "eager"}, Binding{"jsd", "liger", "jsd", "fused"}, Binding{"tvd", "liger", "tvd", "fused"},
    Binding{"fused_neighborhood_attention", "torch", "neighborhood_attention", "eager"},
    Binding{"fused_neighborhood_attention", "liger", "neighborhood_attention", "fused"},
    Binding{"rope", "huggingface", "rope", "eager_older", k0_3}, Binding{"rope", "huggingface", "rope", "eager"},
    Binding{"rope", "liger", "rope", "fused_in_place", k0_8},
    Binding{"rope", "liger_cutile", "rope", "fused"}, Binding{"rope", "liger", "rope", "fused_copying_keys"},
    Binding{"qwen2vl_mrope", "huggingface", "sectioned_rope", "eager"},
    Binding{"qwen2vl_mrope", "liger", "sectioned_rope", "fused_in_place", k0_8},
    Binding{"qwen2vl_mrope", "liger", "sectioned_rope", "fused"},
    Binding{"llama4_rope", "huggingface", "complex_rope", "eager_older", k0_8},
    Binding{"llama4_rope", "huggingface", "complex_rope", "eager"},
    Binding{"llama4_rope", "liger", "complex_rope", "fused_in_place", k0_8}, Binding{"llama4_rope", "liger", "complex_rope", "fused"},
    Binding{"fused_moe", "liger", "experts", "fused"},
    Binding{"embedding", "huggingface", "embedding", "eager"}, Binding{"embedding", "torch_compile", "embedding", "compiled"},
    Binding{"embedding", "liger", "embedding", "fused"},
};

/// Providers of Liger-Kernel by language, where nothing says that one of them differs: "liger_triton" is what "liger" was.
std::string without_backend(std::string provider) {
  for (const std::string_view backend : {"liger_triton", "liger_cutile", "liger_cutedsl"})
    if (provider.starts_with(backend)) return "liger" + provider.substr(backend.size());
  return provider;
}

const Binding* binding_of(std::string_view kernel, const std::string& provider, std::int64_t version) {
  for (const std::string& name : {provider, without_backend(provider)})
    for (const Binding& binding : kBindings)
      if (binding.kernel == kernel && binding.provider == name && version < binding.before) return &binding;
  return nullptr;
}

struct Case {
  OperatorShape shape;
  std::vector<std::string> assumed;
  std::string missing; ///< what the row does not tell and nothing may stand for
};

void assume(Case& into, std::string what) { into.assumed.push_back(std::move(what)); }

/// Losses take fp32 logits unless the script says otherwise; all else is 16-bit.
void read_precision(const Sizes& sizes, std::string_view kernel, Case& into) {
  const std::string dtype = sizes.text("dtype");
  if (dtype == "torch.float32") into.shape.element_bytes = 4;
  else if (dtype == "torch.bfloat16" || dtype == "torch.float16") into.shape.element_bytes = 2;
  else if (!dtype.empty()) into.missing = "Number format " + quoted(std::string_view{dtype}) + " is not known.";
  else {
    const bool loss = kernel == "cross_entropy" || kernel == "kl_div" || kernel == "jsd" || kernel == "tvd";
    into.shape.element_bytes = loss ? 4 : 2;
    assume(into, loss ? "dtype float32" : "dtype bfloat16");
  }
}

void read_heads(const Sizes& sizes, Case& into) {
  const auto heads = sizes.heads(), key_value_heads = sizes.key_value_heads(), hidden = sizes.hidden();
  if (!heads || !key_value_heads || !hidden || *hidden % *heads != 0) {
    into.missing = "Rows of rotary embeddings need heads, key-value heads and a hidden size that heads divide.";
    return;
  }
  into.shape.query_width = Count{*hidden};
  into.shape.head = Count{*hidden / *heads};
  into.shape.key_width = Count{*key_value_heads} * into.shape.head;
}

/// Samples of channels. Newer scripts give the numbers of one sample as hidden_size, older ones the channels (C), each H numbers.
void read_groups(const Sizes& sizes, Case& into) {
  const auto per_channel = sizes.find({"H"}), per_group = sizes.find({"channels_per_group"});
  const auto channels = sizes.find({"C"}), numbers = sizes.find({"hidden_size"});
  if (!per_channel || !per_group || (!channels && !numbers)) {
    into.missing = "Rows of group norm need H, channels_per_group and C or hidden_size.";
    return;
  }
  into.shape.channels = channels ? Count{*channels} : Count{std::max<std::int64_t>(1, *numbers / *per_channel)};
  into.shape.hidden = into.shape.channels * Count{*per_channel};
  into.shape.groups = ceil_div(into.shape.channels, Count{*per_group});
  into.shape.mode = OperatorMode::full; // the script's memory runs are forward and backward whatever the mode says
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) { return std::ranges::find(names, name) != names.end(); }

/// What stands in memory beside the operator, as the scripts set it up.
void read_setting(const Sizes& sizes, const Binding& binding, std::string_view provider, std::int64_t version, Case& into) {
  OperatorShape& shape = into.shape;
  const bool new_script = version >= k0_8;
  if (is_one_of(binding.kernel, {"softmax", "relu_squared"}) && sizes.swept() == "N") {
    shape.tokens = Count{1}; // these two sweep the columns of one row; "M" is written down and not used
    assume(into, "one row");
  }
  if (binding.kernel == "softmax") shape.idle_parameters = shape.tokens * shape.hidden; // the set-up's output gradient
  // Older scripts make every provider's module, whichever runs.
  if (binding.kernel == "layer_norm" && !new_script) shape.idle_parameters = Count{2} * shape.hidden;
  if (binding.kernel == "rms_norm" && !new_script) shape.idle_parameters = shape.hidden;
  if (binding.kernel == "group_norm" && !new_script) shape.idle_parameters = Count{2} * shape.channels;
  if (binding.op == "neighborhood_attention") shape.idle_parameters = Count{4} * (shape.hidden * shape.hidden + shape.hidden);
  if (is_one_of(binding.kernel, {"embedding", "fused_linear_cross_entropy"}) && !new_script)
    shape.idle_parameters = shape.vocabulary * shape.hidden;
  if (binding.op == "linear_grpo" && !new_script) shape.idle_parameters = Count{2} * (shape.vocabulary * shape.hidden);
  // Gradients are dropped before each repetition.
  if (is_one_of(binding.kernel, {"megatron_swiglu", "megatron_cross_entropy"})) shape.old_gradients = false;
  // The gradient written over the logits becomes .grad as it is, where nothing else refers to it.
  if (binding.kernel == "cross_entropy" && provider == "liger" && version < k0_3) shape.old_gradients = false;
}

void read_mode(const Json& row, Case& into) {
  const std::string mode = text_of(row, "mode");
  if (mode == "forward") into.shape.mode = OperatorMode::forward;
  else if (mode == "backward") into.shape.mode = OperatorMode::backward;
  else if (mode != "full") assume(into, "forward and backward");
}

Case case_of(const Json& row, const Binding& binding, std::string_view provider, std::int64_t version) {
  Case result;
  const Sizes sizes{row};
  if (sizes.unknown_model()) result.missing = "The sizes of that benchmark model are not known.";
  OperatorShape& shape = result.shape;
  read_mode(row, result);
  read_precision(sizes, binding.kernel, result);
  const auto count = [](std::optional<std::int64_t> value) { return Count{value.value_or(0)}; };
  shape.hidden = count(sizes.hidden());
  shape.intermediate = count(sizes.intermediate());
  shape.vocabulary = count(sizes.vocabulary());
  shape.experts = count(sizes.find({"E"}));
  shape.top_k = count(sizes.find({"K"}));
  shape.shards = Count{sizes.find({"num_shards"}).value_or(1)};
  if (const auto tokens = sizes.tokens()) shape.tokens = *tokens;
  else result.missing = "The row does not tell how many tokens there are.";
  const std::string gpu = text_in(row, "gpu", "name");
  shape.workspace = cublas_workspace_of(gpu);
  shape.multiprocessors = multiprocessors_of(gpu);
  if (shape.workspace == Bytes{0})
    result.missing = "Workspace and multiprocessors of the GPU " + quoted(std::string_view{gpu}) + " are not known.";
  shape.sequence = count(sizes.sequence());
  shape.heads = count(sizes.heads());
  if (binding.op.ends_with("rope")) read_heads(sizes, result);
  if (binding.op == "group_norm") read_groups(sizes, result);
  read_setting(sizes, binding, provider, version, result);
  if (binding.op == "embedding" && version < k0_3) {
    shape.earlier_tensors = held_by_compiled_embeddings(shape, provider == "torch_compile");
    assume(result, "tables that the sweep compiled before are still held");
  }
  return result;
}

/// Why the sizes do not suffice; "" when they do.
std::string lack_of(const Binding& binding, const OperatorShape& shape) {
  const Count none{0};
  const bool loss = is_one_of(binding.op, {"cross_entropy", "linear_cross_entropy", "linear_jsd", "linear_grpo", "kl_div", "jsd",
                                           "tvd", "embedding"});
  if (loss && shape.vocabulary == none) return "The row does not tell the vocabulary.";
  if (!loss && binding.op != "gated_activation" && shape.hidden == none) return "The row does not tell the hidden size.";
  if (is_one_of(binding.op, {"linear_cross_entropy", "linear_jsd", "linear_grpo", "embedding"}) && shape.hidden == none) return "The row does not tell the hidden size.";
  if (is_one_of(binding.op, {"gated_mlp", "gated_activation", "experts"}) && shape.intermediate == none)
    return "The row does not tell the intermediate size.";
  if (binding.op == "experts" && (shape.experts == none || shape.top_k == none))
    return "The row does not tell experts and experts per token.";
  if (binding.op == "neighborhood_attention" && (shape.sequence == none || shape.heads == none))
    return "The row does not tell sequence and heads.";
  const bool eager_norm = is_one_of(binding.op, {"rms_norm", "fused_add_rms_norm", "poly_norm", "dyt"}) &&
                          is_one_of(binding.implementation, {"eager", "compiled"});
  if ((eager_norm || is_one_of(binding.op, {"linear_jsd", "linear_grpo"})) && shape.element_bytes != 2)
    return "This form was measured with 16-bit inputs only.";
  return "";
}

void compare_kernel(const Json& row, std::vector<Comparison>& into) {
  Comparison result;
  result.id = text_of(row, "id");
  result.group = text_of(row, "kernel");
  result.metric = "bytes_median";
  result.unit = "bytes";
  if (const Json* measured = member(row, "measured"); measured && measured->is_object()) result.measured = number_of(*measured, "bytes_median");
  const std::string provider = text_of(row, "provider");
  const std::int64_t version = version_of(text_in(row, "framework", "version"));
  const Binding* binding = binding_of(result.group, provider, version);
  const Operator* op = binding ? find_operator(binding->op, binding->implementation) : nullptr;
  if (op == nullptr) {
    result.reason = "The lifetimes of " + quoted(std::string_view{result.group}) + " as " + quoted(std::string_view{provider}) + " runs it are not known.";
    return into.push_back(std::move(result));
  }
  Case the_case = case_of(row, *binding, provider, version);
  result.assumed = std::move(the_case.assumed);
  result.reason = the_case.missing.empty() ? lack_of(*binding, the_case.shape) : the_case.missing;
  const Bytes peak = result.reason.empty() ? operator_memory(*op, the_case.shape).peak : Bytes{0};
  if (peak.saturated()) result.reason = "The sizes are beyond what 64 bits can count.";
  if (result.reason.empty()) {
    result.modelled = true;
    const std::int64_t spread = peak.value / kThousand * kSpread;
    result.predicted = peak.value;
    result.low = peak.value - spread;
    result.high = peak.value + spread;
    if (op->basis == Basis::assumed) result.assumed.push_back("what is alive at the worst step");
  }
  into.push_back(std::move(result));
}

} // namespace

Schema kernels() { return {"kernels", matches, compare_kernel}; }

} // namespace plimsoll::io::accuracy
