// From a scenario to a manifest, with what it cannot say.
#include "files/commands/words.hpp"
#include "files/lost_inputs.hpp"
#include "files/manifests/deployment.hpp"
#include "plimsoll/files/import.hpp"
#include "plimsoll/files/manifest.hpp"
#include "plimsoll/files/training_config.hpp"
#include "text/value.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace {

using namespace manifests;

/// Comments in front of a text, and what follows them.
struct Parted {
  std::vector<std::string> comments;
  std::string rest;
};
Parted parted(std::string_view text) {
  Parted made;
  while (text.starts_with("# ")) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    made.comments.emplace_back(text.substr(2, end - 2));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  made.rest = text;
  return made;
}

/// As Kubernetes takes it: at most 63 small letters, digits and hyphens.
std::string label_of(std::string_view id) {
  std::string text;
  for (const char c : lower_case(id)) text += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
  while (!text.empty() && text.back() == '-') text.pop_back();
  return text.empty() || text[0] < 'a' ? "model" + (text.empty() ? "" : "-" + text) : text.substr(0, 63);
}

class Exporter {
public:
  Exporter(const Catalog& catalog, const Answer& answer, const Format& format, std::string_view engine) : catalog_(catalog), answer_(answer), format_(format), engine_(engine) {}

  ExportedCommand run() && {
    exported_.issues = answer_.issues;
    if (!answer_.ok) return exported_;
    const bool training = trains(answer_.inputs.workload.task);
    if (!(training ? take_training() : take_serving()) || !take_machines()) return exported_;
    of_.text = "";
    std::swap(of_.text, text_);
    const std::string first = format_.text(of_);
    ImportAnswers answers;
    answers.gpus = training ? of_.gpus : 0;
    const ImportText text{first, ""};
    const ImportedText read = import_texts(catalog_, {&text, 1}, answers);
    const Answer again = answer_again(catalog_, answer_, read.request);
    const auto say = [&](std::string_view name, std::string sentence) {
      const auto said = [&](const std::string& comment) { return comment.starts_with(std::string{name} + "="); };
      if (std::ranges::none_of(of_.comments, said)) of_.comments.push_back(std::move(sentence));
    };
    const auto profile = [](const Answer& of) { return value_text(of, *find_field("profile")); };
    if (profile(answer_) != profile(again)) {
      say("profile", "profile=" + profile(answer_) + ": read as " + profile(again));
      say_engine(profile(answer_), profile(again));
    }
    for (std::string& sentence : lost_inputs(answer_, again)) {
      const std::string name = sentence.substr(0, sentence.find('='));
      say(name, std::move(sentence));
    }
    say_machines(read.request);
    exported_.text = format_.text(of_);
    exported_.ok = true;
    return exported_;
  }

private:
  /// Another engine than the profile's is written, which nobody should have to find among comments.
  void say_engine(const std::string& profile, const std::string& written) {
    const bool said = std::ranges::any_of(exported_.issues, [](const Issue& issue) { return issue.field == "profile"; });
    if (of_.server == nullptr || said) return;
    exported_.issues.push_back({Severity::note, "profile", std::string{format_.id} + " does not start " + profile + ": " + written + " is written.", "State profile=" + written + " to see what that takes."});
  }

  /// The GPU, where the form has no word for it that only this one has, and what was said of it. An importer reads the first.
  void say_machines(const Request& read) {
    const Hardware& hardware = answer_.inputs.hardware;
    const std::string* const device = read.find("device");
    if (of_.device == nullptr) of_.comments.push_back("device=" + (hardware.id.empty() ? "none" : hardware.id) + ": no device of the catalogue, give it apart");
    else if (device == nullptr || *device != hardware.id) of_.comments.push_back("device=" + hardware.id + ": " + hardware.name);
    for (const FieldState& state : answer_.fields)
      if (const std::string_view name = state.field->name; state.field->topic == Topic::hardware && name != "device" && state.applies && !state.idle && answer_.request.find(name) != nullptr)
        of_.comments.push_back(std::string{name} + "=" + value_text(answer_, *state.field) + ": of the machines, not said here");
  }

  bool refuse(std::string field, std::string message, std::string remedy) {
    exported_.issues.push_back({Severity::error, std::move(field), std::move(message), std::move(remedy)});
    return false;
  }

