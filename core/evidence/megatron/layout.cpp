// Pipeline layouts that are written out: --pipeline-model-parallel-layout (NVIDIA/Megatron-LM,
// megatron/core/transformer/pipeline_parallel_layer_layout.py) and cuts in the pattern of a hybrid model.
#include "evidence/megatron/parts.hpp"

#include <algorithm>
#include <optional>

namespace plimsoll::io::accuracy {

namespace {

constexpr std::size_t kMostParts = 10'000;

/// Repetitions written out: "t*2|(tt|)*2" becomes "tt|tt|tt|". Nothing when brackets do not match, or it is too long.
std::optional<std::string> written_out(std::string_view text) {
  std::string result;
  std::vector<std::size_t> open;    // where each bracket began in `result`
  std::size_t repeated_from = 0;    // what a following * repeats
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '\\' || letter == ' ' || letter == ',') continue; // a shell's escapes; spaces and commas are ignored
    if (letter == '(') {
      open.push_back(result.size());
    } else if (letter == ')') {
      if (open.empty()) return std::nullopt;
      repeated_from = open.back();
      open.pop_back();
    } else if (letter == '*') {
      std::size_t times = 0;
      const std::size_t digits = i + 1;
      while (i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9' && times <= kMostParts) times = times * 10 + static_cast<std::size_t>(text[++i] - '0');
      const std::string part = result.substr(repeated_from);
      if (i < digits || times == 0 || part.empty() || part.size() * times > kMostParts) return std::nullopt;
      for (std::size_t n = 1; n < times; ++n) result += part;
    } else {
      repeated_from = result.size();
      result += letter;
    }
    if (result.size() > kMostParts) return std::nullopt;
  }
  if (!open.empty()) return std::nullopt;
  return result;
}

} // namespace

std::vector<WrittenChunk> chunks_of_layout(std::string_view text) {
  if (text.size() > kMostParts) return {};
  const std::optional<std::string> parts = written_out(text);
  if (!parts || parts->empty()) return {};
  std::vector<WrittenChunk> chunks(1);
  for (const char letter : *parts) {
    WrittenChunk& chunk = chunks.back();
    if (letter == 'E') chunk.embedding = true;
    else if (letter == 't') ++chunk.layers;
    else if (letter == 'm') ++chunk.prediction_depths;
    else if (letter == 'L') chunk.loss = true;
    else if (letter == '|') chunks.push_back({.first_layer = chunk.first_layer + chunk.layers});
    else return {};
  }
  return chunks;
}

std::vector<WrittenChunk> chunks_of_pattern(std::string_view pattern) {
  const std::size_t end = std::min(pattern.find('/'), pattern.size());
  std::vector<WrittenChunk> chunks(1);
  chunks.front().embedding = true;
  for (const char letter : pattern.substr(0, end)) {
    if (letter == '|') chunks.push_back({.first_layer = chunks.back().first_layer + chunks.back().layers});
    else ++chunks.back().layers;
  }
  chunks.back().loss = true;
  return chunks;
}

void read_layout(MegatronDraft& draft) {
  MegatronFacts& facts = draft.out.facts;
  const Strategy& strategy = draft.out.inputs.strategy;
  const std::string text = draft.strategy.text("pipeline_layout");
  const std::string pattern = draft.model.inside("hybrid").text("pattern");
  if (draft.reading.failed()) return;
  if (!text.empty()) {
    facts.chunks = chunks_of_layout(text);
    if (facts.chunks.empty()) return draft.reading.refuse("strategy.pipeline_layout is " + quoted(std::string_view{text}) + ", which is no layout of layers.");
  } else if (pattern.find('|') != std::string::npos) {
    facts.chunks = chunks_of_pattern(pattern);
    facts.chunks.back().prediction_depths = facts.prediction_depths;
  } else {
    return;
  }
  const WrittenChunk& last = facts.chunks.back();
  if (static_cast<std::size_t>(last.first_layer + last.layers) != draft.out.inputs.model.pattern.size())
    draft.reading.refuse("The pipeline's chunks do not have model.layers layers.");
  const Count chunks{static_cast<std::int64_t>(facts.chunks.size())};
  const Count stages{strategy.pipeline_parallel};
  if (draft.out.inputs.strategy.virtual_stages == 1) draft.out.inputs.strategy.virtual_stages = max(ceil_div(chunks, stages), Count{1}).value;
  for (const WrittenChunk& chunk : facts.chunks) {
    draft.out.inputs.strategy.chunk_layers.push_back(chunk.layers);
    if (chunk.prediction_depths > 0 && !chunk.loss) draft.reading.refuse("Prediction depths away from the loss are not covered.");
  }
  if (Count{strategy.virtual_stages} * stages != chunks) draft.reading.refuse("The pipeline's chunks cannot be divided among its stages.");
}

} // namespace plimsoll::io::accuracy
