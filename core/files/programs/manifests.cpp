#include "files/programs/manifests.hpp"

#include "files/commands/words.hpp"
#include "files/training/document.hpp"
#include "files/training/yaml.hpp"
#include "text/json.hpp"
#include "text/members.hpp"
#include "text/value.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::io::programs {

namespace {

using configs::plain_text;

constexpr std::size_t kMostContainers = 64;

bool holds_others(const Json& value) { return value.is_object() || value.is_array(); }

/// $(NAME) of Kubernetes as the shell writes it.
std::string with_variables(std::string text) {
  for (std::size_t at = text.find("$("); at != std::string::npos; at = text.find("$(", at + 1)) {
    const std::size_t end = text.find(')', at);
    const bool name = end != std::string::npos && text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_", at + 2) == end;
    if (name) text[at + 1] = '{', text[end] = '}';
  }
  return text;
}

/// A word that keeps its ${NAME}s.
std::string word_of(const std::string& text) {
  const std::string made = with_variables(text);
  if (made.find("${") == std::string::npos) return commands::quoted_word(made);
  std::string word = "\"";
  for (const char c : made) word += c == '"' || c == '\\' || c == '`' ? std::string{'\\', c} : std::string{c};
  return word + "\"";
}

class Walker {
public:
  explicit Walker(Described& into) : into_(into) {}

  void walk(const Json& value, int depth = 0) {
    if (depth > 32 || into_.lines.size() >= kMostContainers) return;
    if (value.is_array())
      for (const Json& each : value) walk(each, depth + 1);
    if (!value.is_object()) return;
    if (value.contains("modelSpec") && value["modelSpec"].is_array()) return models(value["modelSpec"]);
    if (value.contains("llm_configs") && value["llm_configs"].is_array()) return ray_models(value["llm_configs"]);
    if (is_task(value)) return task(value);
    if (is_swap(value)) return swap(value);
    if (is_container(value)) container(value);
    else if (is_step(value)) step(value);
    for (const auto& [key, each] : value.items())
      if (holds_others(each) && key != "env" && key != "environment") walk(each, depth + 1);
  }

private:
  static bool is_container(const Json& value) {
    const bool image = (value.contains("image") && value["image"].is_string()) || (value.contains("repository") && value["repository"].is_string());
    return image && (value.contains("command") || value.contains("args") || value.contains("entrypoint") || value.contains("environment") || value.contains("env") || value.contains("ports"));
  }

  /// A report or a pipeline that says how one of its steps was started: a folded text is one line for a shell.
  static bool is_step(const Json& value) {
    return value.contains("command") && value["command"].is_string() && value["command"].get<std::string>().find(" --") != std::string::npos;
  }

  void step(const Json& value) {
    into_.is = true;
    into_.lines.push_back(with_variables(value["command"].get<std::string>()));
  }

  /// What a cloud or a batch system runs on machines that it finds: SkyPilot's run, dstack's commands.
  static bool is_task(const Json& value) {
    const bool asks = value.contains("resources") || value.contains("num_nodes");
    const bool sky = value.contains("run") && value["run"].is_string() && asks;
    return sky || (value.contains("commands") && value["commands"].is_array() && value.contains("type") && value["type"].is_string());
  }

  void task(const Json& value) {
    into_.is = true;
    std::string text;
    for (const char* key : {"envs", "env"})
      if (const auto at = value.find(key); at != value.end() && at->is_object())
        for (const auto& [name, each] : at->items())
          if (!holds_others(each) && !each.is_null()) text += "export " + name + "=" + word_of(plain_text(each)) + "\n";
    if (const auto at = value.find("env"); at != value.end() && at->is_array()) text += listed(*at);
    text += gpus_asked(value);
    if (value.contains("run")) text += value["run"].text() + "\n";
    else
      for (const Json& each : value["commands"])
        if (each.is_string()) text += each.text() + "\n";
    into_.lines.push_back(std::move(text));
  }

  /// Variables as "NAME=value"; a name alone takes its value from whoever starts it.
  static std::string listed(const Json& list) {
    std::string text;
    for (const Json& each : list)
      if (const std::size_t at = each.is_string() ? each.text().find('=') : std::string::npos; at != std::string::npos) text += "export " + each.text().substr(0, at) + "=" + word_of(each.text().substr(at + 1)) + "\n";
    return text;
  }

