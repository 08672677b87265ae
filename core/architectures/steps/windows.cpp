#include "architectures/steps/steps.hpp"

#include "text/value.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

template <class T> bool covers(ModelBuilder& draft, const std::vector<T>& list, NameList names, std::size_t layers) {
  ConfigReader& read = draft.read;
  if (draft.read.failed() && list.empty()) return false; // said already
  if (list.size() >= layers || (!list.empty() && read.overridden("layers"))) return true; // some list prediction layers at the end
  std::string_view found;
  read.find_any(Names{names.begin(), names.size()}, found);
  read.report(Severity::error, found, read.path_of(found) + " has " + std::to_string(list.size()) + " entries for " + std::to_string(layers) + " layers.",
              "Give one entry for each layer.");
  return false;
}

constexpr NameList kPattern{"sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers"};

/// Files state the pattern as a number n (every n-th layer looks at everything) or as letters, L for a window and G for everything.
std::vector<bool> pattern(ModelBuilder& draft, std::size_t layers) {
  ConfigReader& read = draft.read;
  std::vector<bool> slides(layers, true);
  std::string_view found;
  const Json* stated = read.find_any(Names{kPattern.begin(), kPattern.size()}, found);
  if (stated != nullptr && stated->is_string() && !read.overridden("full_attention_interval")) {
    const std::string letters = stated->get<std::string>();
    const bool good = !letters.empty() && letters.find_first_not_of("LG") == std::string::npos;
    if (!good) {
      read.report(Severity::error, found, read.path_of(found) + " is " + quoted(*stated) + ", where a number or letters L and G are needed.", "Correct the value in the file.");
      return slides;
    }
    for (std::size_t i = 0; i < layers; ++i) slides[i] = letters[i % letters.size()] == 'L';
    return slides;
  }
  const auto every = static_cast<std::size_t>(read.integer("full_attention_interval", kPattern, std::max<std::int64_t>(1, draft.family.window_pattern)));
  for (std::size_t i = 0; i < layers; ++i) slides[i] = (i + 1) % every != 0;
  return slides;
}

std::vector<bool> by_rule(ModelBuilder& draft, std::size_t layers) {
  std::vector<bool> slides(layers, false);
  switch (draft.family.window) {
    case WindowRule::none:
    case WindowRule::own: break;
    case WindowRule::all_layers: slides.assign(layers, true); break;
    case WindowRule::when_switched_on: {
      const auto full = static_cast<std::size_t>(draft.read.number({"max_window_layers"}, {0, 10'000}, 28));
      if (draft.read.says({"use_sliding_window"}, false))
        for (std::size_t i = full; i < layers; ++i) slides[i] = true;
      break;
    }
    case WindowRule::every_second:
      for (std::size_t i = 0; i < layers; i += 2) slides[i] = true;
      break;
    case WindowRule::all_but_every_nth: return pattern(draft, layers);
  }
  return slides;
}

bool attends(const Layer& layer) { return layer.attention.query_heads > Count{0} && !layer.encoder; }

} // namespace

std::optional<std::vector<std::string>> layer_words(ModelBuilder& draft, NameList names, std::size_t layers) {
  auto list = draft.read.words(names);
  if (list && !covers(draft, *list, names, layers)) return std::nullopt;
  return list;
}

std::optional<std::vector<std::int64_t>> layer_numbers(ModelBuilder& draft, NameList names, Range range, std::size_t layers) {
  auto list = draft.read.numbers(names, range);
  if (list && !covers(draft, *list, names, layers)) return std::nullopt;
  return list;
}

bool check_words(ModelBuilder& draft, const std::vector<std::string>& words, std::string_view name, NameList known) {
  for (const std::string& word : words)
    if (std::ranges::none_of(known, [&](const char* other) { return word == other; })) {
      draft.read.report(Severity::error, name, draft.read.path_of(name) + " names " + quoted(std::string_view{word}) + ", a kind of layer that is not covered yet.",
                        "Covered in this family are " + joined_with_or({known.begin(), known.end()}) + ".");
      return false;
    }
  return true;
}

void read_windows(ModelBuilder& draft) {
  std::vector<bool> slides(draft.layers(), false);
  const Family& family = draft.family;
  if (family.window == WindowRule::own) return;
  if (family.window == WindowRule::none) return set_windows(draft, slides, 0);
  const std::int64_t window = draft.read.integer("sliding_window", names::kWindow, draft.read.says_null("sliding_window") ? 0 : family.window_size);
  if (const auto types = layer_words(draft, {"layer_types"}, draft.layers())) {
    if (check_words(draft, *types, "layer_types", {"full_attention", "sliding_attention"}))
      for (std::size_t i = 0; i < slides.size(); ++i) slides[i] = by_layer(*types, i) == "sliding_attention";
  } else {
    slides = by_rule(draft, draft.layers());
  }
  set_windows(draft, slides, window);
}

void set_windows(ModelBuilder& draft, std::vector<bool> slides, std::int64_t standard_window) {
  ConfigReader& read = draft.read;
  std::vector<std::size_t> attention;
  for (std::size_t i = 0; i < draft.layers(); ++i)
    if (attends(draft.out.layers[i])) attention.push_back(i);
  const auto of_all = static_cast<std::int64_t>(attention.size());
  std::int64_t window = read.fact("sliding_window", standard_window);
  // A window beyond the longest context never takes effect (Phi-3.5 writes 262,144 over 131,072).
  const std::int64_t context = draft.out.max_context.value;
  if (!read.overridden("sliding_window") && (window == 0 || (context > 0 && window >= context))) slides.assign(draft.layers(), false);
  const auto sliding = [&] { return std::ranges::count_if(attention, [&](std::size_t i) { return slides[i]; }); };
  if (read.overridden("sliding_layers")) {
    const std::int64_t wanted = read.fact("sliding_layers", 0);
    if (wanted > of_all) {
      read.report_at("sliding_layers", std::to_string(wanted) + " sliding-window layers are more than the model's " + std::to_string(of_all) + " attention layers.",
                     "Write at most " + std::to_string(of_all) + ".");
      return;
    }
    for (std::int64_t i = 0; i < of_all; ++i) slides[attention[static_cast<std::size_t>(i)]] = (i + 1) * wanted / of_all > i * wanted / of_all;
  }
  if (read.fact("sliding_layers", sliding()) > 0 && window < 1) {
    read.report_at(read.where("sliding_window"), "Sliding-window layers need a window of at least one token.",
                   "Write the window in tokens, or set sliding_layers to 0.");
    return;
  }
  if (sliding() == 0) read.fact("sliding_window", 0);
  for (const std::size_t i : attention) {
    if (!slides[i]) continue;
    draft.out.layers[i].attention.pattern = AttentionPattern::sliding;
    draft.out.layers[i].attention.window = Count{window};
  }
}

} // namespace plimsoll::io
