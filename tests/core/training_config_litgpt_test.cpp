// LitGPT's recipes, and that one key alone makes no format.
#include "plimsoll/files/training_config.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>

using namespace plimsoll;

namespace {

io::TrainingConfig read(std::string_view text) { return io::read_training_config(test::catalog(), text); }

std::string field(const io::TrainingConfig& config, std::string_view name) {
  const std::string* const text = config.request.find(name);
  return text == nullptr ? "" : *text;
}

const std::string kRecipe = "checkpoint_dir: checkpoints/meta-llama/Llama-2-7b-hf\nout_dir: out\nprecision: bf16-true\nnum_nodes: 1\n"
                            "data:\n  class_path: litgpt.data.Alpaca2k\n  init_args:\n    seed: 42\n"
                            "train:\n  global_batch_size: 8\n  micro_batch_size: 2\n  max_seq_length: 512\n  epochs: 4\n"
                            "eval:\n  interval: 100\nlogger_name: csv\noptimizer:\n  class_path: torch.optim.AdamW\n  init_args:\n    lr: 0.0002\n";
const std::string kAdapters = "lora_r: 32\nlora_alpha: 16\nlora_dropout: 0.05\nlora_query: true\nlora_key: false\nlora_value: true\nlora_projection: false\nlora_mlp: false\nlora_head: false\n";

} // namespace

TEST_CASE("LitGPT: adapters") {
  const io::TrainingConfig config = read(kRecipe + kAdapters + "devices: 1\nquantize:\n");
  REQUIRE(config.ok);
  CHECK(config.format == "litgpt");
  CHECK(config.unread.empty());
  CHECK(field(config, "task") == "finetune");
  CHECK(field(config, "profile") == "litgpt");
  CHECK(field(config, "model") == "llama-2-7b");
  CHECK(field(config, "tied_embeddings") == "false");
  CHECK(field(config, "method") == "lora");
  CHECK(field(config, "rank") == "32");
  CHECK(field(config, "targets") == "qv");
  CHECK(field(config, "adapter_dropout") == "true");
  CHECK(field(config, "optimizer") == "adamw_foreach");
  CHECK(field(config, "micro_batches") == "4");
  CHECK(field(config, "context_tokens") == "512");
  CHECK(field(config, "sharding").empty());
}

TEST_CASE("LitGPT: quantised weights bring another optimizer, and their head is quantised too") {
  const io::TrainingConfig config = read(kRecipe + "lora_r: 8\nlora_key: true\nlora_projection: true\nlora_mlp: true\nlora_head: true\nlora_dropout: 0\nquantize: bnb.nf4-dq\n");
  REQUIRE(config.ok);
  CHECK(field(config, "weight_dtype") == "nf4_double_quant");
  CHECK(field(config, "quantised_head") == "true");
  CHECK(field(config, "optimizer") == "paged_adamw");
  CHECK(field(config, "targets") == "q,k,v,o,gate,up,down,mixer,head"); // all linear maps, and the head
  CHECK(field(config, "adapter_dropout") == "false");
  CHECK(!read(kRecipe + kAdapters + "quantize: bnb.nf5\n").ok);
  CHECK(!read(kRecipe + kAdapters + "precision: 8-true\n").ok);
}

TEST_CASE("LitGPT: whole models on several GPUs, and pre-training") {
  const io::TrainingConfig whole = read(kRecipe + "devices: 4\n");
  CHECK(field(whole, "method") == "full");
  CHECK(field(whole, "sharding") == "parameters");
  CHECK(field(whole, "data_parallel") == "4");
  CHECK(field(whole, "recompute") == "full");
  CHECK(field(whole, "loss") == "chunked");
  const io::TrainingConfig pretrain = read("model_name: tiny-llama-1.1b\nmodel_config:\nout_dir: out\nprecision: bf16-mixed\ninitial_checkpoint_dir:\nresume: false\ndata: TinyLlama\n"
                                           "train:\n  global_batch_size: 512\n  micro_batch_size: 4\n  max_seq_length: 2048\n  lr_warmup_steps: 2000\neval:\n  interval: 1000\ndevices: auto\ntokenizer_dir: a\nlogger_name: csv\n");
  REQUIRE(pretrain.format == "litgpt");
  CHECK(pretrain.ok);
  CHECK(pretrain.asks_gpus);
  CHECK(field(pretrain, "task") == "pretrain");
  CHECK(field(pretrain, "precision") == "mixed_bf16");
  CHECK(field(pretrain, "norms") == "compiled");
  CHECK(field(pretrain, "optimizer") == "adamw_fused");
}

TEST_CASE("one key alone makes no format") {
  for (const char* text : {"train:\n  micro_batch_size: 4\n", "trainer:\n  devices: 8\n", "data:\n  micro_batch_size: 2\n  path: x\n", "train.micro_batch_size=4"}) {
    INFO(text);
    CHECK(!io::is_training_config(text));
  }
  CHECK(read("model.tensor_model_parallel_size=2 model.micro_batch_size=1").format == "nemo");
}
