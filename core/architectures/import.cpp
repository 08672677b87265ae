#include "architectures/import.hpp"

#include "architectures/steps/steps.hpp"
#include "text/members.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io {

namespace {

/// Where multimodal files keep the language model.
constexpr const char* kNested[] = {"text_config", "llm_config", "language_config", "thinker_config"};

struct Part {
  const Json* object;
  std::string path;
};

/// The language model's part of the file; thinker_config has a text_config of its own.
Part language_part(const Json& file) {
  Part part{&file, ""};
  for (int depth = 0; depth < 2; ++depth) {
    const Json* inner = nullptr;
    for (const char* name : kNested) {
      const auto at = part.object->find(name);
      if (at == part.object->end() || !at->is_object()) continue;
      inner = &*at;
      part.path += (part.path.empty() ? "" : ".") + std::string{name};
      break;
    }
    if (inner == nullptr) break;
    part.object = inner;
  }
  return part;
}

void refuse(ImportedModel& imported, std::string field, std::string message, std::string remedy) {
  imported.issues.push_back({Severity::error, std::move(field), std::move(message), std::move(remedy)});
}

std::string nearest(const std::string& type) {
  std::vector<std::string> all;
  for (std::string_view name : covered_architectures()) all.emplace_back(name);
  return joined_with_or(most_similar(type, all, 4));
}

/// The inner type goes first; files whose outer type says how the inner is built (a type of vision-language models) come second.
const Family* read_family(const Json& file, const Part& part, const Overrides& overrides, ImportedModel& imported) {
  const std::string remedy = "If it is built like one of them, state architecture=llama or whichever it is; `plimsoll fields` tells more.";
  std::string type = overrides.architecture, path = "architecture";
  if (type.empty()) {
    path = part.path.empty() ? "model_type" : part.path + ".model_type";
    const auto inner = part.object->find("model_type"), outer = file.find("model_type");
    const bool has_inner = inner != part.object->end() && !inner->is_null();
    const Json* stated = has_inner ? &*inner : outer != file.end() && !outer->is_null() ? &*outer : nullptr;
    if (const std::string diffuser = stated == nullptr ? text_at(file, "_class_name") : ""; !diffuser.empty()) {
      refuse(imported, "_class_name", diffuser + " is a part of a pipeline that makes images or video by diffusion, which is not covered: only models of text, and what sees or hears beside them, are.",
             "Choose a language model, or an encoder such as CLIP or T5 of that pipeline by its own config.json.");
      return nullptr;
    }
    if (stated == nullptr) {
      refuse(imported, path, path + " is missing: without it the architecture is unknown.", "Add it to the file, or state architecture=llama or whichever it is.");
      return nullptr;
    }
    if (!stated->is_string()) {
      refuse(imported, path, path + " is " + quoted(*stated) + ", where a name is needed.", "Correct the value in the file.");
      return nullptr;
    }
    if (!has_inner) path = "model_type";
    type = stated->get<std::string>();
  }
  const Family* family = find_family(type);
  if (family == nullptr) {
    refuse(imported, path, path + " is " + quoted(std::string_view{type}) + ", an architecture that is not covered yet.",
           "Nearest by name are " + nearest(type) + ". " + remedy);
    return nullptr;
  }
  imported.architecture = type;
  imported.family = family->name;
  return family;
}

/// DeepSeek states the format of experts beside the quantisation, not in it.
std::string with_expert_dtype(Json quantization, const Json& config) {
  if (const std::string dtype = text_at(config, "expert_dtype"); !dtype.empty()) quantization["expert_dtype"] = dtype;
  return dump(quantization);
}

void keep_storage(const Json& file, const Part& part, ImportedModel& imported) {
  for (const Json* object : {&file, part.object}) {
    for (const char* name : {"quantization_config", "compression_config"})
      if (const auto at = object->find(name); at != object->end() && at->is_object()) imported.quantization_config = with_expert_dtype(*at, *object);
    for (const char* name : {"torch_dtype", "dtype"})
      if (const std::string dtype = text_at(*object, name); !dtype.empty()) imported.dtype = dtype;
  }
}

/// Stated facts that the family does not have must not pass in silence.
void report_unused(const Overrides& overrides, ImportedModel& imported) {
  for (const auto& [name, value] : overrides.facts) {
    const Field* field = find_field(name);
    if (field == nullptr || fact_index(*field) >= kMostFacts || imported.facts.known[fact_index(*field)]) continue;
    imported.issues.push_back({Severity::warning, name, std::string{label_of(*field)} + " has no effect on a model of the family " + imported.family + ".",
                               "Leave it out, or choose a model that has it."});
  }
}

/// One error for each place is enough: later steps stumble over the same.
void drop_repeated(Issues& issues) {
  Issues kept;
  for (Issue& issue : issues) {
    const bool repeated = std::ranges::any_of(kept, [&](const Issue& other) { return other.field == issue.field && other.message == issue.message; });
    if (!repeated) kept.push_back(std::move(issue));
  }
  issues = std::move(kept);
}

std::optional<Architecture> read_object(const Json& file, const Overrides& overrides, ImportedModel& imported) {
  const Part part = language_part(file);
  const Family* family = read_family(file, part, overrides, imported);
  if (family == nullptr) return std::nullopt;
  keep_storage(file, part, imported);

  ConfigReader read{*part.object, part.path, overrides, imported};
  Architecture architecture;
  architecture.id = "custom";
  architecture.name = family->name;
  ModelBuilder draft{read, *family, architecture, file};
  if (family->build != nullptr) family->build(draft);
  else build_decoder(draft);
  if (!has_errors(imported.issues) && family->finish != nullptr) family->finish(draft);
  if (!has_errors(imported.issues)) read_classifier(draft);
  if (!has_errors(imported.issues)) read_towers(draft);
  report_unused(overrides, imported);
  drop_repeated(imported.issues);
  if (has_errors(imported.issues)) return std::nullopt;
  return architecture;
}

} // namespace

std::optional<Architecture> read_architecture(std::string_view text, const Overrides& overrides, ImportedModel& imported) {
  const std::string whole = "Paste or drop the whole config.json of a model.";
  const ParsedJson parsed = parse_python_json(text);
  if (!parsed.ok) {
    const std::string syntax = "JSON takes keys and texts in double quotes, a comma between entries and none behind the last, and no comments. Paste or drop the whole file.";
    refuse(imported, "", text.empty() ? "The text is empty." : parsed.error, text.empty() ? whole : syntax);
    return std::nullopt;
  }
  if (!parsed.value.is_object()) {
    refuse(imported, "", "A config.json is an object, not " + quoted(parsed.value) + ".", whole);
    return std::nullopt;
  }
  return read_object(parsed.value, overrides, imported);
}

ImportedModel import_huggingface_config(std::string_view text, const Overrides& overrides) {
  ImportedModel imported;
  if (const auto architecture = read_architecture(text, overrides, imported)) imported.model = make_model(*architecture);
  return imported;
}

ImportedModel import_custom_model(const Overrides& overrides) {
  Overrides decoder = overrides;
  if (decoder.architecture.empty()) decoder.architecture = "decoder";
  ImportedModel imported;
  if (const auto architecture = read_object(Json::object(), decoder, imported)) imported.model = make_model(*architecture);
  return imported;
}

std::span<const std::string_view> custom_model_sizes() noexcept {
  static constexpr std::array<std::string_view, 7> kSizes{"hidden_size", "layers", "query_heads", "kv_heads", "head_dim", "intermediate_size", "vocab_size"};
  return kSizes;
}

} // namespace plimsoll::io
