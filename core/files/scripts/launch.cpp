// Options of launchers as their sources define them: pytorch, torch/distributed/run.py, get_args_parser; huggingface/accelerate,
// src/accelerate/commands/launch.py, launch_command_parser; deepspeedai/DeepSpeed, deepspeed/launcher/runner.py, parse_args; Slurm's srun(1);
// Open MPI's mpirun(1); docker run --help; uv run --help.
#include "files/scripts/launch.hpp"

#include "files/scripts/marks.hpp"

#include <algorithm>

namespace plimsoll::io::scripts {

namespace {

std::string_view base_name(std::string_view word) {
  word.remove_prefix(std::min(word.find_last_of("/\\") + 1, word.size()));
  return word.ends_with(".exe") ? word.substr(0, word.size() - 4) : word;
}

bool is_option(std::string_view word) { return word.size() > 1 && word[0] == '-'; }

bool is_listed(std::string_view list, std::string_view name) {
  for (std::size_t at = list.find(name); at != std::string_view::npos; at = list.find(name, at + 1)) {
    const bool begins = at == 0 || list[at - 1] == ' ', ends = at + name.size() == list.size() || list[at + name.size()] == ' ';
    if (begins && ends) return true;
  }
  return false;
}

/// A launcher whose options come first: `flags` are those without a value.
struct Launcher {
  std::string_view name;  ///< of the program
  std::string_view then;  ///< the word behind it; "" for none
  std::string_view flags;
};

constexpr Launcher kLaunchers[]{
    {"torchrun", "", "--standalone --no-python --no_python --run-path --run_path -m --module --use-env --use_env"},
    {"torch.distributed.run", "", "--standalone --no-python --no_python --run-path --run_path -m --module --use-env --use_env"},
    {"torch.distributed.launch", "", "--standalone --no-python --no_python -m --module --use-env --use_env"},
    {"accelerate", "launch",
     "--cpu --multi_gpu --multi-gpu --tpu --ipex --use_mps_device --use_deepspeed --use_fsdp --use_megatron_lm --use_xpu --use_parallelism_config --same_network -m --module --no_python "
     "--no-python -q --quiet --debug --tpu_cluster --no_tpu_cluster --tpu_use_sudo --tpu_use_cluster --enable_cpu_affinity"},
    {"deepspeed", "", "--no_python --module --no_local_rank --no_ssh --no_ssh_check --force_multi --bind_cores_to_rank --save_pid --enable_each_rank_log_flag"},
    {"srun", "", "--exclusive --overlap -u --unbuffered -l --label --pty --no-container-mount-home --container-mount-home --container-writable --container-readonly --no-container-remap-root "
                 "--kill-on-bad-exit -K --verbose -v -Q --quiet --export-file -O --overcommit --no-kill -k --contiguous --spread-job --no-container-entrypoint"},
    {"mpirun", "", "--allow-run-as-root --oversubscribe --tag-output -tag-output --report-bindings -v -q --quiet --verbose --nooversubscribe --display-map -display-map"},
    {"mpiexec", "", "--allow-run-as-root --oversubscribe --tag-output -tag-output --report-bindings -v -q --quiet --verbose"},
    {"uv", "run", "--no-sync --frozen --locked --active --isolated --no-project --no-dev --all-extras --offline --no-cache -n -q --quiet -v --verbose --no-build-isolation --exact --refresh -m --module"},
    {"poetry", "run", ""},
    {"pipenv", "run", ""},
    {"pixi", "run", ""},
    {"conda", "run", "--no-capture-output --live-stream"},
    {"sudo", "", "-E -H -n -b -k -i"},
    {"env", "", "-i"},
    {"nohup", "", ""},
    {"exec", "", ""},
    {"time", "", "-p -v"},
    {"nice", "", ""},
    {"numactl", "", "-l --localalloc -s --show -H"},
    {"taskset", "", ""},
    {"timeout", "", "--foreground --preserve-status -v"},
    {"stdbuf", "", ""},
    {"nsys", "profile", ""},
    {"ncu", "", ""},
    {"ray", "job", "--no-wait --verbose"},
    {"kubectl", "exec", "-i -t -it --stdin --tty -q"},
    {"docker", "exec", "-d -i -t -it -ti --detach --interactive --tty --privileged"},
    {"podman", "exec", "-d -i -t -it -ti --detach --interactive --tty --privileged"},
};
constexpr std::string_view kContainerFlags = "-d -i -t -it -ti -dit -itd -id --detach --interactive --tty --rm --privileged --init --read-only -P --publish-all --no-healthcheck --oom-kill-disable "
                                             "--disable-content-trust -q --quiet --sig-proxy --userns-remap";

class Peeler {
public:
  explicit Peeler(Launch& into) : launch_(into) {}

