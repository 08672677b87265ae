#pragma once
// What the model is asked to do.

#include <cstdint>
#include <vector>

namespace plimsoll {

enum class Task : unsigned char {
  inference, ///< serve: prefill and decode
  finetune,  ///< start from trained weights; what trains is Tuning's
  pretrain,  ///< pre-training
};
inline constexpr int kTasks = 3;

constexpr bool trains(Task task) noexcept { return task != Task::inference; }

/// How sequences of different lengths make up a micro-batch of training.
enum class Batching : unsigned char {
  padded,       ///< each as long as the micro-batch's longest
  packed,       ///< rows of context_tokens, each filled with several documents that do not see each other
  padding_free, ///< one after the other in one row as long as they are together (variable-length attention)
};

/// How requests arrive at a server that is asked for so many a second.
enum class Arrivals : unsigned char {
  steady,  ///< one after the other, evenly
  poisson, ///< independently of each other
  bursts,  ///< ten at a time
};

/// How the lengths of prompts and answers differ from request to request.
enum class Lengths : unsigned char {
  even,      ///< evenly between a shortest and the longest
  lognormal, ///< about their means, most below, a few far above
  sharegpt,  ///< lognormal, with the means of conversations with ChatGPT that people shared where no others are stated
};

/// The requests of a server, as people state them. Nothing is known of a load where prompt or answer are 0, or both of concurrency and rate.
struct Traffic {
  std::int64_t prompt_tokens = 0; ///< the longest of a request's prompts, of lognormal ones the mean; 0 = not stated
  std::int64_t answer_tokens = 0; ///< likewise of its answers
  std::int64_t length_spread = 0; ///< thousandths: both are drawn evenly from that much below the longest up to it; 0 = all alike
  Lengths lengths = Lengths::even;
  std::int64_t length_deviation = 1000; ///< lognormal: the standard deviation, in thousandths of the mean
  std::int64_t concurrency = 0;   ///< requests that clients keep in flight, all replicas together; 0 = not stated
  std::int64_t request_rate = 0;  ///< thousandths of a request per second, all replicas together; 0 = not stated
  std::int64_t prefix_hits = 1000; ///< thousandths of requests that find Serving::shared_tokens of their prompt in the cache
  std::int64_t host_hits = 0;     ///< thousandths of requests that find them in the host's memory instead
  std::int64_t drive_hits = 0;    ///< or on drives
  std::vector<std::int64_t> trace; ///< in place of all above: of each request when it arrives (ms), the tokens of its prompt and of its answer
  std::int64_t requests = 0;      ///< of the whole run, each turn of a conversation is one; the first ones all at once where concurrency is stated; 0 = endless, past its beginning
  Arrivals arrivals = Arrivals::poisson; ///< with request_rate
  std::int64_t turns = 1;       ///< requests of a conversation, each with all that was said before in its prompt; >= 1
  std::int64_t turn_tokens = 0; ///< that each turn adds to its conversation after the first, whose prompt prompt_tokens are; 0 = not stated
  std::int64_t think_ms = 0;    ///< from an answer to the next turn

  /// Tokens of a conversation whose prompts and answers are as long as stated, at its end.
  constexpr std::int64_t conversation_tokens() const noexcept { return prompt_tokens + answer_tokens + (turns - 1) * (turn_tokens + answer_tokens); }
  /// Thousandths that the shortest is below the longest.
  constexpr std::int64_t spread() const noexcept { return lengths == Lengths::even ? length_spread : 0; }
};

/// Images, video and sound beside the text of one sequence. Their tokens are part of the context.
struct Media {
  std::int64_t images = 0;         ///< >= 0
  std::int64_t image_width = 1000; ///< pixels, >= 1
  std::int64_t image_height = 1000;
  std::int64_t image_tokens = 0;   ///< of one image, where somebody knows them; 0 = by the rule of the model's processor
  std::int64_t video_frames = 0;   ///< of that size, >= 0
  std::int64_t audio_seconds = 0;  ///< >= 0
  bool trains_towers = false;      ///< fine-tuning: false = towers run forward only

  bool any() const noexcept { return images > 0 || video_frames > 0 || audio_seconds > 0; }
};

struct Workload {
  Task task = Task::inference;
  std::int64_t context_tokens = 8192; ///< tokens per sequence, prompt and answer together; >= 1
  std::int64_t batch = 1;             ///< inference: sequences held at once by one replica; training: sequences per micro-batch and GPU
  Batching batching = Batching::padded; ///< training
  std::int64_t mean_tokens = 0;       ///< training: tokens of a sequence on average, where rows are not packed; 0 = context_tokens, >= 0
  std::int64_t micro_batches = 1;     ///< training: micro-batches that one replica runs in a step (gradient accumulation); >= 1
  bool trains_prediction = false;     ///< training: the model's layers for multi-token prediction train too, each with a loss of its own
  std::int64_t prefill_tokens = 0;    ///< inference: most tokens that one forward pass takes (chunked prefill); 0 = the engine's default
  Traffic traffic;                    ///< inference
  Media media;
};

/// What the time of a whole job is told from.
enum class JobBasis : unsigned char {
  configured, ///< the scenario's own step
  typical,    ///< what published jobs reached on such devices, whatever their layout: for who does not know it yet
};

/// A whole training job.
struct Job {
  std::int64_t train_tokens = 0;   ///< pre-training: tokens in all; 0 = no job is asked about
  std::int64_t dataset_tokens = 0; ///< fine-tuning: tokens of the data set, padding included; 0 = no job is asked about
  std::int64_t epochs = 1;         ///< fine-tuning: times that it sees them; >= 1
  JobBasis basis = JobBasis::configured;
  bool counts_losses = false;          ///< start-up, evaluation, checkpoints and failures are counted, in place of what measured jobs lost
  std::int64_t evaluation_tokens = 0;  ///< that are read without training, in all
  std::int64_t checkpoint_minutes = 0; ///< of training between two checkpoints; 0 = the best interval
  std::int64_t checkpoint_bytes_per_s = 1'000'000'000; ///< that a node writes to storage; >= 1
  bool asynchronous_checkpoints = false; ///< training waits for the copy to the host's memory alone
  std::int64_t failures_per_million_gpu_hours = 20;
  std::int64_t restart_minutes = 10;   ///< from a failure, or the start, until steps take their usual time
};

} // namespace plimsoll
