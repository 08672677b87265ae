#include "request/meaning.hpp"

#include "plimsoll/catalog/names.hpp"
#include "plimsoll/method/composition.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/text/other_names.hpp"
#include "text/json.hpp"
#include "text/plain_values.hpp"
#include "text/value.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

class Reader {
public:
  Reader(const Catalog& catalog, Issues& notes) : catalog_(catalog), notes_(notes) {}

  Request read(const Request& request) && {
    for (const Entry& entry : request.entries()) take(entry);
    read_rank();
    read_tokens();
    read_gpus();
    read_device();
    read_profile();
    for (const Entry& entry : request_.entries())
      if (role_of(entry.name)) read_model(entry.name);
    read_model("model");
    read_weights();
    return std::move(request_);
  }

private:
  [[gnu::cold]] void note(Severity severity, std::string_view field, std::string message, std::string remedy) {
    notes_.push_back({severity, std::string{field}, std::move(message), std::move(remedy)});
  }

  void take(const Entry& entry) {
    const std::string_view other = same_as(entry.name);
    const std::string name = spelled(entry.name);
    const Field* const field = find_field(other.empty() ? std::string_view{name} : other);
    const std::string own{field != nullptr ? field->name : other.empty() ? std::string_view{entry.name} : other};
    std::string text = field != nullptr && field->decimals > 0 ? in_own_unit(*field, name, entry.text) : entry.text;
    if (field != nullptr && field->kind == FieldKind::choice) text = in_own_choice(*field, text);
    if (own == "task") text = task_of(text);
    if (own == "method") text = method_of(name, text);
    if (const std::string* const earlier = request_.find(own); earlier != nullptr && *earlier != text)
      note(Severity::warning, own, quoted(std::string_view{own}) + " is stated twice, as " + quoted(std::string_view{*earlier}) + " and as " + quoted(std::string_view{text}) + "; the last counts.",
           "Keep one of them.");
    if (own != "config" || !trimmed(text).empty()) request_.set(own, text); // an empty box is no model's config
  }

  /// Thousandths, as earlier versions wrote them: by the former name, or where no value of today is that large.
  std::string in_own_unit(const Field& field, std::string_view name, const std::string& text) {
    const std::optional<std::int64_t> number = whole_number(trimmed(text));
    if (field.name == "rollout_ahead" && flag_of(text)) return *flag_of(text) ? "1" : "0"; // a flag in earlier versions
    const bool is_former = name == field.former && name != field.name;
    const bool is_too_large = field.name == field.former && number && *number > field.max / 1000 && *number <= field.max * 100;
    if (!number || (!is_former && !is_too_large)) return text;
    std::string own = text_of(field, *number);
    if (is_too_large && !is_former)
      note(Severity::warning, field.name, std::string{label_of(field)} + " is " + quoted(std::string_view{text}) + ", which is taken for thousandths, as earlier versions wrote them: " + own + " " + std::string{field.unit} + ".",
           "Write " + own + ".");
    return own;
  }

  /// ZeRO's stages, on and off, an optimizer's name elsewhere: where another tool's value means one of ours.
  std::string in_own_choice(const Field& field, const std::string& text) {
    const std::string_view meant = meant_by_choice(field.name, trimmed(text));
    if (find_choice(field, lower_case(trimmed(text))) != nullptr || find_choice(field, meant) == nullptr) return text;
    note(Severity::note, field.name, quoted(std::string_view{text}) + " is taken for " + std::string{meant} + ".", "State " + std::string{field.name} + " where another is meant.");
    return std::string{meant};
  }

