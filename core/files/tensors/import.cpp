#include "files/tensors/assemble.hpp"
#include "files/tensors/ggml_types.hpp"
#include "files/tensors/gguf.hpp"
#include "files/tensors/recognise.hpp"
#include "files/tensors/report.hpp"
#include "files/tensors/safetensors.hpp"
#include "files/tensors/totals.hpp"
#include "plimsoll/files/tensor_file.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace plimsoll::io {

using namespace tensor_files;

namespace {

constexpr const char* kGiveConfig = "Import the model's config.json for what depends on it.";

/// "model-00002-of-00004.safetensors": where its two numbers stand, and the second of them.
struct Numbering {
  std::size_t number = 0, digits = 0, total = 0, total_digits = 0; ///< places and lengths
  std::int64_t files = 1;
};

std::optional<Numbering> numbering_of(std::string_view name) {
  const auto digit = [&](std::size_t i) { return i < name.size() && name[i] >= '0' && name[i] <= '9'; };
  constexpr std::string_view kOf = "-of-";
  const std::size_t at = name.rfind(kOf);
  if (at == name.npos || at == 0 || !digit(at - 1) || !digit(at + kOf.size())) return std::nullopt;
  Numbering numbering{.number = at, .total = at + kOf.size()};
  while (numbering.number > 0 && digit(numbering.number - 1)) --numbering.number, ++numbering.digits;
  while (digit(numbering.total + numbering.total_digits)) ++numbering.total_digits;
  constexpr std::size_t kMostDigits = 9;
  if (numbering.total_digits > kMostDigits) return std::nullopt;
  std::from_chars(name.data() + numbering.total, name.data() + numbering.total + numbering.total_digits, numbering.files);
  return numbering;
}

std::int64_t files_of(std::string_view name) {
  const std::optional<Numbering> numbering = numbering_of(name);
  return numbering ? std::max<std::int64_t>(1, numbering->files) : 1;
}

std::int64_t files_of(const GgufMetadata& metadata) { return metadata.number("split.count").value_or(1); }

/// Puts the parts of an import together, with what is wrong on the way.
class Importer {
public:
  /// `complete`: no file of the model is missing.
  Importer(ImportedTensors& imported, const GgufMetadata* metadata, bool complete) : imported_(imported), metadata_(metadata), complete_(complete) {}

  void run() {
    TensorFile& file = imported_.file;
    if (metadata_) read_identity();
    if (file.complete && file.kind != TensorFileKind::safetensors_index) read_tensors();
    imported_.issues = file.issues;
    const Issues own = report_.take();
    imported_.issues.insert(imported_.issues.end(), own.begin(), own.end());
  }

private:
  void read_identity() {
    constexpr std::int64_t kGuessed = 0x400; // llama.h: added to the number when the file did not state one
    imported_.architecture = shortened(metadata_->text("general.architecture"));
    const auto name = [&](std::string text) {
      if (!text.empty()) imported_.names.push_back(shortened(text));
    };
    name(std::string{metadata_->text("general.name")});
    for (const char* made_from : {"general.base_model.0.repo_url", "general.base_model.0.name"}) name(std::string{metadata_->text(made_from)});
    if (const std::string_view base = metadata_->text("general.basename"); !base.empty()) name(std::string{base} + " " + std::string{metadata_->text("general.size_label")});
    if (const auto type = metadata_->number("general.file_type")) imported_.file_type = ggml_file_type(*type % kGuessed);
  }

  void read_tensors() {
    const std::vector<LayerParts> parts = sort_into_layers(imported_.file);
    if (parts.size() > kMostLayers) {
      report_.error("", "The file has more than " + std::to_string(kMostLayers) + " layers.", "Give the file of one model.");
      return;
    }
    Packing packing = find_packing(parts);
    const GgufFacts gguf{metadata_ ? *metadata_ : no_metadata_};
    if (metadata_ && gguf.count("embedding_length") > Count{0}) packing.hidden_size = gguf.count("embedding_length").value;
    std::vector<FileLayer> layers = read_layers(parts, packing, metadata_ ? &gguf : nullptr, unknowns_, report_);
    const Module* embedding = nullptr;
    for (const FileLayer& layer : layers)
      if (layer.section == Section::outside && !embedding)
        embedding = find_module(layer.modules, TensorKind::embedding, "embed_tokens");
    const Count vocab = embedding ? embedding->tensor.rows : Count{0};
    if (packing.hidden_size == 0 && embedding) packing.hidden_size = embedding->tensor.columns.value;
    Model model = assemble_model(layers, Count{packing.hidden_size}, vocab);
    imported_.groups = list_groups(layers, model);
    count_parameters(layers, packing);
    if (imported_.file_type.empty()) imported_.file_type = packing.scheme;
    // A mixture without a known name goes by what most of it is, so that no other precision is put in its place.
    if (imported_.file_type.empty() && metadata_ && !imported_.file.by_dtype.empty()) imported_.file_type = imported_.file.by_dtype.front().dtype;
    if (is_whole(layers, gguf, embedding)) finish(std::move(model), layers, gguf);
  }