  /// dstack tells a run how many GPUs it got, SkyPilot one of each node: "H100:8" (dstack.ai, docs/reference/environment-variables; docs.skypilot.co, running-jobs/environment-variables).
  static std::string gpus_asked(const Json& value) {
    const auto asked = value.find("resources");
    if (asked == value.end() || !asked->is_object()) return "";
    std::string count;
    for (const char* key : {"gpu", "accelerators"}) {
      const auto at = asked->find(key);
      if (at == asked->end()) continue;
      if (at->is_object()) count = plain_text_at(*at, "count");
      else if (const std::string text = plain_text(*at); text.find(':') != std::string::npos) count = text.substr(text.rfind(':') + 1);
    }
    if (!configs::whole_number(count)) return "";
    return "export DSTACK_GPUS_NUM=" + count + " SKYPILOT_NUM_GPUS_PER_NODE=" + count + "\n";
  }

  /// mostlygeek/llama-swap, config.example.yaml: a server for each model, whose command has ${names} of macros.
  static bool is_swap(const Json& value) {
    const auto models = value.find("models");
    if (models == value.end() || !models->is_object()) return false;
    for (const auto& [name, model] : models->items())
      if (model.is_object() && model.contains("cmd") && model["cmd"].is_string()) return true;
    return false;
  }

  static std::string without_macros(std::string text, const Json& macros) {
    if (!macros.is_object()) return text;
    constexpr std::size_t kMostText = 16'384;
    for (int n = 0; n < 4; ++n) // macros of macros
      for (const auto& [name, each] : macros.items()) {
        const std::string sign = "${" + name + "}", other = holds_others(each) ? "" : plain_text(each);
        for (std::size_t at = text.find(sign); at != std::string::npos && text.size() < kMostText; at = text.find(sign, at + other.size())) text.replace(at, sign.size(), other);
      }
    return text;
  }

  void swap(const Json& value) {
    into_.is = true;
    const Json& models = value.at("models");
    for (const auto& [name, model] : models.items()) {
      if (!model.is_object() || into_.lines.size() >= kMostContainers) continue;
      std::string line = plain_text_at(model, "cmd");
      for (const Json* macros : {model.look("macros"), value.look("macros")})
        if (macros != nullptr) line = without_macros(std::move(line), *macros);
      std::string joined; // its lines are one, but for comments
      for (const std::string_view part : parts_of(line, '\n'))
        if (const std::size_t begin = part.find_first_not_of(" \t"); begin != std::string::npos && part[begin] != '#') joined.append(" ").append(part.ends_with('\\') ? part.substr(0, part.size() - 1) : part);
      const auto env = model.find("env");
      into_.lines.push_back((env != model.end() && env->is_array() ? listed(*env) : "") + joined);
    }
  }

  /// Ray Serve starts vLLM with these arguments (docs.ray.io/en/latest/serve/llm, LLMConfig).
  void ray_models(const Json& list) {
    into_.is = true;
    for (const Json& model : list) {
      if (!model.is_object()) continue;
      const Json none = Json::object();
      const auto object = [&](const char* key) -> const Json& { return model.contains(key) && model.at(key).is_object() ? model.at(key) : none; };
      const Json& names = object("model_loading_config");
      const std::string source = plain_text_at(names, "model_source");
      std::string line = "vllm serve " + word_of(source.empty() ? plain_text_at(names, "model_id") : source);
      for (const auto& [key, each] : object("engine_kwargs").items()) {
        std::string option = " --" + key;
        std::ranges::replace(option, '_', '-');
        if (each == Json(false) || each.is_null()) continue;
        line += option + (each == Json(true) ? "" : " " + word_of(holds_others(each) ? dump(each) : plain_text(each)));
      }
      into_.lines.push_back(std::move(line));
    }
  }

