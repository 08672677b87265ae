// DeepSpeed's configuration (deepspeedai/DeepSpeed, docs/_pages/config-json.md; deepspeed/runtime/config.py, runtime/zero/config.py).
// "auto" is what transformers fills in from TrainingArguments (src/transformers/integrations/deepspeed.py).
#include "files/training/deepspeed.hpp"

#include "files/training/print.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace plimsoll::io::configs {

namespace {

class Reader {
public:
  Reader(Document& document, RequestBuilder& draft, std::string_view prefix) : document_(document), draft_(draft), prefix_(prefix) {}

  void run() {
    read_stage();
    read_offload();
    read_optimizer();
    read_buckets();
    if (alone()) read_precision();
    else read_formats_of_others();
    read_others();
    read_batches();
  }

private:
  bool alone() const { return prefix_.empty(); }
  std::string key(std::string_view name) const { return prefix_ + std::string{name}; }

  void read_stage() {
    static constexpr std::array<std::string_view, 4> kStages = {"none", "optimizer", "gradients", "parameters"};
    const Json* old = document_.peek(key("zero_optimization"));
    if (old != nullptr && old->is_boolean()) return draft_.set("sharding", document_.is_on(key("zero_optimization")) ? "optimizer" : "none");
    const auto stage = document_.whole(key("zero_optimization.stage"));
    if (!stage) return;
    if (*stage > 3) return document_.refuse(key("zero_optimization.stage"), "a stage from 0 to 3");
    draft_.set("sharding", kStages[static_cast<std::size_t>(*stage)]);
    draft_.set_above_one("secondary_group", document_.whole(key("zero_optimization.zero_hpz_partition_size")));
    if (const Json* group = document_.take(key("zero_optimization.mics_shard_size")); group != nullptr && *group != Json(-1))
      draft_.set_above_one("shard_group", document_.whole(key("zero_optimization.mics_shard_size")));
  }

  bool is_away(std::string_view section) {
    const std::string device = document_.text(key(std::string{section} + ".device"));
    return device == "cpu" || device == "nvme";
  }

  bool is_on_drives(std::string_view section) {
    const Json* const device = document_.peek(key(std::string{section} + ".device"));
    return device != nullptr && device->is_string() && device->text() == "nvme";
  }

  void read_offload() {
    const bool states = is_away("zero_optimization.offload_optimizer") || document_.is_on(key("zero_optimization.cpu_offload"));
    const bool weights = is_away("zero_optimization.offload_param") || document_.is_on(key("zero_optimization.cpu_offload_param"));
    if (weights || states) draft_.set("offload", weights ? "parameters" : "optimizer");
    const bool files = is_on_drives("zero_optimization.offload_optimizer"), weight_files = is_on_drives("zero_optimization.offload_param");
    if (files || weight_files) draft_.set("nvme", weight_files ? "parameters" : "optimizer");
    if (weight_files && !files)
      draft_.say(Severity::warning, "nvme", "Weights are on NVMe and optimizer states are not, which no input stands for: both are taken to be.", "Set nvme to none for states in the host's memory.");
    // offload_config.py: only this share of the states goes to the host (ZeRO-Offload++)
    if (const Json* ratio = document_.take(key("zero_optimization.offload_optimizer.ratio")); ratio != nullptr && *ratio != Json(1) && *ratio != Json(1.0))
      document_.differs(key("zero_optimization.offload_optimizer.ratio"), "1, which the estimate takes: all states go to the host");
    if (weights && !states)
      draft_.say(Severity::warning, "offload", "Weights are offloaded and optimizer states are not, which no input stands for: both are taken to be.", "Offload the optimizer too.");
  }

  /// deepspeed/runtime/engine.py, _configure_basic_optimizer: Adam and AdamW are the fused one, with torch_adam PyTorch's.
  void read_optimizer() {
    const std::string name_key = key("optimizer.type");
    const std::string type = lower_case(document_.text(name_key));
    if (type.empty()) {
      if (alone()) draft_.set_assumed("optimizer", "adamw_fused", "the program gives DeepSpeed its optimizer, and none is stated here");
      return;
    }
    if (type == "adam" || type == "adamw") return draft_.set("optimizer", document_.is_on(key("optimizer.params.torch_adam")) ? "adamw_foreach" : "adamw_fused");
    if (type == "lion") return draft_.set("optimizer", "lion");
    if (type == "muon") return draft_.set("optimizer", "muon");
    if (type == "sgd") {
      const Json* momentum = document_.take(key("optimizer.params.momentum"));
      return draft_.set("optimizer", momentum != nullptr && *momentum != Json(0) && *momentum != Json(0.0) ? "sgd_momentum" : "sgd");
    }
    if (type == "onebitadam" || type == "zerooneadam") return read_onebit(type == "onebitadam" ? "onebit_adam" : "zero_one_adam");
    document_.refuse(name_key, "Adam, AdamW, Lion, Muon, SGD, OneBitAdam or ZeroOneAdam");
  }

