// llama.cpp computes every pass in one buffer that the graph allocator sizes at the start for the largest graph: all tokens of a
// micro-batch through the output head, or through attention. ggml-org/llama.cpp, src/llama-context.cpp, graph_reserve.
#include "method/memory/latent_graph.hpp"
#include "method/memory/serving.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kTokens{"tokens", "tokens", "of one micro-batch", "prefill_tokens"};
constexpr SymbolText kVocab{"vocab", "logits", "of one token, in fp32; 0 where the host has the output head", "vocab_size"};
constexpr SymbolText kHidden{"hidden", "channels", "width of the model", "hidden_size"};
constexpr SymbolText kCells{"cells", "tokens", "of the cache that one token may attend to", "context_tokens"};

constexpr Formula kFused{[] { return FormulaText{
    .id = "memory.workspace.graph",
    .label = "Buffer of the largest graph",
    .unit = "bytes",
    .text = "4 * tokens * (vocab + hidden_copies * hidden)",
    .citation = "llama_cpp_graph",
    .basis = Basis::measured,
    .symbols = {{kTokens, kVocab, {"hidden_copies", "", "hidden states beside the logits: 1 or 2, by build", "profile"}, kHidden}}}; }};

constexpr Formula kScores{[] { return FormulaText{
    .id = "memory.workspace.graph_scores",
    .label = "Buffer of the largest graph",
    .unit = "bytes",
    .text = "4 * tokens * max(vocab + hidden_copies * hidden, 4 * hidden + cells * (1 + heads))",
    .citation = "llama_cpp_graph",
    .basis = Basis::measured,
    .symbols = {{kTokens,
                 kVocab,
                 {"hidden_copies", "", "hidden states beside the logits: 1 or 2, by build", "profile"},
                 kHidden,
                 kCells,
                 {"heads", "heads", "whose scores of a micro-batch exist at once", "query_heads"}}}}; }};

constexpr Formula kScratch{[] { return FormulaText{
    .id = "memory.workspace.scratch",
    .label = "Scratch buffer",
    .unit = "bytes",
    .text = "4 * tokens * max(vocab + hidden, 2 * channels + 2 * hidden + cells)",
    .citation = "llama_cpp_scratch",
    .basis = Basis::measured,
    .symbols = {{kTokens, kVocab, kHidden, {"channels", "channels", "of the MLP: gate and up", "intermediate_size"}, kCells}}}; }};

// ggml-org/llama.cpp, src/llama-context.cpp and src/llama-graph.cpp, build_attn_inp_kq_mask: what the graph reads stands in pinned memory of
// the host, the mask of scores in fp32. A log of GLM-Z1-32B shows 76.01 MiB for 512 tokens, 32,768 cells and a width of 6144.
constexpr Formula kInputs{[] { return FormulaText{.id = "memory.host.graph_inputs",
                          .label = "Inputs of the largest graph",
                          .unit = "bytes",
                          .text = "4 * tokens * (cells + hidden)",
                          .citation = "llama_cpp_graph",
                          .basis = Basis::measured,
                          .symbols = {{kTokens, kCells, kHidden}}}; }};

// src/llama-context.cpp, output_reserve: logits of as many positions as there are sequences.
constexpr Formula kOutputs{[] { return FormulaText{.id = "memory.host.graph_outputs",
                           .label = "Logits for the host",
                           .unit = "bytes",
                           .text = "4 * sequences * vocab",
                           .citation = "llama_cpp_graph",
                           .basis = Basis::published,
                           .symbols = {{{"sequences", "sequences", "of which each gets the logits of one position", "batch"}, kVocab}}}; }};

// Where several GPUs work one after the other, each input is there several times, so that one micro-batch can be written while another
// is read, and none of the copies is overwritten: ggml-org/llama.cpp, ggml/src/ggml-backend.cpp, ggml_backend_sched_split_graph. Without
// flash attention the buffer of the scores has one mask already. A log of Llama-3-8B over several GPUs shows 640 MiB in place of 560.
constexpr Formula kCopies{[] { return FormulaText{.id = "memory.workspace.input_copies",
                          .label = "Copies of the graph's inputs",
                          .unit = "bytes",
                          .text = "4 * tokens * (masks * cells + copies * hidden)",
                          .citation = "ggml_scheduler",
                          .basis = Basis::published,
                          .symbols = {{kTokens,
                                       {"masks", "", "copies of the mask that are not in the graph's buffer already", "flash_attention"},
                                       kCells,
                                       {"copies", "", "of the tokens' vectors", "profile"},
                                       kHidden}}}; }};