  static void add_words(std::string& line, const Json& value, const char* key, bool split) {
    const auto at = value.find(key);
    if (at == value.end() || at->is_null()) return;
    if (at->is_array()) {
      for (const Json& each : *at)
        if (!holds_others(each)) line += " " + word_of(plain_text(each));
    } else if (at->is_string()) {
      line += " " + (split ? with_variables(at->get<std::string>()) : word_of(at->get<std::string>()));
    }
  }

  static void add_variables(std::string& line, const Json& value, const char* key) {
    const auto at = value.find(key);
    if (at == value.end()) return;
    if (at->is_object()) {
      for (const auto& [name, text] : at->items())
        if (!holds_others(text) && !text.is_null()) line += " -e " + word_of(name + "=" + plain_text(text));
      return;
    }
    if (!at->is_array()) return;
    for (const Json& each : *at) {
      if (each.is_string() && each.get<std::string>().find('=') != std::string::npos) line += " -e " + word_of(each.get<std::string>());
      if (each.is_object() && each.contains("value")) line += " -e " + word_of(plain_text_at(each, "name") + "=" + plain_text_at(each, "value"));
    }
  }

  void container(const Json& value) {
    into_.is = true;
    std::string line = "docker run", image = plain_text_at(value, "image");
    if (image.empty()) image = plain_text_at(value, "repository");
    add_variables(line, value, "env");
    add_variables(line, value, "environment");
    line += " " + word_of(image);
    add_words(line, value, "entrypoint", true);
    add_words(line, value, "command", true); // a text is cut into words by Compose
    add_words(line, value, "args", true);
    std::ranges::replace(line, '\n', ' ');
    if (has_script(value)) line = script(value);
    into_.lines.push_back(exports(value) + line);
  }

  /// command: [sh, -c], args: [a script]: its lines stay lines.
  static bool has_script(const Json& value) {
    for (const char* key : {"command", "args", "entrypoint"})
      if (const auto at = value.find(key); at != value.end() && at->is_array())
        for (const Json& each : *at)
          if (each.is_string() && each.get<std::string>().find('\n') != std::string::npos) return true;
    return false;
  }

  static std::string script(const Json& value) {
    std::string text;
    for (const char* key : {"command", "args", "entrypoint"})
      if (const auto at = value.find(key); at != value.end() && at->is_array())
        for (const Json& each : *at)
          if (each.is_string() && each.get<std::string>().find_first_of("\n ") != std::string::npos) text += each.get<std::string>() + "\n";
    return text;
  }

  /// What env sets: $(NAME) in words stands for it too.
  static std::string exports(const Json& value) {
    std::string text;
    if (const auto at = value.find("env"); at != value.end() && at->is_array())
      for (const Json& each : *at)
        if (each.is_object() && each.contains("value")) text += "export " + plain_text_at(each, "name") + "=" + word_of(plain_text_at(each, "value")) + "\n";
    return text;
  }

  /// LMCache's variables as the chart's template sets them, in front of the line; the connector goes behind it.
  static std::string cache_of(const Json& model, std::string& line) {
    const auto at = model.find("lmcacheConfig");
    if (at == model.end() || !at->is_object() || plain_text_at(*at, "enabled") != "true") return "";
    const std::string role = plain_text_at(*at, "kvRole"), host = plain_text_at(*at, "cpuOffloadingBufferSize"), drive = plain_text_at(*at, "diskOffloadingBufferSize");
    line += " --kv-transfer-config " + word_of("{\"kv_connector\":\"LMCacheConnectorV1\",\"kv_role\":\"" + (role.empty() ? "kv_both" : role) + "\"}");
    std::string variables;
    if (plain_text_at(*at, "enablePD") == "true") variables += "LMCACHE_LOCAL_CPU=False LMCACHE_MAX_LOCAL_CPU_SIZE=0 ";
    if (!host.empty() && host != "0") variables += "LMCACHE_LOCAL_CPU=True LMCACHE_MAX_LOCAL_CPU_SIZE=" + word_of(host) + " ";
    if (!drive.empty()) variables += "LMCACHE_MAX_LOCAL_DISK_SIZE=" + word_of(drive) + " ";
    return variables;
  }