  /// deepspeed/runtime/fp16/onebit. 1-bit LAMB keeps a fused momentum and factors of layers besides.
  void read_onebit(std::string_view optimizer) {
    draft_.set("optimizer", optimizer);
    if (draft_.has("sharding") && draft_.text("sharding") != "none")
      return draft_.refuse(key("optimizer.type"), document_.text(key("optimizer.type")) + " does not work with ZeRO: DeepSpeed stops (deepspeed/runtime/engine.py).", "Set the stage to 0, or name another optimizer.");
    draft_.say(Severity::note, key("optimizer.type"), "Time is that of steps which exchange whole gradients; memory has the errors that steps behind the freeze keep.", "Take the exchange of gradients off the time where only signs are sent.");
  }

  /// Sizes that say what the profile has change nothing, and those of another stage have no effect; "auto" is the profile of the Trainer,
  /// whose buckets follow the model's width. `field` is the input that a size is, where there is one; 0 there is the framework's own, so
  /// that 1 stands for nothing.
  void read_buckets() {
    constexpr std::int64_t kBillion = 1'000'000'000;
    struct Size {
      std::string_view key;
      std::int64_t usual;
      std::string_view field;
      bool divided; ///< of stage 3 only
    };
    static constexpr std::array kSizes{Size{"reduce_bucket_size", 500'000'000, "reduce_bucket_size", false},
                                       Size{"allgather_bucket_size", 500'000'000, "", false},
                                       Size{"stage3_prefetch_bucket_size", 50'000'000, "prefetch_bucket_size", true},
                                       Size{"prefetch_bucket_size", 50'000'000, "prefetch_bucket_size", true},
                                       Size{"stage3_param_persistence_threshold", 100'000, "param_persistence_threshold", true},
                                       Size{"param_persistence_threshold", 100'000, "param_persistence_threshold", true},
                                       Size{"sub_group_size", kBillion, "sub_group_size", true},
                                       Size{"stage3_max_live_parameters", kBillion, "", true},
                                       Size{"stage3_max_reuse_distance", kBillion, "", true},
                                       Size{"max_live_parameters", kBillion, "", true},
                                       Size{"max_reuse_distance", kBillion, "", true}};
    for (const char* name : {"zero_optimization.contiguous_gradients", "zero_optimization.memory_efficient_linear"})
      if (document_.truth(key(name)) == false) document_.differs(key(name), "true, which the estimate takes");
    const std::string sharding{draft_.text("sharding")};
    const bool divided = sharding == "parameters", divides = divided || sharding == "gradients" || sharding == "optimizer";
    // On by itself where weights are divided, and there it takes no second bucket.
    if (const auto overlap = document_.truth(key("zero_optimization.overlap_comm")); overlap && divides && !divided) draft_.set("overlap_comm", *overlap ? "on" : "off");
    bool automatic = false;
    for (const Size& size : kSizes) {
      const std::string name = key("zero_optimization." + std::string{size.key});
      if (document_.is_auto(name)) {
        automatic = true;
        continue;
      }
      const auto stated = document_.whole(name);
      if (!stated || *stated == size.usual || (size.divided && !divided)) continue;
      if (!size.field.empty() && divides && *stated >= 0) draft_.set(size.field, std::max<std::int64_t>(*stated, 1));
      else document_.differs(name, std::to_string(size.usual) + ", which the estimate takes: buffers of another size weigh more or less");
    }
    if (alone()) draft_.set("profile", automatic ? "hf_trainer" : "deepspeed");
  }

  void read_precision() {
    if (document_.is_auto(key("bf16.enabled")) || document_.is_auto(key("fp16.enabled"))) {
      const bool bf16 = document_.has(key("bf16.enabled"));
      document_.is_auto(key("fp16.enabled"));
      if (document_.peek(key("bf16.enabled")) == nullptr || document_.is_auto(key("bf16.enabled")) || !document_.is_on(key("bf16.enabled")))
        return draft_.set_assumed("precision", bf16 ? "master_bf16" : "master_fp16", "\"auto\" is what TrainingArguments say; it is taken to be on");
    }
    if (document_.any_on({key("bf16.enabled"), key("bfloat16.enabled")})) draft_.set("precision", "master_bf16");
    else if (document_.is_on(key("fp16.enabled"))) draft_.set("precision", "master_fp16");
    else draft_.set_assumed("precision", "fp32", "neither bf16 nor fp16 is enabled");
    const std::string format = document_.text(key("data_types.grad_accum_dtype"));
    if (!format.empty()) draft_.set("gradient_dtype", format == "fp32" ? "fp32" : "half");
  }

  /// The Trainer's bf16 and fp16 must agree with DeepSpeed's, which therefore say nothing new.
  void read_formats_of_others() {
    for (const char* name : {"bf16.enabled", "fp16.enabled"})
      if (!document_.is_auto(key(name))) document_.truth(key(name));
    const std::string format = document_.text(key("data_types.grad_accum_dtype"));
    if (!format.empty()) draft_.set("gradient_dtype", format == "fp32" ? "fp32" : "half");
  }

  std::optional<std::int64_t> size_of(std::string_view name, bool& automatic) {
    if (document_.is_auto(key(name))) {
      automatic = true;
      return std::nullopt;
    }
    return document_.whole(key(name));
  }

  void read_batches() {
    bool automatic = false;
    const auto all = size_of("train_batch_size", automatic), micro = size_of("train_micro_batch_size_per_gpu", automatic),
               steps = size_of("gradient_accumulation_steps", automatic);
    if (!alone()) return;
    draft_.set_if("batch", micro);
    draft_.set_if("micro_batches", steps);
    if (automatic) draft_.assume("Batches that are \"auto\" are the launcher's: batch and micro_batches say them.");
    if (all && micro && steps) return divide(*all, *micro * *steps, "the micro-batch and the accumulation", "data_parallel");
    draft_.miss_gpus(); // the launcher's, and what is not stated follows from them
    const auto replicas = whole_number(draft_.text("data_parallel"));
    if (all && !automatic && replicas) divide(*all, *replicas * (micro ? *micro : steps.value_or(1)), "what is stated of the micro-batch, the accumulation and the replicas", micro ? "micro_batches" : "batch");
  }

  /// deepspeed/runtime/config.py, _set_batch_related_parameters: train_batch_size is the product of three numbers.
  void divide(std::int64_t all, std::int64_t others, std::string_view of_what, std::string_view field) {
    if (others <= 0 || all % others != 0) return document_.refuse(key("train_batch_size"), "a multiple of " + std::string{of_what});
    draft_.set(field, all / others);
  }

  void read_others() {
    draft_.set_above_one("tensor_parallel", document_.whole(key("tensor_parallel.autotp_size")));
    if (const auto group = document_.whole(key("sequence_parallel_size")); group && *group > 1) {
      draft_.set("context_parallel", *group);
      draft_.set("context_method", "ulysses");
    }
    if (alone()) draft_.miss_model("DeepSpeed's configuration");
    if (alone()) draft_.say(Severity::note, "context_tokens", "DeepSpeed's configuration does not say how long sequences are.", "Set context_tokens.");
  }

  Document& document_;
  RequestBuilder& draft_;
  std::string prefix_;
};

bool recognises(const Document& document) {
  for (const char* key : {"zero_optimization", "train_micro_batch_size_per_gpu", "zero_allow_untested_optimizer", "train_batch_size", "bf16.enabled", "fp16.enabled"})
    if (document.has(key)) return true;
  return false;
}

void read(Document& document, RequestBuilder& draft) { read_deepspeed(document, draft, ""); }

void write(const Source& source, Json& tree) { write_deepspeed_sizes(source, tree, source.answer.profile_id == "hf_trainer"); }

void write_optimizer(const Source& source, Json& tree) {
  const std::string optimizer = source.text("optimizer");
  const bool adam = optimizer == "adamw_fused" || optimizer == "adamw_foreach";
  const std::string_view type = adam ? "AdamW" : optimizer == "onebit_adam" ? "OneBitAdam" : optimizer == "zero_one_adam" ? "ZeroOneAdam" : optimizer == "lion" ? "Lion" : optimizer == "muon" ? "Muon" : optimizer.starts_with("sgd") ? "SGD" : "";
  if (type.empty()) return;
  put(tree, "optimizer.type", type);
  if (optimizer == "adamw_foreach") put(tree, "optimizer.params.torch_adam", true);
  if (optimizer == "sgd_momentum") put(tree, "optimizer.params.momentum", 0.9);
}

} // namespace

/// A path to DeepSpeed's configuration says little, most often the stage.
static void guess_by_name(RequestBuilder& draft, const std::string& path) {
  const std::string name = lower_case(path);
  for (const auto& [signs, sharding] : {std::pair{"z1 zero1 stage1 zero_1 stage_1", "optimizer"}, std::pair{"z2 zero2 stage2 zero_2 stage_2", "gradients"},
                                        std::pair{"z3 zero3 stage3 zero_3 stage_3", "parameters"}})
    for (const std::string& sign : split_list(signs))
      if (name.find(sign) != std::string::npos) {
        draft.set_assumed("sharding", sharding, "the name of DeepSpeed's configuration file says so");
        if (name.find("offload") != std::string::npos) draft.set_assumed("offload", "optimizer", "the name of DeepSpeed's configuration file says so");
        return;
      }
  draft.say(Severity::warning, "deepspeed", "DeepSpeed's configuration stands in another file, " + quoted(std::string_view{path}) + ".", "Import that file too.");
}

bool read_deepspeed_path(Document& document, RequestBuilder& draft) {
  const std::string path = document.text("deepspeed");
  if (path.empty()) return false;
  if (const auto truth = truth_word(path)) return *truth; // a switch of somebody's own script
  guess_by_name(draft, path);
  return true;
}

void read_deepspeed(Document& document, RequestBuilder& draft, std::string_view prefix) { Reader{document, draft, prefix}.run(); }

void write_deepspeed_sizes(const Source& source, Json& tree, bool automatic) {
  const Strategy& strategy = source.strategy();
  if (automatic) {
    for (const char* key : {"train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"}) tree[key] = "auto";
  } else {
    const Count all = Count{source.workload().batch} * (Count{source.workload().micro_batches} * Count{strategy.data_parallel});
    tree["train_batch_size"] = all.value;
    tree["train_micro_batch_size_per_gpu"] = source.workload().batch;
    tree["gradient_accumulation_steps"] = source.workload().micro_batches;
  }
  const bool bf16 = strategy.precision == Precision::master_bf16 || strategy.precision == Precision::bf16 || strategy.precision == Precision::mixed_bf16 || strategy.precision == Precision::sharded_bf16;
  const bool fp16 = strategy.precision == Precision::master_fp16 || strategy.precision == Precision::mixed_fp16;
  if (bf16) put(tree, "bf16.enabled", true);
  if (fp16) put(tree, "fp16.enabled", true);
  if (strategy.gradient_dtype != GradientDtype::profile) put(tree, "data_types.grad_accum_dtype", strategy.gradient_dtype == GradientDtype::fp32 ? "fp32" : bf16 ? "bf16" : "fp16");
  put(tree, "zero_optimization.stage", static_cast<int>(strategy.sharding));
  if (automatic) put(tree, "zero_optimization.reduce_bucket_size", "auto");
  else if (strategy.reduce_bucket_size > 0) put(tree, "zero_optimization.reduce_bucket_size", strategy.reduce_bucket_size);
  if (strategy.overlap_comm != Switch::profile) put(tree, "zero_optimization.overlap_comm", strategy.overlap_comm == Switch::on);
  if (strategy.prefetch_bucket_size > 0) put(tree, "zero_optimization.stage3_prefetch_bucket_size", strategy.prefetch_bucket_size);
  if (strategy.param_persistence_threshold > 0) put(tree, "zero_optimization.stage3_param_persistence_threshold", strategy.param_persistence_threshold);
  if (strategy.sub_group_size > 0) put(tree, "zero_optimization.sub_group_size", strategy.sub_group_size);
  if (strategy.offload != Offload::none) put(tree, "zero_optimization.offload_optimizer.device", strategy.nvme == Nvme::none ? "cpu" : "nvme");
  if (strategy.offload == Offload::parameters) put(tree, "zero_optimization.offload_param.device", strategy.nvme == Nvme::parameters ? "nvme" : "cpu");
  if (strategy.secondary_group > 1) put(tree, "zero_optimization.zero_hpz_partition_size", strategy.secondary_group);
  if (strategy.shard_group > 1) put(tree, "zero_optimization.mics_shard_size", strategy.shard_group);
  if (!automatic) write_optimizer(source, tree);
  if (strategy.tensor_parallel > 1) put(tree, "tensor_parallel.autotp_size", strategy.tensor_parallel);
  if (strategy.context_parallel > 1 && strategy.context_method == ContextMethod::ulysses) put(tree, "sequence_parallel_size", strategy.context_parallel);
}

const Format& deepspeed() noexcept {
  static const Format kFormat{.id = "deepspeed",
                              .name = "DeepSpeed",
                              .source = "deepspeedai/DeepSpeed, docs/_pages/config-json.md and deepspeed/runtime/zero/config.py",
                              .syntax = Syntax::json,
                              .recognises = recognises,
                              .read = read,
                              .write = write,
                              .harmless = deepspeed_harmless(),
                              .effects = deepspeed_effects()};
  return kFormat;
}

} // namespace plimsoll::io::configs
