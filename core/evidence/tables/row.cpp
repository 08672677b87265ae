// {"framework": {"name"}, "gpu": {"name"}, "model_id", "model", "workload", "strategy", "precision", "implementation", "measured":
// {"metric", "bytes_rounded", "oom"}}: rows of torchtitan's benchmarks, torchtune's README and LitGPT's resource tables and config hub.
#include "evidence/tables/row.hpp"

#include "evidence/litgpt.hpp"
#include "evidence/words.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace plimsoll::io::accuracy {

namespace tables {

using namespace litgpt;

namespace {

const Json& part(const Json& row, const char* key) {
  static const Json kEmpty = Json::object();
  const auto at = row.find(key);
  return at != row.end() && at->is_object() ? *at : kEmpty;
}

const Json* given(const Json& row, const char* key) {
  const auto at = row.find(key);
  return at == row.end() || at->is_null() ? nullptr : &*at;
}

bool is_true(const Json& row, const char* key) {
  const Json* value = given(row, key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::string says(const char* key, const std::string& text) { return "The row's \"" + std::string{key} + "\" says " + quoted(std::string_view{text}) + ", which is not covered."; }

void read_model(const Json& row, MeasuredRow& into) {
  const std::string id = text_of(row, "model_id");
  if (const Json* shapes = given(row, "model")) {
    std::optional<Model> model = model_of(*shapes, into.profile == "litgpt" ? Head::own : Head::as_told);
    if (!model) return into.decline("The shapes of the row's model are not complete.");
    into.inputs.model = std::move(*model);
    into.inputs.model.name = id;
    return;
  }
  const ModelRow* found = find_model(id);
  if (found == nullptr) return into.decline("The model's shape is not given: " + quoted(std::string_view{id}) + ".");
  Overrides changes;
  if (into.profile == "litgpt") changes.facts["tied_embeddings"] = 0; // its head has a matrix of its own (litgpt/model.py, GPT)
  ImportedModel imported = import_model(*found, changes);
  if (!imported.model) return into.decline("The model's shape is not given: " + quoted(std::string_view{id}) + ".");
  if (letters_of(id) != letters_of(found->id)) into.assumed.push_back("The model \"" + id + "\" is " + found->name + ".");
  into.inputs.model = std::move(*imported.model);
  into.inputs.facts = imported.facts;
}

void read_workload(const Json& row, MeasuredRow& into) {
  const Json& from = part(row, "workload");
  Workload& workload = into.inputs.workload;
  workload.task = into.profile == "torchtitan" ? Task::pretrain : Task::finetune;
  const auto tokens = number_of(from, "seq_len"), batch = number_of(from, "micro_batch"), steps = number_of(from, "grad_accum"), global = number_of(from, "global_batch");
  if (!tokens || *tokens < 1) return into.decline("The row does not tell the tokens of a sequence.");
  if (!batch || *batch < 1) return into.decline("The row does not tell the sequences of a micro-batch.");
  workload.context_tokens = *tokens;
  workload.batch = *batch;
  const Count per_step = Count{*batch} * Count{into.inputs.strategy.data_parallel};
  if (steps && *steps > 0) workload.micro_batches = *steps;
  else if (global && *global > 0) workload.micro_batches = std::max<std::int64_t>(1, *global / per_step.value);
  else if (into.profile == "litgpt") {
    workload.micro_batches = litgpt::micro_batches(*batch, letters_of(text_of(part(row, "implementation"), "method")) != "full");
    into.assumed.push_back("As many micro-batches in a step as in LitGPT's recipes.");
  } else into.assumed.push_back("One micro-batch in a step.");
  if (into.profile == "torchtune" && given(from, "packed") != nullptr && !is_true(from, "packed"))
    return into.decline("Sequences are not packed: how long they are is up to the dataset.");
  if (into.profile == "litgpt" && contains_word(text_of(from, "seq_len_is"), "longest")) take_longest_first(into);
  if (text_of(from, "seq_len_is") == "upper bound" || (given(from, "packed") != nullptr && !is_true(from, "packed")))
    into.assumed.push_back("Every sequence is as long as its limit.");
}

void read_degree(const Json& from, const char* key, std::int64_t& degree, MeasuredRow& into) {
  if (given(from, key) == nullptr) return; // 1 where the source speaks of none
  const auto value = number_of(from, key);
  if (!value || *value < 1) return into.decline("A parallel degree is a whole number from 1 on: \"" + std::string{key} + "\".");
  degree = *value;
}

void read_strategy(const Json& row, MeasuredRow& into) {
  const Json& from = part(row, "strategy");
  Strategy& strategy = into.inputs.strategy;
  read_degree(from, "tp", strategy.tensor_parallel, into);
  read_degree(from, "pp", strategy.pipeline_parallel, into);
  read_degree(from, "cp", strategy.context_parallel, into);
  read_degree(from, "ep", strategy.expert_parallel, into);
  // GPUs that no other degree takes are replicas.
  const std::int64_t world = number_of(from, "world").value_or(1);
  strategy.data_parallel = 1;
  const std::int64_t others = gpu_count(strategy).value;
  if (given(from, "dp") != nullptr) read_degree(from, "dp", strategy.data_parallel, into);
  else if (world >= others && world % others == 0) strategy.data_parallel = world / others;
  else into.decline("The parallel degrees do not make the row's number of GPUs.");

  const std::string fsdp = text_of(from, "fsdp");
  if (fsdp == "fsdp1" || fsdp == "fsdp2") strategy.sharding = Sharding::parameters;
  else if (!fsdp.empty()) return into.decline(says("fsdp", fsdp));
  else if (strategy.data_parallel > 1 && into.profile == "litgpt") take_devices_of_recipe(letters_of(text_of(part(row, "implementation"), "method")) == "full", into);
  else if (strategy.data_parallel > 1) return into.decline("The row does not tell how its GPUs share the work.");
  strategy.sequence_parallel = into.profile == "torchtitan" && strategy.tensor_parallel > 1; // its plans always divide the tokens

  const std::string recompute = text_of(from, "recompute"), schedule = text_of(from, "schedule");
  if (recompute == "full") strategy.recompute = Recompute::full;
  else if (recompute == "per-op selective") strategy.recompute = Recompute::per_op;
  else if (recompute.empty() && into.profile == "litgpt" && strategy.sharding == Sharding::parameters) recompute_blocks(into);
  else if (recompute == "none" || recompute.empty()) strategy.recompute = Recompute::none;
  else return into.decline(says("recompute", recompute));
  if (recompute.empty() && strategy.recompute == Recompute::none && given(part(row, "implementation"), "cumulative_technique") == nullptr)
    into.assumed.push_back("Nothing is recomputed.");

  if (schedule == "Interleaved 1F1B") {
    strategy.virtual_stages = 2;
    into.assumed.push_back("Interleaved stages have two parts each.");
  } else if (schedule == "GPipe") {
    strategy.pipeline_schedule = PipelineSchedule::gpipe;
  } else if (!schedule.empty() && schedule != "1F1B") {
    return into.decline(says("schedule", schedule));
  }
  if (const Json* offload = given(from, "offload"); offload != nullptr && *offload != false) into.decline("Offloading is not told in full.");
  const std::string optimizer = text_of(from, "optimizer");
  if (!optimizer.empty() && optimizer != "adamw") return into.decline(says("optimizer", optimizer));
  const bool litgpt = into.profile == "litgpt", quantised = litgpt && !text_of(part(row, "precision"), "quantization").empty();
  // Beside quantised weights LitGPT takes bitsandbytes' paged AdamW (litgpt/finetune/lora.py, main).
  strategy.optimizer = quantised ? Optimizer::paged_adamw : litgpt ? Optimizer::adamw_foreach : Optimizer::adamw_fused;
  if (quantised) return;
  into.assumed.push_back(litgpt ? "AdamW steps as PyTorch does on GPUs unless told otherwise: foreach." : "AdamW is the fused one, as in the framework's configs.");
}

void read_precision(const Json& row, MeasuredRow& into) {
  const Json& from = part(row, "precision");
  const std::string params = text_of(from, "params"), quantization = text_of(from, "quantization");
  Strategy& strategy = into.inputs.strategy;
  if (params == "fp32 sharded, bf16 compute") strategy.regime = Regime::sharded_bf16;
  else if (params == "bf16" || params == "bf16-true") strategy.regime = Regime::bf16;
  else if (params == "fp32" || params == "32-true") strategy.regime = Regime::fp32;
  else return into.decline(says("params", params));
  if (const Json* fp8 = given(from, "fp8")) {
    if (!fp8->is_boolean()) return into.decline("The row's \"fp8\" is neither true nor false.");
    strategy.fp8 = !fp8->get<bool>() ? Fp8::none : is_true(part(row, "implementation"), "fsdp_float8_all_gather") ? Fp8::gathered : Fp8::compute;
  }
  if (quantization.empty()) return;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSchemes{
      {{"bnb.nf4", "nf4"}, {"bnb.nf4-dq", "nf4_double_quant"}, {"bnb.fp4", "fp4"}, {"bnb.fp4-dq", "fp4_double_quant"}, {"bnb.int8-training", "int8_bnb"}}};
  const auto scheme = std::ranges::find(kSchemes, quantization, &std::pair<std::string_view, std::string_view>::first);
  if (scheme == kSchemes.end()) return into.decline(says("quantization", quantization));
  store_base(scheme->second, into);
  read_bitsandbytes({text_of(part(row, "measured"), "notes"), text_of(part(row, "framework"), "name")}, into);
}

// What a LoRA run trains where its table does not say. LitGPT's scripts: rank 8 on queries and values (finetune/lora.py at the row's
// version); torchtune's configs: rank 8 on queries, values, output and the MLP (recipes/configs, lora_attn_modules, apply_lora_to_mlp).
void train_adapters(const Json& row, MeasuredRow& into) {
  Tuning& tuning = into.inputs.tuning;
  tuning.method = TuningMethod::lora;
  tuning.rank = 8;
  tuning.targets = into.profile == "torchtune" ? kTargetQuery | kTargetValue | kTargetOutput | kTargetMlp : kTargetQueryValue;
  tuning.adapter_dropout = into.profile == "litgpt";
  tuning.adapter_dtype = AdapterDtype::half; // in the precision of the run: both frameworks make them so
  if (const auto trainable = number_of(part(row, "implementation"), "trainable_params")) {
    Count per_rank;
    for (const LayerGroup& group : into.inputs.model.groups) {
      const Count hidden = into.inputs.model.hidden_size, head = group.attention.head_dim;
      per_rank += group.layers * (Count{2} * hidden + (group.attention.query_heads + group.attention.kv_heads) * head);
    }
    if (per_rank > Count{0} && *trainable % per_rank.value == 0 && *trainable > 0) return void(tuning.rank = *trainable / per_rank.value);
    return into.decline("The row's trainable parameters are no adapters on queries and values of its model.");
  }
  if (into.profile == "litgpt" && text_of(part(row, "workload"), "seq_len_is") == "upper bound") return take_recipe(text_of(row, "model_id"), !into.inputs.weights.tensors.empty(), into);
  into.assumed.push_back(into.profile == "torchtune" ? "Adapters of rank 8 on queries, values, output and MLP." : "Adapters of rank 8 on queries and values.");
}

/// torchtune's README runs its shipped configs: recipes/configs/llama3_1/8B_full_single_device.yaml and 8B_lora_single_device.yaml
/// (enable_activation_checkpointing, CEWithChunkedOutputLoss).
void take_shipped_config(bool full, MeasuredRow& into) {
  Strategy& strategy = into.inputs.strategy;
  strategy.recompute = Recompute::full;
  std::erase(into.assumed, "Nothing is recomputed.");
  LossKernel& loss = into.inputs.implementation.loss;
  loss = into.inputs.implementation.norms == Fusion::compiled ? LossKernel::chunked_compiled : LossKernel::chunked;
  into.assumed.push_back("Layers are recomputed and the loss is in chunks, as in the framework's configs.");
  if (!full || gpu_count(strategy) > Count{1}) return;
  strategy.optimizer = Optimizer::paged_adamw_8bit;
  strategy.optimizer_in_backward = true;
  std::erase(into.assumed, "AdamW is the fused one, as in the framework's configs.");
  into.assumed.push_back("The optimizer is a paged 8-bit AdamW in the backward pass, as in the framework's configs.");
}

void read_method(const Json& row, MeasuredRow& into) {
  const std::string method = letters_of(text_of(part(row, "implementation"), "method"));
  if (into.profile == "torchtune" && !method.empty() && text_of(part(row, "strategy"), "recompute").empty())
    take_shipped_config(method == "full" || method == "fullfinetune", into);
  if (into.profile == "litgpt" && method == "full") train_whole(into);
  if (method.empty() || method == "full" || method == "fullfinetune") return;
  if (method != "lora" && method != "qlora") return into.decline(says("method", text_of(part(row, "implementation"), "method")));
  train_adapters(row, into);
  if (!into.inputs.weights.tensors.empty()) return;
  if (method == "lora") return store_base("bf16", into);
  store_base("nf4_double_quant", into); // torchtune's NF4Tensor quantises its scales too (torchao/dtypes/nf4tensor.py)
}

// torchtune's README lists techniques from top to bottom, each on top of those before; the last two replace the optimizer's.
constexpr std::array<std::string_view, 10> kLadder{"baseline", "packeddataset", "compile", "chunkedcrossentropy", "activationcheckpointing",
                                                   "fuseoptimizerstepintobackward", "activationoffloading", "8bitadamw", "lora", "qlora"};

void read_ladder(const Json& row, MeasuredRow& into) {
  const std::string technique = text_of(part(row, "implementation"), "cumulative_technique");
  if (technique.empty()) return;
  const auto at = std::ranges::find(kLadder, letters_of(technique));
  if (at == kLadder.end()) return into.decline(says("cumulative_technique", technique));
  const std::ptrdiff_t step = at - kLadder.begin();
  const bool adapters = step >= 8;
  Strategy& strategy = into.inputs.strategy;
  Implementation& code = into.inputs.implementation;
  if (step >= 3) code.loss = LossKernel::chunked;
  if (step >= 2) compile_all(into);
  if (step >= 4) strategy.recompute = Recompute::full;
  if (step >= 6) strategy.recompute = Recompute::offloaded;
  strategy.optimizer_in_backward = step >= 5 && !adapters;
  if (step == 7) strategy.optimizer = Optimizer::adamw_8bit;
  if (!adapters) return;
  train_adapters(row, into);
  store_base(step == 8 ? "bf16" : "nf4_double_quant", into);
}

// torchtitan gives the first and the last stage no more layers than the others, which take what is left over; a batch is cut into as
// many micro-batches as there are stages: torchtitan/parallelisms/pipelining_utils.py, generate_split_points; its option
// pipeline_parallel_microbatches.
void cut_torchtitan_pipeline(MeasuredRow& into) {
  Strategy& strategy = into.inputs.strategy;
  Workload& workload = into.inputs.workload;
  const auto layers = static_cast<std::int64_t>(into.inputs.model.pattern.size());
  if (into.profile != "torchtitan" || strategy.pipeline_parallel < 2 || layers < 1) return;
  const Count all = Count{strategy.pipeline_parallel} * Count{strategy.virtual_stages};
  const std::int64_t stages = all.value;
  if (stages > layers) return;
  if (layers % stages != 0) {
    strategy.chunk_layers.assign(static_cast<std::size_t>(stages), layers / stages);
    for (std::int64_t extra = 0; extra < layers % stages && extra + 2 < stages; ++extra) ++strategy.chunk_layers[static_cast<std::size_t>(extra + 1)];
    if (layers % stages > stages - 2) ++strategy.chunk_layers.back(); // one more than the stages between first and last can take
  }
  if (workload.batch % stages != 0) return;
  workload.batch /= stages;
  workload.micro_batches = std::min<std::int64_t>(stages, std::numeric_limits<std::int32_t>::max());
  into.assumed.push_back("A batch is cut into as many micro-batches as there are stages.");
}

/// torchtitan's benchmark files carry a month in their names: benchmarks/llama3_h100_202412_torchtitan.md. 0 without one.
std::int64_t month_of(const Json& row) {
  for (const std::string& word : words_of(text_of(part(row, "source"), "path")))
    if (word.size() == 6 && word.starts_with("20") && word.find_first_not_of("0123456789") == std::string::npos) return std::stoll(word);
  return 0;
}

void compile_parts(const Json& row, MeasuredRow& into) {
  constexpr std::int64_t kCompilesLoss = 202504; // pytorch/torchtitan, pull request 1033: until then compiling the loss was switched off
  const std::int64_t month = month_of(row);
  const bool early = into.profile == "torchtitan" && month > 0 && month < kCompilesLoss;
  if (early) into.inputs.implementation.loss = LossKernel::torch_float;
  compile_all(into);
}

void read_implementation(const Json& row, MeasuredRow& into) {
  const Json& from = part(row, "implementation");
  constexpr std::array<std::string_view, 6> kKnown{"compile", "method", "cumulative_technique", "trainable_params", "async_tp", "fsdp_float8_all_gather"};
  for (const auto& knob : from.items())
    if (!knob.value.is_null() && std::ranges::find(kKnown, std::string_view{knob.key}) == kKnown.end())
      into.decline("The row's knob " + quoted(std::string_view{knob.key}) + " is not understood.");
  if (is_true(from, "compile")) compile_parts(row, into);
  into.inputs.implementation.communication_overlap = is_true(from, "async_tp");
  read_method(row, into);
  read_ladder(row, into);
}

bool matches(const Json& row) {
  const auto measured = row.find("measured");
  return text_of(row, "kind") == "training" && row.contains("model_id") && measured != row.end() && measured->is_object() && measured->contains("bytes_rounded");
}

void compare_row(const Json& row, std::vector<Comparison>& into) { compare_measured(inputs_of(row), text_of(row, "id"), into); }

} // namespace

MeasuredRow inputs_of(const Json& row) {
  MeasuredRow into;
  if (!row.is_object()) {
    into.decline("A row is an object, not " + quoted(row) + ".");
    return into;
  }
  const Json& measured = part(row, "measured");
  const std::string framework = text_of(part(row, "framework"), "name");
  const std::string method = text_of(part(row, "implementation"), "method");
  into.group = framework + (method.empty() ? "" : " " + letters_of(method));
  into.metric = text_of(measured, "metric");
  into.bytes = number_of(measured, "bytes_rounded");
  if (is_true(measured, "oom")) into.decline("Out of memory: the row has no figure.");
  if (!into.bytes || *into.bytes <= 0) into.decline("The row has no figure.");
  if (contains_word(into.metric, "reserved") && !contains_word(into.metric, "not stated")) into.counter = Counter::reserved;
  else if (contains_word(into.metric, "not stated")) into.assumed.push_back("The counter is torch's active bytes, not the reserved ones.");
  if (framework != "torchtitan" && framework != "torchtune" && framework != "litgpt") into.decline("No profile describes the framework " + quoted(std::string_view{framework}) + ".");
  into.profile = framework;
  read_device(text_of(part(row, "gpu"), "name"), into);
  read_model(row, into);
  read_strategy(row, into);
  read_workload(row, into);
  cut_torchtitan_pipeline(into);
  read_precision(row, into);
  read_implementation(row, into);
  return into;
}

} // namespace tables

Schema published_tables() { return {"published tables", tables::matches, tables::compare_row, tables::inputs_of}; }

} // namespace plimsoll::io::accuracy