  /// Where a way of fine-tuning is given as the task: "qlora", "dpo", "grpo".
  std::string task_of(const std::string& text) {
    const std::string typed = lower_case(trimmed(text));
    for (const std::string_view field : {"method", "preference"}) {
      const bool is_way = find_choice(*find_field(field), typed) != nullptr || (field == "method" && typed == "qlora");
      if (!is_way || typed == "none") continue;
      note(Severity::note, "task", quoted(std::string_view{text}) + " is taken for a fine-tuning with " + std::string{field} + " " + typed + ".", "State task and " + std::string{field} + " where another is meant.");
      const std::string way = field == "method" ? method_of("method", typed) : typed;
      if (request_.find(field) == nullptr) request_.set(field, way);
      return "finetune";
    }
    return text;
  }

  /// "lora" switched on is that method. QLoRA (arXiv 2305.14314) is LoRA on weights in NF4.
  std::string method_of(const std::string& name, const std::string& text) {
    const std::optional<bool> on = name == "lora" || name == "qlora" ? flag_of(text) : std::nullopt;
    const std::string method = !on ? lower_case(trimmed(text)) : *on ? name : "full";
    if (method != "qlora") return on ? method : text;
    if (request_.find("weight_dtype") == nullptr) request_.set("weight_dtype", "nf4");
    return "lora";
  }

  /// Servers have slots of a largest rank; where an adapter trains, its rank is meant.
  void read_rank() {
    const std::string* const typed = request_.find("lora_rank");
    if (typed == nullptr || !is_training() || request_.find("rank") != nullptr) return;
    request_.set("rank", std::string{*typed});
    request_.erase("lora_rank");
  }

  /// Tokens of a whole job, by what the job is; of a server they might be those of a sequence.
  void read_tokens() {
    const std::string* const typed = request_.find("tokens");
    if (typed == nullptr || !is_training()) return;
    const std::string_view own = task() == "pretrain" ? "train_tokens" : "dataset_tokens";
    if (request_.find(own) != nullptr) return;
    request_.set(own, std::string{*typed});
    request_.erase("tokens");
  }

  /// Programs by other names; a word that names one for training and one for serving means the one that does the task.
  void read_profile() {
    const std::string* const typed = request_.find("profile");
    if (typed == nullptr) return;
    const std::string text{trimmed(*typed)};
    const std::vector<const Catalog::ProfileRow*> named = profiles_named(catalog_, text);
    const bool training = is_training();
    const auto suiting = std::ranges::find_if(named, [&](const Catalog::ProfileRow* row) { return training ? row->for_training : row->for_inference; });
    if (named.empty()) return;
    const Catalog::ProfileRow& row = suiting != named.end() ? **suiting : *named.front();
    if (row.id == lower_case(text)) return;
    request_.set("profile", row.id);
    if (std::ranges::find(row.called, lower_case(text)) != row.called.end())
      note(Severity::note, "profile", quoted(std::string_view{text}) + " is taken for " + row.name + ".", "`plimsoll catalog profiles` lists others.");
  }

  std::string task() const {
    const std::string* const stated = request_.find("task");
    return stated != nullptr ? lower_case(trimmed(*stated)) : "inference";
  }
  bool is_training() const { return task() == "finetune" || task() == "pretrain"; }

  /// "16xH100" as the number of GPUs tells the device too.
  void read_gpus() {
    const std::string* const typed = request_.find("gpus");
    if (typed == nullptr) return;
    const std::string text = *typed;
    const NamedDevice named = device_named(catalog_, text);
    if (named.count == 0 || (named.row == nullptr && named.candidates.empty())) return;
    if (const std::string* const device = request_.find("device"); device != nullptr && device_named(catalog_, *device).row != named.row)
      note(Severity::error, "device", "device is " + quoted(std::string_view{*device}) + ", and gpus is " + quoted(std::string_view{text}) + ".", "State the device once.");
    request_.set("gpus", std::to_string(named.count));
    request_.set("device", text);
  }