/// Cells of all sequences, in whole pages.
Count cells_of(const Scenario& scenario) noexcept {
  const Count page{scenario.serving.block_tokens};
  return Count{scenario.workload.batch} * (ceil_div(Count{scenario.workload.context_tokens}, page) * page);
}

/// The widest layer's query heads and MLP channels on this GPU.
struct Widest {
  Count heads, channels;
};

Widest widest_of(const Scenario& scenario, const Stage& stage) noexcept {
  Widest widest;
  for (const LayerGroup& group : scenario.model.groups) {
    if (stage.held(group) == Count{0}) continue;
    const LayerShare share = layer_share(group, scenario.strategy);
    widest.heads = max(widest.heads, share.query_heads);
    widest.channels = max(widest.channels, max(share.intermediate, group.moe.per_token * share.expert + share.shared));
  }
  return widest;
}

/// The group on this stage that has latent attention; null where none has, or where attention is not fused.
const LayerGroup* fused_latent(const Scenario& scenario, const Stage& stage) noexcept {
  if (scenario.serving.flash_attention != Switch::on || scenario.serving.latent_cache == LatentCache::expanded) return nullptr;
  for (const LayerGroup& group : scenario.model.groups)
    if (group.expands_vectors() && stage.held(group) > Count{0}) return &group;
  return nullptr;
}

} // namespace

std::optional<Term> input_copies(const Scenario& scenario) noexcept {
  const std::int64_t copies = scenario.profile.inference.input_copies.value;
  if (copies <= 1 || scenario.strategy.pipeline_parallel <= 1 || uses_host(scenario.strategy)) return std::nullopt;
  const Count cells = cells_of(scenario), tokens = min(Count{scenario.workload.prefill_tokens}, cells), h = scenario.model.hidden_size;
  const Count masks{scenario.serving.flash_attention == Switch::on ? copies : copies - 1};
  return make_term(kCopies, Count{4} * tokens * Bytes{(masks * cells + Count{copies} * h).value}, {tokens.value, masks.value, cells.value, copies, h.value});
}

Term graph_buffer(const Scenario& scenario, const Stage& stage) noexcept {
  const InferenceProfile& engine = scenario.profile.inference;
  const Count cells = cells_of(scenario);
  const Count tokens = min(Count{scenario.workload.prefill_tokens}, cells);
  const Count vocab = stage.has_head() && scenario.model.has_head ? scenario.model.vocab_size : Count{0}, h = scenario.model.hidden_size;
  const Widest widest = widest_of(scenario, stage);
  const Count each = Count{4} * tokens;
  if (engine.pass_buffers == PassBuffers::scratch)
    return make_term(kScratch, each * max(Bytes{(vocab + h).value}, Bytes{(Count{2} * widest.channels + Count{2} * h + cells).value}),
                     {tokens.value, vocab.value, h.value, widest.channels.value, cells.value});
  const auto buffer = [&](std::int64_t copies) {
    const Count outputs = vocab + Count{copies} * h;
    if (scenario.serving.flash_attention == Switch::on) return each * Bytes{outputs.value};
    return each * Bytes{max(outputs, Count{4} * h + cells * (Count{1} + widest.heads)).value};
  };
  const Constant& copies = engine.hidden_copies;
  Term term = scenario.serving.flash_attention == Switch::on
                  ? make_term(kFused, buffer(copies.value), {tokens.value, vocab.value, copies.value, h.value})
                  : make_term(kScores, buffer(copies.value), {tokens.value, vocab.value, copies.value, h.value, cells.value, widest.heads.value});
  term.low = buffer(copies.low).value;
  term.high = buffer(copies.high).value;
  if (const LayerGroup* const group = fused_latent(scenario, stage)) {
    const Term latent = latent_graph(scenario, *group, tokens, cells);
    if (latent.amount > term.amount) return latent;
  }
  return term;
}

Term graph_inputs(const Scenario& scenario) noexcept {
  const Count cells = cells_of(scenario), tokens = min(Count{scenario.workload.prefill_tokens}, cells), h = scenario.model.hidden_size;
  return make_term(kInputs, Count{4} * tokens * Bytes{(cells + h).value}, {tokens.value, cells.value, h.value});
}

Term graph_outputs(const Scenario& scenario) noexcept {
  const Count sequences{scenario.workload.batch}, vocab = scenario.model.vocab_size;
  return make_term(kOutputs, Count{4} * sequences * Bytes{vocab.value}, {sequences.value, vocab.value});
}

} // namespace plimsoll::memory
