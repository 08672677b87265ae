// Rules of processors. Sources: huggingface/transformers, models/qwen2_vl/image_processing_qwen2_vl.py (smart_resize), models/pixtral/
// image_processing_pixtral.py and processing_pixtral.py, models/gemma3/processing_gemma3.py, models/gemma4/
// image_processing_gemma4.py (get_aspect_ratio_preserving_size); OpenGVLab/InternVL, dynamic_preprocess; models/qwen2_5_omni, models/voxtral, models/gemma3n/processing_gemma3n.py for sound.
#include "plimsoll/method/media.hpp"

#include <algorithm>

namespace plimsoll {

namespace {

struct Size {
  std::int64_t width, height;
};

/// To the nearest multiple, halves to the even one, as Python rounds.
std::int64_t rounded(std::int64_t length, std::int64_t unit) noexcept {
  const std::int64_t whole = length / unit, twice = 2 * (length % unit);
  return (twice > unit || (twice == unit && whole % 2 != 0) ? whole + 1 : whole) * unit;
}

/// `length` times the root of `area` / `of`, in whole units: the largest number of them within it, or the smallest that reaches it.
std::int64_t scaled(std::int64_t length, Count area, Count of, std::int64_t unit, bool up) noexcept {
  std::int64_t below = 0, above = 1'000'000; // units
  while (above - below > 1) {
    const std::int64_t middle = below + (above - below) / 2;
    const Count side = Count{middle} * Count{unit}, reached = side * (side * of), wanted = Count{length} * (Count{length} * area);
    ((up ? reached < wanted : reached <= wanted) ? below : above) = middle;
  }
  return std::max<std::int64_t>(up ? above : below, 1);
}

/// Tokens along both sides.
Size grid_of(const Tower& tower, Size image) noexcept {
  const std::int64_t unit = std::max<std::int64_t>(tower.side.value, 1);
  const Size size{std::max(rounded(image.width, unit), unit), std::max(rounded(image.height, unit), unit)};
  const Count area = Count{image.width} * Count{image.height}, made = Count{size.width} * Count{size.height};
  const bool large = tower.most > Count{0} && made > tower.most;
  if (!large && made >= tower.least) return {size.width / unit, size.height / unit};
  const Count wanted = large ? tower.most : tower.least;
  return {scaled(image.width, wanted, area, unit, !large), scaled(image.height, wanted, area, unit, !large)};
}

/// The same where every image is enlarged or shrunk to an area.
Size whole_area(const Tower& tower, Count pixels, Size image) noexcept {
  const std::int64_t unit = std::max<std::int64_t>(tower.side.value, 1), most = std::max<std::int64_t>(pixels.value / unit / unit, 1);
  const Count area = Count{image.width} * Count{image.height};
  const Size size{scaled(image.width, pixels, area, unit, false), scaled(image.height, pixels, area, unit, false)};
  return {std::min(size.width, most), std::min(size.height, most)}; // strips are one token wide
}

Size rows_of(const Tower& tower, Size image) noexcept {
  const std::int64_t unit = std::max<std::int64_t>(tower.side.value, 1), longest = std::max(image.width, image.height);
  Size size = image;
  if (tower.most > Count{0} && longest > tower.most.value) {
    const auto side = [&](std::int64_t length) { return std::max<std::int64_t>((Count{length} * tower.most).value / longest, 1); };
    size = {side(image.width), side(image.height)};
  }
  return {(size.width - 1) / unit + 1, (size.height - 1) / unit + 1};
}

/// The shape of tiles nearest to the image's, of those with at most so many tiles; of equal ones the larger where the image fills half of it.
std::int64_t tiles_of(const Tower& tower, Size image) noexcept {
  const std::int64_t most = std::clamp<std::int64_t>(tower.most.value, 1, 64);
  std::int64_t tiles = 1;
  Count nearest{1}, of{0}; // the difference of the two shapes as a fraction; at first without end
  for (std::int64_t n = 1; n <= most; ++n)
    for (std::int64_t across = 1; across <= n; ++across) {
      if (n % across != 0) continue;
      const std::int64_t down = n / across, apart = image.width * down - across * image.height;
      const Count difference{apart < 0 ? -apart : apart}, one = difference * of, other = nearest * Count{down};
      const bool fills = Count{2} * (Count{image.width} * Count{image.height}) > tower.side * (tower.side * Count{n});
      if (one < other || (one == other && fills)) nearest = difference, of = Count{down}, tiles = n;
    }
  return tiles > 1 ? tiles + 1 : 1; // the whole image once more
}

MediaLoad sound(const Tower& tower, const Media& media) noexcept {
  Count seconds{media.audio_seconds};
  if (seconds == Count{0}) return {};
  if (tower.least > Count{0}) seconds = ceil_div(seconds, tower.least) * tower.least;
  const Count patches = seconds * tower.patches;
  const Count items{tower.least > Count{0} ? seconds.value / tower.least.value : 1};
  return {.items = items, .patches_of_each = ceil_div(patches, items), .tokens = ceil_div(patches, tower.join)};
}

MediaLoad of_grid(const Tower& tower, Size grid) noexcept {
  const Count tokens = Count{grid.width} * Count{grid.height};
  return {.items = Count{1}, .patches_of_each = tokens * tower.join, .tokens = tokens};
}

MediaLoad of_one_image(const Tower& tower, const Media& media) noexcept {
  if (media.image_tokens > 0) return {.items = Count{1}, .patches_of_each = Count{media.image_tokens} * tower.join, .tokens = Count{media.image_tokens}};
  const Size image{media.image_width, media.image_height};
  switch (tower.rule) {
    case TokenRule::fixed: return {.items = Count{1}, .patches_of_each = tower.patches, .tokens = ceil_div(tower.patches, tower.join)};
    case TokenRule::grid: return of_grid(tower, grid_of(tower, image));
    case TokenRule::area: return of_grid(tower, whole_area(tower, tower.most, image));
    case TokenRule::rows: {
      const Size grid = rows_of(tower, image);
      return {.items = Count{1}, .patches_of_each = Count{grid.width} * Count{grid.height} * tower.join, .tokens = Count{grid.height} * Count{grid.width + 1}};
    }
    case TokenRule::tiles: {
      const Count tiles{tiles_of(tower, image)};
      return {.items = tiles, .patches_of_each = tower.patches, .tokens = tiles * ceil_div(tower.patches, tower.join)};
    }
    case TokenRule::unknown:
    case TokenRule::seconds: break;
  }
  return {.items = {}, .patches_of_each = {}, .tokens = {}, .known = false};
}

} // namespace

MediaLoad media_load(const Tower& tower, const Media& media) noexcept {
  if (tower.kind == TensorKind::audio) return sound(tower, media);
  const Count images{media.images}, frames = ceil_div(Count{media.video_frames}, max(tower.frames, Count{1}));
  if (images + frames == Count{0}) return {};
  MediaLoad load = of_one_image(tower, media);
  const bool apart = tower.frame_most > Count{0} && media.image_tokens == 0;
  const MediaLoad frame = apart ? of_grid(tower, whole_area(tower, tower.frame_most, {media.image_width, media.image_height})) : load;
  if (images == Count{0}) load.patches_of_each = frame.patches_of_each;
  load.tokens = load.tokens * images + frame.tokens * frames;
  load.items = load.items * (images + frames);
  return load;
}

Count media_tokens(const Model& model, const Media& media) noexcept {
  Count tokens;
  for (const Tower& tower : model.towers) tokens += media_load(tower, media).tokens;
  return tokens;
}

} // namespace plimsoll