  void read_device() {
    const std::string* const typed = request_.find("device");
    if (typed == nullptr) return;
    const std::string text = *typed;
    const NamedDevice named = device_named(catalog_, text);
    if (named.row == nullptr) return;
    if (catalog_.find_device(text) == nullptr || !named.candidates.empty()) request_.set("device", named.row->hardware.id);
    if (named.count > 0) {
      const std::string count = std::to_string(named.count);
      if (const std::string* const gpus = request_.find("gpus"); gpus != nullptr && *gpus != count)
        note(Severity::error, "gpus", "gpus is " + quoted(std::string_view{*gpus}) + ", and the device is " + quoted(std::string_view{text}) + ".", "State the number once.");
      request_.set("gpus", count);
    }
    if (named.candidates.empty()) return;
    std::vector<std::string> others;
    for (const DeviceRow* const row : named.candidates) others.push_back(row->hardware.id);
    note(Severity::note, "device", quoted(std::string_view{text}) + " is taken for " + named.row->hardware.name + ".", "Write " + joined_with_or(others) + " where yours is that.");
  }

  bool is_ollama() const {
    const std::string* const profile = request_.find("profile");
    return profile != nullptr && lower_case(trimmed(*profile)) == "ollama";
  }

  /// Ollama adds the tag "latest" to a bare name; elsewhere the bare name is the model's own.
  NamedModel named(const std::string& text) const {
    if (is_ollama() && text.find(':') == std::string::npos && text.find('/') == std::string::npos) {
      NamedModel latest;
      latest.row = catalog_.find_model(text);
      if (latest.row != nullptr && latest.row->id == text) return latest; // as the page writes it
      latest.row = catalog_.find_model(text + ":latest");
      if (latest.row != nullptr) return latest;
    }
    return model_named(catalog_, text);
  }

  void read_model(std::string_view name) {
    const std::string* const typed = request_.find(name);
    if (typed == nullptr) return;
    const std::string text{trimmed(*typed)};
    if (text.empty() || lower_case(text) == kCustomModel) return;
    const NamedModel model = named(text);
    if (model.row == nullptr) return;
    if (catalog_.find_model(text) == model.row) {
      if (text != *typed) request_.set(name, text);
      return;
    }
    request_.set(name, model.row->id);
    const bool is_tuned = model.by_likeness || std::ranges::find(model.row->tuned(), text) != model.row->tuned().end();
    if (is_tuned) note(Severity::note, name, quoted(std::string_view{text}) + " is taken for " + model.row->name + ", or a tuned version of it.", "Give its config.json where it has another shape.");
    if (name != "model" || model.weights.empty() || request_.find("weight_dtype") != nullptr || !stores_weights()) return;
    request_.set("weight_dtype", model.weights);
    note(Severity::note, "weight_dtype", "Weights are in " + model.weights + ", as the model's name says" + (model.weights_assumed ? "; what it leaves open is assumed." : "."),
         model.weights_assumed ? "Give the file itself, or its address: its header states the format of each tensor." : "State weight_dtype where they are in another format.");
  }

  /// Whether weights keep a format of their own: in inference, and where adapters train.
  bool stores_weights() const {
    const std::string* const method = request_.find("method");
    return task() == "inference" || (task() == "finetune" && method != nullptr && lower_case(trimmed(*method)) != "full");
  }

  /// "awq", "fp8" or "4bit" where a format is asked for.
  void read_weights() {
    const std::string* const typed = request_.find("weight_dtype");
    if (typed == nullptr || catalog_.weights().find(*typed)) return;
    const std::string text = *typed, id = weights_named(catalog_, text);
    if (id.empty() || !catalog_.weights().find(id)) return;
    request_.set("weight_dtype", id);
    note(Severity::note, "weight_dtype", quoted(std::string_view{text}) + " is taken for " + id + ".", "`plimsoll catalog weights` lists others.");
  }

  const Catalog& catalog_;
  Issues& notes_;
  Request request_;
};

} // namespace

Request as_meant(const Catalog& catalog, const Request& request, Issues& notes) { return Reader{catalog, notes}.read(request); }

} // namespace plimsoll::io