  bool take_serving() {
    const auto engines = exportable_engines();
    const std::string profile = value_text(answer_, *find_field("profile"));
    std::string_view engine = engine_.empty() ? std::string_view{profile} : engine_;
    if (engine_.empty() && !format_.engine.empty()) engine = format_.engine;
    if (std::ranges::find(engines, engine) == engines.end()) {
      if (!engine_.empty()) return refuse("to", "There is no engine " + quoted(engine_) + ".", "Write " + joined_with_or({engines.begin(), engines.end()}) + " behind the colon.");
      exported_.issues.push_back({Severity::note, "profile", "The profile " + profile + " names no engine that is started so: vLLM is written.", "Name one: " + std::string{format_.id} + ":sglang."});
      engine = "vllm";
    }
    if (!format_.engine.empty() && engine != format_.engine) return refuse("to", std::string{format_.id} + " starts no " + std::string{engine} + ".", "Leave the engine out.");
    of_.server = server_of(engine);
    if (format_.id == "dynamo" && of_.server->module.empty()) return refuse("to", "Dynamo starts no " + std::string{engine} + ".", "Write dynamo:vllm or dynamo:sglang.");
    return take(export_command_line(catalog_, answer_, engine));
  }

  bool take_training() {
    if (!format_.trains) return refuse("task", "What " + std::string{format_.id} + " launches is a server.", "Choose inference as task, or slurm, skypilot or dstack.");
    const std::string profile = value_text(answer_, *find_field("profile"));
    of_.trainer = trainer_of(profile);
    if (of_.trainer == nullptr) return refuse("profile", "How " + profile + " is launched is not known here.", "State profile as megatron, torchtitan, fsdp2, hf_trainer, peft or deepspeed, or export its configuration alone.");
    return take(export_training_config(catalog_, answer_, of_.trainer->format));
  }

  /// The command line or file, with its comments and what was wrong with it.
  bool take(ExportedCommand written) {
    for (Issue& issue : written.issues)
      if (std::ranges::none_of(exported_.issues, [&](const Issue& known) { return known.message == issue.message; })) exported_.issues.push_back(std::move(issue));
    if (!written.ok) return false;
    Parted made = parted(written.text);
    of_.comments = std::move(made.comments);
    text_ = std::move(made.rest);
    while (text_.ends_with('\n')) text_.pop_back();
    if (of_.server == nullptr) return true;
    text_ += " \\\n  --host 0.0.0.0 \\\n  --port " + std::to_string(of_.server->port);
    for (const commands::Word& word : commands::split_words(text_)) of_.words.push_back(word.text);
    const ModelRow* const row = catalog_.find_model(answer_.inputs.model.id);
    const auto path = std::ranges::find(of_.words, "--model-path");
    of_.model = path != of_.words.end() && path + 1 != of_.words.end() ? *(path + 1) : of_.words.size() > 2 && of_.server->engine == "vllm" ? of_.words[2] : of_.words.size() > 1 && of_.server->engine == "tensorrt_llm" ? of_.words[1] : row != nullptr ? row->id : "MODEL";
    return true;
  }

  bool take_machines() {
    of_.name = label_of(answer_.inputs.model.id);
    of_.device = catalog_.find_device(answer_.inputs.hardware.id);
    of_.gpus = answer_.estimate.gpus.value;
    of_.nodes = ceil_div(answer_.estimate.gpus, Count{answer_.inputs.hardware.gpus_per_node}).value;
    of_.gpus_each = of_.nodes == 1 ? of_.gpus : answer_.inputs.hardware.gpus_per_node;
    if (of_.nodes == 1) return true;
    if (!format_.across_nodes) return refuse("to", std::to_string(of_.gpus) + " GPUs are more than the " + std::to_string(of_.gpus_each) + " of a node, and " + std::string{format_.id} + " launches on one.", of_.trainer == nullptr ? "Write leaderworkerset, slurm, skypilot or ray_serve, or state fewer GPUs." : "Write slurm or skypilot, or state fewer GPUs.");
    if (of_.server != nullptr && !of_.server->across_nodes) return refuse("to", std::string{of_.server->engine} + " is not started on several nodes here.", "Write " + std::string{format_.id} + ":vllm, or state fewer GPUs.");
    return true;
  }

  const Catalog& catalog_;
  const Answer& answer_;
  const Format& format_;
  std::string_view engine_;
  Deployment of_;
  std::string text_;
  ExportedCommand exported_;
};

} // namespace

std::vector<std::string_view> exportable_manifests() {
  std::vector<std::string_view> ids;
  for (const Format& format : formats()) ids.push_back(format.id);
  return ids;
}

ExportedCommand export_manifest(const Catalog& catalog, const Answer& answer, std::string_view to) {
  const std::size_t colon = std::min(to.find(':'), to.size());
  const auto format = std::ranges::find(formats(), to.substr(0, colon), &Format::id);
  if (format != formats().end()) return Exporter{catalog, answer, *format, to.substr(std::min(colon + 1, to.size()))}.run();
  ExportedCommand refused;
  const auto ids = exportable_manifests();
  refused.issues.push_back({Severity::error, "to", "There is no manifest of " + quoted(to) + ".", "Write " + joined_with_or({ids.begin(), ids.end()}) + "."});
  return refused;
}

} // namespace plimsoll::io