  void count_parameters(const std::vector<FileLayer>& layers, const Packing& packing) {
    Count active{0};
    for (const FileLayer& layer : layers)
      for (const Module& module : layer.modules) {
        const Count all = elements(module.tensor);
        if (!in_language_model(module.tensor.kind)) imported_.other_parameters += all;
        else imported_.parameters += all, active += active_elements(module.tensor);
      }
    if (!unknowns_.experts_used) imported_.active_parameters = active;
    if (packing.unsure)
      report_.warning("", "Some packed tensors do not tell how many numbers they hold; they were counted as they are stored.",
                      "Import the model's config.json for its parameters; the bytes here are exact.");
    if (!packing.scheme.empty()) fact("quantization", packing.scheme);
  }

  /// Whether the file holds a whole language model; a note says what is missing.
  bool is_whole(const std::vector<FileLayer>& layers, const GgufFacts& gguf, const Module* embedding) {
    if (has_errors(imported_.file.issues)) return false;
    std::int64_t count = 0, next = 0;
    bool in_order = true;
    std::string_view stack;
    for (const FileLayer& layer : layers) {
      if (layer.section != Section::layers) continue;
      if (layer.parts->stack != stack) stack = layer.parts->stack, next = 0;
      in_order = in_order && layer.parts->number == next++;
      ++count;
    }
    const Count stated = gguf.count("block_count"), predicting = gguf.count("nextn_predict_layers");
    const bool short_of = stated > Count{0} && count + predicting.value < stated.value && stack == "blk";
    if (!complete_ || !in_order || short_of) {
      report_.note("", "This is a part of a model: the figures are of this file alone.",
                   "Import all its files together, or the model's config.json.");
      return false;
    }
    if (count == 0 || !embedding || imported_.architecture == "clip") {
      report_.note("",
                   "The file holds no whole language model: " +
                       std::string{count == 0 ? "it has no layers." : "it has no token embedding."},
                   "Give the file with the language model, or its config.json, for an estimate.");
      return false;
    }
    return true;
  }

  void finish(Model model, const std::vector<FileLayer>& layers, const GgufFacts& gguf) {
    model.id = "custom";
    if (metadata_) model.name = shortened(metadata_->text("general.name"));
    model.max_context = gguf.count("context_length");
    model.tied_embeddings = true;
    bool caches = false;
    for (const LayerGroup& group : model.groups) caches = caches || group.attention.caches;
    for (const FileLayer& layer : layers)
      for (const Module& module : layer.modules) {
        if (layer.section != Section::outside && layer.section != Section::layers) continue;
        const Tensor& tensor = module.tensor;
        if (tensor.kind == TensorKind::head && tensor.name == "lm_head") model.tied_embeddings = false;
        if (tensor.name == "lm_head.bias") model.head_bias = true;
        if (tensor.name == "norm.bias") model.norm = NormKind::layernorm;
        if (tensor.name == "embed_positions") model.learned_positions = tensor.rows;
      }
    model.has_head = caches || !model.tied_embeddings; // an encoder gives vectors
    model.tied_embeddings = model.tied_embeddings && model.has_head;
    StoredWeights weights;
    weights.scheme = imported_.file_type.empty() ? "file" : imported_.file_type;
    if (assemble_weights(model, layers, weights)) imported_.weights = std::move(weights);
    imported_.formats = tensor_formats(layers, metadata_ != nullptr);
    report_unknowns(gguf);
    list_facts(model, gguf);
    imported_.model = std::move(model);
  }

  void report_unknowns(const GgufFacts& gguf) {
    if (unknowns_.heads)
      report_.note("",
                   "The tensors do not tell the number of heads; the width of keys and values is exact and stands as one head.",
                   kGiveConfig);
    if (unknowns_.experts_used)
      report_.warning("", "The tensors do not tell how many experts a token meets; all are taken to be met.", kGiveConfig);
    if (unknowns_.recurrence)
      report_.warning("", "The size of the recurrent state is not known from this file, and is left out.", kGiveConfig);
    if (metadata_) gguf.report_windows(report_);
  }

