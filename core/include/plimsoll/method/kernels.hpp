#pragma once
// Measured kernels: a few numbers for each kind of kernel, class of GPUs and number format, from which a kernel's time follows for any shape
// (core/method/kernels has the forms and what each number means). Data: core/catalog/data/kernels.json, fitted by tests/fit.

#include "plimsoll/method/constant.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

enum class Kernel : unsigned char {
  matrices,         ///< tokens times weights
  prompt_attention,
  decode_attention,
  prompt_latent,    ///< multi-head latent attention over a prompt, with the keys and values of every head
  decode_latent,    ///< the same in a decode step, on the latent vectors themselves
  experts,
  recurrence_prompt, ///< one kernel of linear attention or a state space
  recurrence_decode,
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
};
inline constexpr std::size_t kKernels = 12;

inline constexpr std::size_t kKernelNumbers = 17;
using KernelNumbers = std::array<double, kKernelNumbers>;

/// Tiles that a library's kernels have: each side doubles from the least to the most.
struct KernelTiles {
  double least_rows = 16, most_rows = 256, least_columns = 32, most_columns = 256;
  double most_split = 16; ///< multiprocessors on one tile
};

/// Fitted numbers of one kernel.
struct KernelRow {
  Kernel kernel = Kernel::matrices;
  std::string device_class;
  std::string format;  ///< as in the measured rows: "bfloat16", "fp8_block"; of attention, what it computes and what it reads, "bfloat16/fp8"
  std::string source;  ///< the library's kernel
  std::string engine;  ///< that it was measured in
  bool serves = true;  ///< false: measured with the host's time before it, which a step with graphs does not have
  KernelNumbers numbers{};
  KernelTiles tiles;
  std::int64_t rows = 0;   ///< measured, behind the numbers
  std::int64_t median = 0; ///< thousandths: half of the rows that were left out of a fit were off by less
  std::int64_t p90 = 0;    ///< likewise nine of ten
};

/// GPUs that are alike but for the rates of their data sheets.
struct KernelClass {
  std::string id;
  std::vector<std::string> archs;
  std::int64_t least_memory_rate = 0; ///< bytes/s; the first class of an architecture that a GPU reaches is its own
  double unit_flop = 0;               ///< FLOP/s of one multiprocessor in 16 bits: how many a GPU has follows
  double cache = 0;                   ///< bytes of the last cache before memory, of the GPU that was measured
  double sustained = 1;               ///< share of the matrix units' rate that lasts: bursts of a measurement stay below the power limit, prompts one after the other do not
  bool graphs = true;                 ///< engines replay captured graphs on them, so that no kernel waits for the host
  std::vector<std::string> like;      ///< classes whose numbers stand in where it has none, the likest first
};

struct KernelTable {
  std::vector<KernelClass> classes;
  std::vector<KernelRow> rows;
};

/// What an engine adds to the kernels of a step, in nanoseconds and bytes; core/catalog/data/serving.json says where each is from.
struct StepTimes {
  double step = 0;        ///< of the host, for each step: scheduling, input, output
  double sequence = 0;    ///< of the host, for each sequence of a step: sampling, detokenising, stopping
  double layer = 0;       ///< for each layer: short kernels that have no row of their own, and gaps between kernels
  double token_bytes = 0; ///< moved by those for each token and channel of the hidden state, in each layer
  double prompt_layer = 0; ///< at least so long for each layer of a pass that reads a prompt, whose kernels the host launches one by one
  double prompt = 0;      ///< for each prompt before its first token: tokenising, queues between processes
  double request = 0;     ///< of the front end for each request, one after the other: requests that are sent at once reach the scheduler so far apart
  double token = 0;       ///< of the front end for each token of an answer, in the same queue: text, and its way to the client
  double logprobs_step = 0, logprobs_sequence = 0; ///< for each step, and each sequence of it, where log-probabilities of the sampled tokens are asked for
  double kernels = 1;     ///< times that kernels take as long in a step as alone: clocks under load, gaps
  double beside = 0;      ///< tokens of a step up to which experts that all share run beside those that are chosen, in a stream of their own
  double imbalance = 0;   ///< power by which some experts are liked more than others (kernels/experts.hpp, liking_of); 0 = evenly
};

/// How the engine fills a pass.
struct Scheduling {
  bool mixes = true;            ///< prompts are read beside decoding sequences; false: by passes of their own, which go first
  std::int64_t pass_tokens = 0; ///< of one pass; 0 = as the workload says
  std::int64_t sequences = 0;   ///< that run at once where nobody limits them; 0 = as many as a pass is prepared for
  bool chunks = true;           ///< a prompt is cut where a pass has no room for all of it; false: it waits for a pass that has
  bool slots = false;           ///< each sequence that runs has a slot, which keeps it until another needs the slot
  bool ahead = false;           ///< a pass is made up while the one before it runs: what comes meanwhile waits for the next but one
};

/// Everything that times of an engine's steps are made of.
struct ServingTimes {
  const KernelTable& (*kernels)() = nullptr; ///< which is read when a time is first asked for: memory needs none
  std::string engine;  ///< as kernel rows name it
  StepTimes step;
  Scheduling scheduling;
  std::int64_t first_low = 0, first_high = 0; ///< thousandths of what is predicted, between which nine of ten measured first tokens were
  // Thousandths of a part of a step: 1000, between what nine of ten measured steps were of what is predicted. Of kernels of the device's own class, of another's that stand for them, which
  // nobody has compared and is assumed, and of what the engine adds.
  Constant own_kernels, other_kernels, engine_part;
  std::int64_t other_low = 1000, other_high = 1000; ///< thousandths of these bounds where another class's kernels stand for the device's
};

} // namespace plimsoll