  void run(std::vector<std::string> words) {
    words_ = std::move(words);
    pass_on();
    for (int n = 0; n < 12 && step(); ++n) {}
    launch_.words.assign(words_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, words_.size())), words_.end());
  }

private:
  bool has(std::size_t ahead = 0) const { return at_ + ahead < words_.size(); }
  const std::string& word(std::size_t ahead = 0) const { return words_[at_ + ahead]; }

  /// A script that starts what stands behind its own options and "--", as allenai/open-instruct's mason.py does, the last of several commands.
  void pass_on() {
    if (!has() || !base_name(word()).starts_with("python")) return;
    bool ended = false;
    for (std::size_t i = 1; i + 1 < words_.size(); ++i) {
      ended = ended || words_[i] == "--";
      const std::string_view next = base_name(words_[i + 1]);
      if (ended && (words_[i] == "--" || words_[i] == "&&") && (next.starts_with("python") || next == "accelerate" || next == "torchrun" || next == "deepspeed")) at_ = i + 1;
    }
  }

  /// Whether something was taken off.
  bool step() {
    while (has() && (takes_setting() || (is_lost(word()) && has(1) && (++at_, true)))) {}
    if (!has()) return false;
    const std::string_view name = base_name(word());
    if (is_prompt(word())) return ++at_, true;
    if ((name == "docker" || name == "podman" || name == "nerdctl") && has(1) && (word(1) == "run" || word(1) == "create" || (word(1) == "container" && has(2) && word(2) == "run"))) return container();
    if ((name == "singularity" || name == "apptainer") && has(1) && (word(1) == "exec" || word(1) == "run")) return at_ += 2, options("--nv --rocm --cleanenv -e --contain -c --no-home --writable"), has() ? (launch_.image = word(), ++at_, true) : false;
    if (name.starts_with("python")) return python();
    for (const Launcher& launcher : kLaunchers)
      if (name == launcher.name && (launcher.then.empty() || (has(1) && word(1) == launcher.then))) return launcher_of(launcher);
    return (name == "bash" || name == "sh") && has(1) && !is_option(word(1)) && (++at_, true);
  }

