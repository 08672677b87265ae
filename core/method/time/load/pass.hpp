#pragma once
// How long one pass of an engine takes, kernel by kernel: any mix of decoding sequences and of tokens of prompts. Shapes are those of one GPU;
// core/method/kernels has the forms, the catalogue their numbers.

#include "method/kernels/choose.hpp"
#include "method/kernels/shape.hpp"
#include "method/time/load/roofline_pass.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <optional>
#include <vector>

namespace plimsoll::timing {

/// What one pass of one replica works on.
struct Mix {
  double decoding = 0; ///< sequences that each add a token
  double context = 0;  ///< tokens that each of them has in its cache, on average
  double prompts = 0;  ///< sequences of which prompts are read
  double fresh = 0;    ///< tokens of each of these prompts in this pass
  double before = 0;   ///< tokens of each that earlier passes read
  double finished = 0; ///< prompts that end in this pass: they give a first token
  bool operator==(const Mix&) const = default;
};

/// Nanoseconds of the parts of a pass.
struct PassTimes {
  double matrices = 0, attention = 0, experts = 0, recurrences = 0;
  double communication = 0; ///< collectives, and what stages hand over
  double link = 0;          ///< weights that are read from the host
  double towers = 0;        ///< images and sound of prompts that end in this pass
  double drafting = 0;      ///< of the tokens that the next pass checks
  double short_kernels = 0; ///< that have no numbers of their own, gaps, and launches that nothing hides
  double host = 0;          ///< scheduling, sampling

  double total() const noexcept { return matrices + attention + experts + recurrences + communication + link + towers + drafting + short_kernels + host; }
};

class PassModel {
public:
  /// By measured kernels where they speak of the device and the engine, by the roofline where only its rates are known. Nothing where nobody has
  /// said how the engine fills a pass, and for models with encoders. `scenario` must outlive the model.
  static std::optional<PassModel> of(const Scenario& scenario);
  bool measured() const noexcept { return !roofline_; } ///< by kernels

  /// From the first stage to the last. In a pipeline as many passes are under way as there are stages: `mix` is what all of them work on, and
  /// each takes its part.
  PassTimes at(const Mix& mix) const noexcept;

  /// Tokens of prompts that are read while one pass goes through: the most of one, for each pass that is under way.
  std::int64_t prompt_tokens() const noexcept;
  /// Tokens that a sequence gets of one pass, in thousandths: more than one where drafts are checked.
  std::int64_t accepted() const noexcept { return accepted_; }

  const ServingTimes& times() const noexcept { return *times_; }
  /// Sequences that run at once: as many as the scenario limits them to, where it says other than the profile.
  std::int64_t most_running(const Scenario& scenario) const noexcept;
  /// Whether prompts are read beside decoding sequences; otherwise by passes of their own, which go first.
  bool mixes(const Scenario& scenario) const noexcept { return times_->scheduling.mixes || scenario.serving.mixed_chunks; }
  bool own_class() const noexcept { return own_class_; } ///< all numbers were measured on the device's class
  /// Nanoseconds of the host for each pass, and for each sequence of it that is sampled.
  double host_of_pass() const noexcept { return times_->step.step + (logprobs_ ? times_->step.logprobs_step : 0.0); }
  double host_of_sequence() const noexcept { return times_->step.sequence + (logprobs_ ? times_->step.logprobs_sequence : 0.0); }
  std::int64_t layers() const noexcept { return static_cast<std::int64_t>(layers_); } ///< that a pass goes through

private:
  struct Numbered {
    const KernelRow* row = nullptr;
    kernels::Gpu gpu;
    double host = 0; ///< ns of the host that were measured with the kernel, for which a step does not wait
  };
  struct Matrix {
    Numbered numbered;
    double n, k, layers, token_bytes, weight_bytes;
    double tokens;       ///< at it for each token of the replica
    bool sampled = false; ///< the output head: only positions that are sampled
    std::size_t group = 0; ///< of layers; 0 for the head, too
    bool shared = false;   ///< of experts that every token goes to

    double ns(double rows) const noexcept { return layers * (kernels::product_ns({rows, n, k, token_bytes, weight_bytes, 1}, numbered.gpu, numbered.row->numbers, numbered.row->tiles) - numbered.host); }
  };
  struct Core {
    Numbered prompt, decode;
    kernels::Attending shape, decode_shape;
    double layers, compression;
  };
  struct Routed {
    Numbered numbered;
    kernels::Experts shape;
    kernels::Liking liking;
    double layers, tokens;
    std::size_t group;
  };
  struct Walk {
    Numbered prompt, decode;
    double channels, layers;
  };
  struct Sending {
    Numbered numbered;
    double times, bytes, gpus, rounds; ///< for each token
    double far = 0; ///< ns more, from node to node
  };

  Numbered numbers(const Scenario& scenario, Kernel kernel, std::string_view format, Arithmetic arithmetic, std::string_view source = {});
  void add_matrices(const Scenario& scenario, const Stage& stage);
  void add_groups(const Scenario& scenario, const Stage& stage);
  void add_messages(const Scenario& scenario, const Stage& stage);
  void add_what_drafts(const Scenario& scenario);
  bool add_kernels(const Scenario& scenario, const Stage& stage);
  void add_measured(const Mix& mix, double tokens, PassTimes& times) const noexcept;
  Mix of_one(const Mix& all) const noexcept;
  void add_experts(double tokens, bool beside, PassTimes& times) const noexcept;

  const Scenario* scenario_ = nullptr;
  const ServingTimes* times_ = nullptr;
  const KernelClass* class_ = nullptr;
  bool own_class_ = true;
  std::optional<RooflinePass> roofline_; ///< where nothing is measured
  std::vector<Matrix> matrices_;
  std::vector<Core> cores_;
  std::vector<Routed> routed_;
  std::vector<Walk> walks_;
  std::vector<Sending> sending_;
  const Efficiency* drafting_ = nullptr; ///< of what drafts; null where nothing does
  std::int64_t accepted_ = 1000;
  double positions_ = 1; ///< that a pass computes of a sequence: the next one, and those that were drafted
  double layers_ = 0, hidden_ = 0, memory_ = 1, link_ = 0, tower_ = 0;
  double state_bytes_ = 0; ///< of the states of one sequence, which a pass reads and writes
  double pass_tokens_ = 1; ///< of prompts in one of the passes that are under way
  bool logprobs_ = false; ///< of sampled tokens are asked for
};

} // namespace plimsoll::timing
