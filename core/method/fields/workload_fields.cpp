#include "method/fields/conditions.hpp"
#include "method/fields/rows.hpp"

namespace plimsoll::tables {

namespace {

constexpr Choice kBatchings[] = {
    {"padded", static_cast<std::int64_t>(Batching::padded), "padded", "Every sequence of a micro-batch takes as many tokens as its longest."},
    {"packed", static_cast<std::int64_t>(Batching::packed), "packed",
     "Rows as long as the context, each filled with several documents that do not see each other."},
    {"padding_free", static_cast<std::int64_t>(Batching::padding_free), "padding-free",
     "Sequences follow each other in one row without padding. Needs attention that is told where each begins."},
};

constexpr Choice kArrivals[] = {
    {"steady", static_cast<std::int64_t>(Arrivals::steady), "steady", "One request after the other, evenly."},
    {"poisson", static_cast<std::int64_t>(Arrivals::poisson), "Poisson", "Independently of each other."},
    {"bursts", static_cast<std::int64_t>(Arrivals::bursts), "bursts", "Ten at a time."},
};

constexpr Choice kLengths[] = {
    {"even", static_cast<std::int64_t>(Lengths::even), "even", "Evenly from length_spread below prompt_tokens and answer_tokens up to them."},
    {"lognormal", static_cast<std::int64_t>(Lengths::lognormal), "lognormal",
     "About prompt_tokens and answer_tokens as their means: most are shorter, a few far longer, by length_deviation."},
    {"sharegpt", static_cast<std::int64_t>(Lengths::sharegpt), "ShareGPT",
     "Lognormal about 161 and 338 tokens, the means of ShareGPT's prompts and answers (Kwon et al. 2023, figure 11), where no others are stated. That they are "
     "lognormal, and how far apart, is assumed."},
};

template <auto Member> std::int64_t traffic(const Inputs& inputs) { return static_cast<std::int64_t>(inputs.workload.traffic.*Member); }
template <auto Member> void set_traffic(Inputs& inputs, std::int64_t value) {
  inputs.workload.traffic.*Member = static_cast<std::remove_cvref_t<decltype(inputs.workload.traffic.*Member)>>(value);
}

/// A number of what is asked of a server.
template <auto Member> constexpr Field of_traffic(Text name, Text label, Text unit, std::int64_t max, Text help) {
  return {.name = name, .topic = Topic::workload, .kind = FieldKind::integer, .label = label, .unit = unit, .help = help, .tasks = kServing, .advanced = true,
          .min = 0, .max = max, .defaults = {0, 0, 0}, .get = traffic<Member>, .set = set_traffic<Member>};
}

/// A kind of what is asked of a server.
template <auto Member> constexpr Field of_traffic(Text name, Text label, std::span<const Choice> choices, Text help) {
  constexpr std::int64_t kInitial = initial(Member);
  return {.name = name, .topic = Topic::workload, .kind = FieldKind::choice, .label = label, .unit = "", .help = help, .tasks = kServing, .advanced = true,
          .defaults = {kInitial, kInitial, kInitial}, .choices = choices, .get = traffic<Member>, .set = set_traffic<Member>};
}

bool draws_evenly(const Inputs& inputs) { return inputs.workload.traffic.lengths == Lengths::even; }
bool draws_lognormally(const Inputs& inputs) { return !draws_evenly(inputs); }

bool shares_prefix(const Inputs& inputs) { return inputs.serving.shared_tokens > 0; }

template <auto Member> constexpr Field of_share(Text name, Text label, Text help) {
  constexpr std::int64_t kWhole = 1000;
  Field field = of_traffic<Member>(name, label, "", kWhole, help);
  field.defaults = {kWhole, kWhole, kWhole};
  field.needs = {shares_prefix, "Set shared_tokens"};
  return field;
}

bool has_no_trace(const Inputs& inputs) { return inputs.workload.traffic.trace.empty(); }
bool has_turns(const Inputs& inputs) { return inputs.workload.traffic.turns > 1; }

constexpr Field of_turns(Text name, Text label, Text help) {
  Field field = needing({has_no_trace, "Leave trace out"}, of_traffic<&Traffic::turns>(name, label, "requests", 1000, help));
  field.min = 1;
  field.defaults = {1, 1, 1};
  return field;
}

constexpr Field of_deviation(Text name, Text label, Text help) {
  constexpr std::int64_t kWhole = 1000;
  Field field = of_traffic<&Traffic::length_deviation>(name, label, "", 5 * kWhole, help);
  field.defaults = {kWhole, kWhole, kWhole};
  field.decimals = 3;
  field.former = name;
  field.needs = {draws_lognormally, "Choose lognormal or sharegpt as lengths"};
  return field;
}

bool finds_on_host(const Inputs& inputs) { return shares_prefix(inputs) && inputs.serving.host_cache_bytes > 0; }
bool finds_on_drives(const Inputs& inputs) { return shares_prefix(inputs) && inputs.serving.drive_cache_bytes > 0; }

template <auto Member> constexpr Field of_tier(Text name, Text label, Condition needs, Text help) {
  constexpr std::int64_t kWhole = 1000;
  return in_thousandths(name, needing(needs, of_traffic<Member>(name, label, "", kWhole, help)));
}

bool has_towers(const Inputs& inputs) { return !inputs.model.towers.empty(); }
bool has_pictures(const Inputs& inputs) { return inputs.workload.media.images > 0 || inputs.workload.media.video_frames > 0; }
bool has_media(const Inputs& inputs) { return inputs.workload.media.any(); }

template <auto Member> std::int64_t media(const Inputs& inputs) { return static_cast<std::int64_t>(inputs.workload.media.*Member); }
template <auto Member> void set_media(Inputs& inputs, std::int64_t value) {
  inputs.workload.media.*Member = static_cast<std::remove_cvref_t<decltype(inputs.workload.media.*Member)>>(value);
}
template <auto Member> constexpr Field of_media(Text name, Text label, Text unit, std::int64_t min, std::int64_t max, Condition needs, Text help) {
  constexpr std::int64_t kInitial = initial(Member);
  return {.name = name, .topic = Topic::workload, .kind = FieldKind::integer, .label = label, .unit = unit, .help = help, .tasks = kServing | kFinetuning, .advanced = true,
          .needs = needs, .min = min, .max = max, .defaults = {kInitial, kInitial, kInitial}, .get = media<Member>, .set = set_media<Member>};
}
constexpr Condition kTowers{has_towers, "Choose a model with a tower for images or sound"}, kPictures{has_pictures, "Set images or video_frames"};

bool has_own_lengths(const Inputs& inputs) { return inputs.workload.batching != Batching::packed; }

constexpr Field kFields[] = {
    {.name = "context_tokens",
     .topic = Topic::workload,
     .kind = FieldKind::integer,
     .label = "context",
     .unit = "tokens",
     .help = "Tokens per sequence: prompt and answer together when serving, the training sequence otherwise. "
             "Without a value, at most what the model was made for.",
     .min = 1,
     .max = 100'000'000,
     .defaults = {8192, 4096, 4096},
     .get = get<&Inputs::workload, &Workload::context_tokens>,
     .set = set<&Inputs::workload, &Workload::context_tokens>},
    {.name = "batch",
     .topic = Topic::workload,
     .kind = FieldKind::integer,
     .label = "batch",
     .unit = "sequences",
     .help = "Serving: sequences that one replica holds at once. Training: sequences per micro-batch on one GPU.",
     .min = 1,
     .max = 1'000'000,
     .defaults = {1, 1, 1},
     .get = get<&Inputs::workload, &Workload::batch>,
     .set = set<&Inputs::workload, &Workload::batch>},
    {.name = "batching",
     .topic = Topic::workload,
     .kind = FieldKind::choice,
     .label = "batching",
     .unit = "",
     .help = "How sequences of different lengths make up a micro-batch.",
     .tasks = kTraining,
     .advanced = true,
     .choices = kBatchings,
     .get = get<&Inputs::workload, &Workload::batching>,
     .set = set<&Inputs::workload, &Workload::batching>},
    {.name = "mean_tokens",
     .topic = Topic::workload,
     .kind = FieldKind::integer,
     .label = "mean length",
     .unit = "tokens",
     .help = "Tokens of a training sequence on average, where the context is that of the longest; 0 where all are as long as the context. "
             "Without padding a micro-batch is taken to have one sequence of the context's length and others of this one. With padding "
             "all take as many tokens as the longest, and a footprint's range begins where all are this long.",
     .tasks = kTraining,
     .advanced = true,
     .needs = {has_own_lengths, "Choose padded or padding_free as batching"},
     .min = 0,
     .max = 100'000'000,
     .defaults = {0, 0, 0},
     .get = get<&Inputs::workload, &Workload::mean_tokens>,
     .set = set<&Inputs::workload, &Workload::mean_tokens>},
    {.name = "micro_batches",
     .topic = Topic::workload,
     .kind = FieldKind::integer,
     .label = "micro-batches",
     .unit = "per step",
     .help = "Micro-batches that one replica runs before the optimizer steps: gradient accumulation, and what fills a pipeline.",
     .tasks = kTraining,
     .min = 1,
     .max = 1'000'000,
     .defaults = {1, 1, 1},
     .get = get<&Inputs::workload, &Workload::micro_batches>,
     .set = set<&Inputs::workload, &Workload::micro_batches>},
    {.name = "trains_prediction",
     .topic = Topic::workload,
     .kind = FieldKind::flag,
     .label = "multi-token prediction",
     .unit = "",
     .help = "The model's prediction layers train too: each predicts one token further, with a loss of its own (Megatron-LM's --mtp-num-layers).",
     .tasks = kTraining,
     .advanced = true,
     .needs = {has_prediction, "Choose a model with prediction layers"},
     .defaults = {0, 0, 0},
     .get = get<&Inputs::workload, &Workload::trains_prediction>,
     .set = set<&Inputs::workload, &Workload::trains_prediction>},
    {.name = "prefill_tokens",
     .topic = Topic::workload,
     .kind = FieldKind::integer,
     .label = "prefill pass",
     .unit = "tokens",
     .help = "The most tokens that one forward pass takes while prompts are read (chunked prefill); 0 for as many as the engine takes by "
             "itself.",
     .tasks = kServing,
     .advanced = true,
     .min = 0,
     .max = 100'000'000,
     .defaults = {0, 0, 0},
     .get = get<&Inputs::workload, &Workload::prefill_tokens>,
     .set = set<&Inputs::workload, &Workload::prefill_tokens>},
    of_media<&Media::images>("images", "images", "per sequence", 0, 100'000, kTowers,
                             "Images in each request or training sample. Their tokens are part of the context; the tower's pass over them is counted."),
    of_media<&Media::image_width>("image_width", "image width", "pixels", 1, 100'000, kPictures, "Width of an image or a frame, as it is sent."),
    of_media<&Media::image_height>("image_height", "image height", "pixels", 1, 100'000, kPictures, "Height of an image or a frame, as it is sent."),
    of_media<&Media::image_tokens>("image_tokens", "tokens of an image", "tokens", 0, 1'000'000, kPictures,
                                   "Tokens that one image takes of the context; 0 to follow the rule of the model's processor."),
    of_media<&Media::video_frames>("video_frames", "video frames", "per sequence", 0, 100'000, kTowers,
                                   "Frames of video in each request or sample, after those that the processor drops."),
    of_media<&Media::audio_seconds>("audio_seconds", "sound", "seconds", 0, 1'000'000, kTowers, "Seconds of sound in each request or training sample."),
    {.name = "train_towers",
     .topic = Topic::workload,
     .kind = FieldKind::flag,
     .label = "towers train",
     .unit = "",
     .help = "Towers for images or sound train with the language model; otherwise they are frozen, and keep nothing for a backward pass.",
     .tasks = kFinetuning,
     .advanced = true,
     .needs = {has_media, "Set images, video_frames or audio_seconds"},
     .defaults = {0, 0, 0},
     .get = media<&Media::trains_towers>,
     .set = set_media<&Media::trains_towers>},
    of_traffic<&Traffic::prompt_tokens>("prompt_tokens", "prompt", "tokens", 100'000'000,
                                        "Tokens of a request's prompt. With the answer's they make the context, unless that is stated. 0 = not asked about a load."),
    of_traffic<&Traffic::answer_tokens>("answer_tokens", "answer", "tokens", 100'000'000, "Tokens of a request's answer."),
    needing({draws_evenly, "Choose even as lengths"},
            of_traffic<&Traffic::length_spread>("length_spread", "spread of lengths", "thousandths", 999,
                                                "Prompts and answers are drawn evenly from so much below their length up to it: 200 is 80 to 100 %. 0 = all alike.")),
    of_traffic<&Traffic::lengths>("lengths", "lengths", kLengths,
                                  "How prompts and answers differ in length. Of lognormal ones none is longer than the context, by itself eight times the mean: what would be is cut."),
    of_deviation("length_deviation", "deviation of lengths", "The standard deviation of prompts and of answers over their mean: 1 is as much as the mean, 0 all alike."),
    of_traffic<&Traffic::concurrency>("concurrency", "concurrency", "requests", 1'000'000,
                                      "Requests that clients keep in flight, all replicas together: a new one begins when one ends."),
    in_thousandths("request_rate", of_traffic<&Traffic::request_rate>("request_rate", "request rate", "requests per second", 900'000'000,
                                                           "Requests that arrive in a second, all replicas together, however many are in flight: 2.5.")),
    of_turns("turns", "turns",
             "Requests of a conversation: each has all earlier prompts and answers in its own prompt, and comes after the last answer. A server that still has them in its cache reads "
             "only what is new."),
    needing({has_turns, "Set turns above 1"},
            of_traffic<&Traffic::turn_tokens>("turn_tokens", "tokens of a turn", "tokens", 100'000'000,
                                              "Tokens that each turn after the first adds to its conversation. By itself as many as the first prompt has beside the shared tokens.")),
    needing({has_turns, "Set turns above 1"},
            in_thousandths("think_ms", of_traffic<&Traffic::think_ms>("think_seconds", "thinking", "seconds", 900'000'000, "From an answer to the next turn, for which others may take the room in the cache."))),
    of_traffic<&Traffic::requests>("requests", "requests", "requests", 100'000'000,
                                   "Requests of the whole run, as benchmarks count them: with a concurrency the first ones arrive all at once. 0 = no end and no beginning."),
    of_traffic<&Traffic::arrivals>("arrivals", "arrivals", kArrivals, "How requests arrive that come by a rate."),
    in_thousandths("prefix_hits", of_share<&Traffic::prefix_hits>("prefix_hits", "prefix hits", "Share of requests that find the shared prefix in the cache, and read only what follows it.")),
    of_tier<&Traffic::host_hits>("host_hits", "hits on the host", {finds_on_host, "Set shared_tokens and host_cache_bytes"},
                                  "Share of requests that find the shared prefix in the host's cache instead, and wait until it is back."),
    of_tier<&Traffic::drive_hits>("drive_hits", "hits on drives", {finds_on_drives, "Set shared_tokens and drive_cache_bytes"},
                                   "Share of requests that find it on drives instead."),
    {.name = "trace",
     .topic = Topic::workload,
     .kind = FieldKind::text,
     .label = "trace",
     .unit = "",
     .help = "Requests one by one, in place of lengths and rates: of each the milliseconds at which it arrives, the tokens of its prompt and of its answer, "
             "all joined by commas: 0,1000,200,350,80,500 are two requests. plimsoll load --trace-file reads them from a file.",
     .tasks = kServing,
     .advanced = true,
     .min = 0,
     .max = 900'000'000,
     .list = [](const Inputs& inputs) -> const std::vector<std::int64_t>& { return inputs.workload.traffic.trace; },
     .set_list = [](Inputs& inputs, std::vector<std::int64_t> trace) { inputs.workload.traffic.trace = std::move(trace); }},
};

} // namespace

std::span<const Field> workload() noexcept { return rows_of<kFields>(); }
std::span<const Texts> workload_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