  /// NAME=value in front of a program.
  bool takes_setting() {
    const std::string& text = word();
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != equals || (text[0] >= '0' && text[0] <= '9')) return false;
    launch_.environment.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    ++at_;
    return true;
  }

  /// "$", "user@host:~/folder$", "(base)": what stands in front of a line that was copied from a terminal.
  bool is_prompt(const std::string& text) const {
    if (text == "$" || text == "#" || text == ">" || text == "%") return true;
    return (text.ends_with('$') || text.ends_with('#')) && (text.find('@') != std::string::npos || text.find(':') != std::string::npos);
  }

  bool python() {
    ++at_;
    for (; has() && is_option(word()); ++at_) {
      if (word() == "-m" && has(1)) return ++at_, is_launcher_module() || (launch_.module = true, false);
      if (word() == "-c") return false;
      if (word() == "-W" || word() == "-X") ++at_;
    }
    return false; // the script is the program
  }

  bool is_launcher_module() {
    if (word() == "accelerate.commands.launch") return words_[at_] = "launch", words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(at_), "accelerate"), true;
    return word() == "torch.distributed.run" || word() == "torch.distributed.launch";
  }

  bool launcher_of(const Launcher& launcher) {
    at_ += launcher.then.empty() ? 1 : 2;
    if (launcher.name == "ray" && has() && word() == "submit") ++at_;
    if (launcher.name == "taskset" || launcher.name == "timeout") {
      options(launcher.flags);
      if (has()) ++at_;
      return true;
    }
    counts_ = launcher.name;
    if (counts_ == "accelerate" || counts_ == "deepspeed") launch_.launcher = counts_;
    else if (counts_.starts_with("torch")) launch_.launcher = "torchrun";
    options(launcher.flags);
    const bool names_one = launcher.then == "exec"; // the container
    if (names_one && has()) ++at_;
    if (has() && word() == "--") ++at_;
    counts_ = {};
    return has();
  }

  /// Passes over options and what they take.
  void options(std::string_view flags) {
    for (; has() && (is_option(word()) || is_lost(word())); ++at_) {
      if (word() == "--") return;
      const std::string text = word();
      const std::size_t equals = text.find('=');
      const std::string name = text.substr(0, equals);
      if (is_lost(text) || is_listed(flags, name)) {
        tell(name, "true");
        if (name == "-m" || name == "--module") return launch_.module = true, void(++at_);
        continue;
      }
      const bool glued = equals == std::string::npos && name.size() > 2 && name[1] != '-' && counts_ == "srun";
      if (glued) {
        tell(name.substr(0, 2), name.substr(2));
      } else if (equals != std::string::npos) {
        tell(name, text.substr(equals + 1));
      } else if (has(1) && !word(1).ends_with(".py") && !is_option(word(1))) {
        tell(name, word(1));
        ++at_;
        if ((name == "-mca" || name == "--mca" || name == "-genv") && has(1)) ++at_;
      } else {
        tell(name, "true");
      }
    }
  }

  /// A variable that nobody sets in place of options: empty to the shell.
  static bool is_lost(const std::string& text) { return has_mark(text) && without_unset(text).empty(); }

  void tell(std::string name, const std::string& value) {
    name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
    std::ranges::replace(name, '-', '_');
    if (counts_ == "srun" && (name == "N" || name == "nodes")) launch_.nodes = value;
    if (counts_ == "srun" && (name == "n" || name == "ntasks")) launch_.processes = value;
    if (counts_ == "srun" && name == "ntasks_per_node") launch_.per_node = value;
    if ((counts_ == "mpirun" || counts_ == "mpiexec") && (name == "np" || name == "n")) launch_.processes = value;
    if (counts_.starts_with("torch")) {
      if (name == "nproc_per_node") launch_.per_node = value, launch_.processes.clear();
      if (name == "nnodes") launch_.nodes = value.substr(value.find(':') == std::string::npos ? 0 : value.find(':') + 1);
    }
    if (counts_ == "deepspeed" && name == "num_gpus") launch_.per_node = value, launch_.processes.clear();
    if (counts_ == "deepspeed" && name == "num_nodes") launch_.nodes = value;
    if (counts_ == "deepspeed" && (name == "include" || name == "i")) launch_.per_node = std::to_string(1 + std::ranges::count(value, ','));
    if (counts_ == "accelerate") {
      if (name == "config_file") launch_.accelerate_file = value;
      else if (name == "num_processes") launch_.processes = value, launch_.per_node.clear();
      else if (name == "num_machines") launch_.nodes = value;
      else launch_.told.emplace_back(name, value);
    }
  }

  bool container() {
    at_ += word(1) == "container" ? 3 : 2;
    std::string entry;
    for (; has() && (is_option(word()) || is_lost(word())); ++at_) {
      const std::string text = word();
      if (is_lost(text) && has(1) && !is_option(word(1)) && !is_lost(word(1)) && word(1).find_first_of("/:") == std::string::npos) break; // the image: a program's name follows
      const std::size_t equals = text.find('=');
      const std::string name = text.substr(0, text.starts_with("--") ? equals : std::string::npos);
      if (is_lost(text) || is_listed(kContainerFlags, name)) continue;
      std::string value = equals != std::string::npos && text.starts_with("--") ? text.substr(equals + 1) : has(1) ? word(1) : "";
      if (equals == std::string::npos || !text.starts_with("--")) ++at_;
      if (name == "-e" || name == "--env") set_variable(value);
      if (name == "--entrypoint") entry = value;
    }
    if (!has()) return false;
    launch_.image = word();
    if (!entry.empty()) words_[at_] = entry;
    else ++at_;
    if (has() && entry.empty() && is_option(word())) words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(at_), ""); // options of the image's own program
    return has() && !word().empty();
  }

  void set_variable(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos && equals > 0) launch_.environment.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }

  Launch& launch_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::string_view counts_; ///< whose options are read
};

} // namespace

std::string_view Launch::program() const { return words.empty() ? std::string_view{} : base_name(words[0]); }

Launch launch_of(const ShellCommand& command) {
  Launch launch;
  launch.environment = command.environment;
  launch.line = command.line;
  Peeler{launch}.run(command.words);
  return launch;
}

} // namespace plimsoll::io::scripts