  void list_facts(const Model& model, const GgufFacts& gguf) {
    fact("hidden_size", model.hidden_size);
    fact("layers", Count{static_cast<std::int64_t>(model.pattern.size())});
    fact("vocab_size", model.vocab_size);
    if (model.max_context > Count{0}) fact("max_context", model.max_context);
    fact("tied_embeddings", std::string{model.tied_embeddings ? "true" : "false"});
    for (const LayerGroup& group : model.groups) {
      const std::string prefix = group.id.empty() ? "" : group.id + ".";
      const Attention& attention = group.attention;
      if (attention.query_heads > Count{0} && !unknowns_.heads) {
        fact(prefix + "query_heads", attention.query_heads);
        fact(prefix + "kv_heads", attention.kv_heads);
        fact(prefix + "head_dim", attention.head_dim);
      }
      if (attention.pattern != AttentionPattern::full) fact(prefix + "window", attention.window);
      if (group.latent.heads > Count{0}) fact(prefix + "latent_width", group.latent.kv_rank + group.latent.rope_dim);
      if (group.mlp.intermediate_size > Count{0}) fact(prefix + "intermediate_size", group.mlp.intermediate_size);
      if (group.moe.experts > Count{0}) {
        fact(prefix + "experts", group.moe.experts);
        if (!unknowns_.experts_used) fact(prefix + "experts_per_token", group.moe.per_token);
      }
      if (imported_.facts.size() > kMostFacts) return;
    }
    if (const Count rope = gguf.count("rope.dimension_count"); metadata_ && rope > Count{0}) fact("rope_dim", rope);
  }

  void fact(std::string key, std::string text) { imported_.facts.push_back({std::move(key), std::move(text)}); }
  void fact(std::string key, Count count) { fact(std::move(key), std::to_string(count.value)); }

  static constexpr std::size_t kMostFacts = 128;
  ImportedTensors& imported_;
  const GgufMetadata* metadata_;
  const GgufMetadata no_metadata_;
  bool complete_;
  Unknowns unknowns_;
  Report report_;
};

} // namespace

namespace {

/// Puts the tensors of further files behind those of the first.
void join(TensorFile& whole, TensorFile&& part) {
  whole.complete = whole.complete && part.complete;
  whole.need_more = whole.need_more || part.need_more;
  whole.header_bytes += part.header_bytes;
  std::ranges::move(part.tensors, std::back_inserter(whole.tensors));
  std::ranges::move(part.issues, std::back_inserter(whole.issues));
}

void count_anew(TensorFile& file) {
  Report report;
  file.by_dtype.clear();
  file.elements = Count{0};
  file.bytes = Bytes{0};
  if (!file.complete) file.tensors.clear();
  count_totals(file, report);
  report_duplicates(file, report);
  std::ranges::move(report.take(), std::back_inserter(file.issues));
}

ImportedTensors import_gguf(std::span<const ImportFile> files) {
  std::vector<Gguf> parts;
  for (const ImportFile& file : files) parts.push_back(read_gguf(file.bytes, file.file_size));
  // The first of them holds what is said of the model; the others say their number and little else.
  const auto states_model = [](const Gguf& part) { return !part.metadata.text("general.architecture").empty(); };
  if (const auto first = std::ranges::find_if(parts, states_model); first != parts.end()) std::swap(parts.front(), *first);
  ImportedTensors imported;
  imported.file = std::move(parts.front().file);
  for (std::size_t i = 1; i < parts.size(); ++i) join(imported.file, std::move(parts[i].file));
  if (parts.size() > 1) count_anew(imported.file);
  const GgufMetadata& metadata = parts.front().metadata;
  Importer{imported, &metadata, std::max(files_of(metadata), files_of(files.front().name)) == std::ssize(files)}.run();
  return imported;
}

ImportedTensors import_others(std::span<const ImportFile> files) {
  ImportedTensors imported;
  imported.file = read_tensor_file(files.front().bytes, files.front().file_size);
  for (const ImportFile& file : files.subspan(1)) join(imported.file, read_tensor_file(file.bytes, file.file_size));
  if (files.size() > 1) count_anew(imported.file);
  Importer{imported, nullptr, files_of(files.front().name) == std::ssize(files)}.run();
  return imported;
}

} // namespace

std::vector<std::string> shards_of(std::string_view path) {
  constexpr std::int64_t kMostFiles = 1000;
  const std::optional<Numbering> numbering = numbering_of(path);
  if (!numbering || numbering->files < 2 || numbering->files > kMostFiles) return {std::string{path}};
  std::vector<std::string> names;
  for (std::int64_t i = 1; i <= numbering->files; ++i) {
    std::string number = std::to_string(i);
    number.insert(0, numbering->digits - std::min(numbering->digits, number.size()), '0');
    names.push_back(std::string{path.substr(0, numbering->number)} + number + std::string{path.substr(numbering->number + numbering->digits)});
  }
  return names;
}

ImportedTensors import_tensor_files(std::span<const ImportFile> files) {
  if (files.empty()) return {};
  const Content kind = recognise(files.front().bytes);
  const bool alike = (kind == Content::gguf || kind == Content::safetensors) && std::ranges::all_of(files, [&](const ImportFile& file) { return recognise(file.bytes) == kind; });
  if (!alike) files = files.first(1);
  return kind == Content::gguf ? import_gguf(files) : import_others(files);
}

ImportedTensors import_tensor_file(std::string_view bytes, std::uint64_t file_size, std::string_view name) {
  const ImportFile one{bytes, file_size, name};
  return import_tensor_files({&one, 1});
}

} // namespace plimsoll::io
