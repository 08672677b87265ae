// Megatron-LM's launch (NVIDIA/Megatron-LM, examples/gpt3 and megatron/training/arguments.py): torchrun and a script with arguments, as people
// paste them, shell variables and lists included.
#include "files/training/format.hpp"
#include "files/training/megatron_shared.hpp"

namespace plimsoll::io::configs {

namespace {

bool recognises(const Document& document) {
  int signs = 0;
  for (const char* key : {"tensor-model-parallel-size", "pipeline-model-parallel-size", "num-layers", "hidden-size", "num-attention-heads", "micro-batch-size", "global-batch-size",
                          "seq-length", "use-distributed-optimizer", "max-position-embeddings", "ffn-hidden-size", "transformer-impl"})
    signs += document.has(key) ? 1 : 0;
  return signs >= 2;
}

void read(Document& document, RequestBuilder& draft) {
  draft.set("task", "pretrain");
  draft.set("profile", "megatron");
  read_megatron(document, draft, MegatronDialect::arguments);
  if (!read_megatron_model(document, draft, MegatronDialect::arguments)) draft.miss_model("The command line");
}

void write(const Source& source, Json& tree) {
  const Count gpus = source.answer.estimate.gpus;
  const std::int64_t local = gpus > Count{8} && gpus.value % 8 == 0 ? 8 : gpus.value;
  tree["nproc-per-node"] = local;
  tree["nnodes"] = gpus.value / local;
  write_megatron_model(source, tree, MegatronDialect::arguments);
  write_megatron(source, tree, MegatronDialect::arguments);
}

} // namespace

const Format& megatron() noexcept {
  static const Format kFormat{.id = "megatron",
                              .name = "Megatron-LM",
                              .source = "NVIDIA/Megatron-LM, megatron/training/arguments.py",
                              .syntax = Syntax::arguments,
                              .recognises = recognises,
                              .read = read,
                              .write = write,
                              .harmless = megatron_harmless(),
                              .effects = megatron_effects()};
  return kFormat;
}

} // namespace plimsoll::io::configs