  /// The chart's template writes these options of vllm serve.
  void models(const Json& list) {
    struct Name {
      const char *key, *option;
      bool truth = false;
    };
    static constexpr std::array kNames{Name{"maxModelLen", "--max-model-len"},
                                       Name{"dtype", "--dtype"},
                                       Name{"tensorParallelSize", "--tensor-parallel-size"},
                                       Name{"pipelineParallelSize", "--pipeline-parallel-size"},
                                       Name{"maxNumSeqs", "--max-num-seqs"},
                                       Name{"gpuMemoryUtilization", "--gpu-memory-utilization"},
                                       Name{"maxLoras", "--max-loras"},
                                       Name{"enablePrefixCaching", "--enable-prefix-caching", true},
                                       Name{"enableChunkedPrefill", "--enable-chunked-prefill", true}};
    into_.is = true;
    for (const Json& model : list) {
      if (!model.is_object()) continue;
      if (const auto enabled = model.find("enabled"); enabled != model.end() && *enabled == Json(false)) {
        into_.off.push_back(plain_text_at(model, "name"));
        continue;
      }
      std::string line = "vllm serve";
      if (const std::string name = plain_text_at(model, "modelURL"); !name.empty()) line += " " + word_of(name);
      const Json config = model.contains("vllmConfig") && model["vllmConfig"].is_object() ? model["vllmConfig"] : Json::object();
      for (const Name& name : kNames) {
        const std::string text = plain_text_at(config, name.key);
        if (text.empty() || (name.truth && text != "true")) continue;
        line += std::string{" "} + name.option + (name.truth ? "" : " " + word_of(text));
      }
      if (plain_text_at(config, "enableChunkedPrefill") == "false") line += " --no-enable-chunked-prefill";
      if (plain_text_at(model, "enableLoRA") == "true") line += " --enable-lora";
      add_words(line, config, "extraArgs", false);
      into_.lines.push_back(cache_of(model, line) + line);
    }
  }

  Described& into_;
};

/// Lines of a Modelfile: FROM first, and no instruction that only a Dockerfile has.
void read_modelfile(std::string_view text, Described& into) {
  std::string model, context;
  bool first = true, adapter = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (line.empty() || line[0] == '#') continue;
    const std::size_t space = std::min(line.find_first_of(" \t"), line.size());
    const std::string word = lower_case(line.substr(0, space));
    const std::string rest{line.substr(std::min(line.find_first_not_of(" \t", space), line.size()))};
    if (first && (word != "from" || rest.empty() || rest.find_first_of(" \t") != std::string::npos)) return;
    for (const std::string_view other : {"run", "cmd", "copy", "entrypoint", "env", "workdir", "arg", "expose", "add", "user", "volume"})
      if (word == other) return;
    if (first) model = rest;
    first = false;
    adapter = adapter || word == "adapter";
    if (word == "parameter" && rest.starts_with("num_ctx")) context = rest.substr(std::min(rest.find_first_of("0123456789"), rest.size()));
  }
  if (model.empty()) return;
  into.is = true;
  into.lines.push_back((context.empty() ? "" : "OLLAMA_CONTEXT_LENGTH=" + commands::quoted_word(context) + " ") + "ollama run " + commands::quoted_word(model) + (adapter ? " --adapter" : ""));
}

} // namespace

Described containers_in(std::string_view text) {
  Described found;
  read_modelfile(text, found);
  if (!found.is) read_dockerfile(text, found);
  if (found.is) return found;
  bool sign = false;
  for (const std::string_view word : {"image:", "repository:", "modelSpec:", "llm_configs:", "run:", "commands:", "command:", "cmd:"}) sign = sign || text.find(word) != std::string_view::npos;
  if (!sign) return found;
  for (std::size_t at = 0, parts = 0; at <= text.size() && parts < 64; ++parts) { // documents of one stream
    std::size_t end = text.find("\n---", at);
    end = std::min(end, text.size());
    const configs::ParsedTree parsed = configs::parse_yaml(text.substr(at, end - at));
    if (parsed.ok) Walker{found}.walk(parsed.value), gpus_of(parsed.value, found.machines);
    at = end >= text.size() ? text.size() + 1 : std::min(text.find('\n', end + 1), text.size()) + 1;
  }
  return found;
}

} // namespace plimsoll::io::programs
