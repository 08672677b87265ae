#include "text/json.hpp"

#include "text/json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <vector>

namespace plimsoll::io {

namespace {

constexpr std::size_t kShown = 60;
// Values are written and destroyed by recursion.
constexpr std::size_t kMostDepth = 64;

std::string place(std::string_view text, std::size_t byte) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    if (text[i] == '\n') ++line, column = 1;
    else ++column;
  }
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

std::string shortened(std::string text) {
  if (text.size() <= kShown) return text;
  std::size_t cut = kShown;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut; // not inside a UTF-8 sequence
  return text.substr(0, cut) + "…";
}

/// What a text would build, read off its punctuation outside strings.
struct Shape {
  std::size_t depth = 0; ///< of nested brackets
  std::size_t keys = 0;
};

Shape shape_of(std::string_view text) {
  Shape shape;
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      else if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      shape.depth = std::max(shape.depth, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    } else if (c == ':') {
      ++shape.keys;
    }
  }
  return shape;
}

/// Text in which Python's numbers are quoted, and where quotes were put in: errors must name places of the original.
struct Quoted {
  std::string text;
  std::vector<std::size_t> inserted; ///< positions in `text`, ascending

  std::size_t original(std::size_t byte) const {
    return byte - static_cast<std::size_t>(std::ranges::lower_bound(inserted, byte) - inserted.begin());
  }
};

Quoted quote_python_numbers(std::string_view text) {
  static constexpr std::string_view kNumbers[] = {"-Infinity", "Infinity", "NaN"};
  Quoted quoted;
  quoted.text.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\' && i + 1 < text.size()) quoted.text += text[i++];
      else if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '-' || c == 'I' || c == 'N') {
      const auto number = std::ranges::find_if(kNumbers, [&](std::string_view word) { return text.substr(i).starts_with(word); });
      if (number != std::end(kNumbers)) {
        quoted.inserted.push_back(quoted.text.size());
        quoted.text += '"' + std::string{*number};
        quoted.inserted.push_back(quoted.text.size());
        quoted.text += '"';
        i += number->size() - 1;
        continue;
      }
    }
    quoted.text += text[i];
  }
  return quoted;
}

/// What the library's parser asks for, handed on.
class Handler {
public:
  explicit Handler(JsonEvents& events) : events_(events) {}

  bool null() { return events_.on_null(); }
  bool boolean(bool value) { return events_.on_boolean(value); }
  bool number_integer(std::int64_t value) { return events_.on_integer(value); }
  bool number_unsigned(std::uint64_t value) { return events_.on_unsigned(value); }
  bool number_float(double value, const std::string& text) { return events_.on_real(value, text); }
  bool string(std::string& text) { return events_.on_string(text); }
  bool binary(std::vector<std::uint8_t>&) { return true; } // of other formats than JSON
  bool start_object(std::size_t) { return events_.on_object_begin(); }
  bool key(std::string& text) { return events_.on_key(text); }
  bool end_object() { return events_.on_object_end(); }
  bool start_array(std::size_t) { return events_.on_array_begin(); }
  bool end_array() { return events_.on_array_end(); }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) {
    return events_.on_error(byte, dynamic_cast<const nlohmann::detail::out_of_range*>(&error) != nullptr);
  }

private:
  JsonEvents& events_;
};

/// Makes a value of what is read.
class Builder : public JsonEvents {
public:
  Json value;
  std::vector<std::string> duplicates;
  std::size_t wrong_at = 0; ///< a byte, counted from 1
  bool too_large = false;

  bool on_null() override { return add(Json{}); }
  bool on_boolean(bool truth) override { return add(Json(truth)); }
  bool on_integer(std::int64_t number) override { return add(Json(number)); }
  bool on_unsigned(std::uint64_t number) override { return add(Json(number)); }
  bool on_real(double number, std::string_view) override { return add(Json(number)); }
  bool on_string(std::string& text) override { return add(Json(std::move(text))); }
  bool on_key(std::string& text) override {
    key_ = std::move(text);
    return true;
  }
  bool on_object_begin() override { return open(Json::object()); }
  bool on_object_end() override { return close(); }
  bool on_array_begin() override { return open(Json::array()); }
  bool on_array_end() override { return close(); }
  bool on_error(std::size_t byte, bool too_large_a_number) override {
    wrong_at = byte, too_large = too_large_a_number;
    return false;
  }

private:
  /// Of a key that comes twice the last value counts.
  Json& put(Json element) {
    if (open_.empty()) return value = std::move(element);
    Json& within = *open_.back();
    if (within.is_array()) return within.push_back(std::move(element));
    const auto [placed, is_new] = within.place(key_, std::move(element));
    if (!is_new) duplicates.push_back(key_);
    return placed;
  }
  bool add(Json element) {
    put(std::move(element));
    return true;
  }
  // Nothing is added to what surrounds an open value until it is closed, so that its place stays.
  bool open(Json container) {
    open_.push_back(&put(std::move(container)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<Json*> open_;
  std::string key_;
};

/// `text` is what is parsed, `original` what somebody wrote, in which `place_of` finds a byte of `text` again.
template <class PlaceOf> ParsedJson parse(std::string_view text, std::string_view original, JsonLimits limits, PlaceOf place_of) {
  ParsedJson parsed;
  if (original.size() > limits.bytes) {
    parsed.error = "The text is " + std::to_string(original.size()) + " bytes long; at most " + std::to_string(limits.bytes) + " are read.";
    return parsed;
  }
  const Shape shape = shape_of(text);
  if (shape.keys > limits.keys) {
    parsed.error = "The JSON has more than " + std::to_string(limits.keys) + " keys.";
    return parsed;
  }
  if (shape.depth > kMostDepth) {
    parsed.error = "The JSON is nested more than " + std::to_string(kMostDepth) + " levels deep.";
    return parsed;
  }
  Builder builder;
  parsed.ok = read_json_events(text, builder);
  if (parsed.ok) parsed.value = std::move(builder.value), parsed.duplicates = std::move(builder.duplicates);
  else if (builder.too_large) parsed.error = "The JSON holds a number that is too large to read.";
  else parsed.error = "The text is not valid JSON: it goes wrong at " + place(original, place_of(builder.wrong_at)) + ".";
  return parsed;
}

/// The shortest digits that are read as this number; JSON has none for what is not finite.
void write_real(double number, std::string& out) {
  char digits[32];
  if (std::isfinite(number)) out.append(digits, nlohmann::detail::to_chars(digits, std::end(digits), number));
  else out += "null";
}

template <class Integer> void write_integer(Integer number, std::string& out) {
  char digits[24];
  out.append(digits, std::to_chars(digits, std::end(digits), number).ptr);
}

/// Between brackets: on one line, or each element on a line of its own, so many spaces deep.
class Writer {
public:
  Writer(std::string& out, bool indented) : out_(out), indented_(indented) {}

  void write(const Json& value) {
    switch (value.kind()) {
      case Json::Kind::null: out_ += "null"; return;
      case Json::Kind::boolean: out_ += value.get<bool>() ? "true" : "false"; return;
      case Json::Kind::integer: return write_integer(value.get<std::int64_t>(), out_);
      case Json::Kind::unsigned_integer: return write_integer(value.get<std::uint64_t>(), out_);
      case Json::Kind::real: return write_real(value.get<double>(), out_);
      case Json::Kind::text: return write_json_text(value.text(), out_);
      case Json::Kind::array: return write_list('[', value, ']', [&](const Json& element) { write(element); });
      case Json::Kind::object:
        return write_list('{', value.items(), '}', [&](const JsonMember& member) {
          write_json_text(member.key, out_);
          out_ += indented_ ? ": " : ":";
          write(member.value);
        });
    }
  }

private:
  template <class List, class WriteOne> void write_list(char open, const List& list, char close, WriteOne write_one) {
    out_ += open;
    depth_ += 2;
    bool first = true;
    for (const auto& one : list) {
      if (!std::exchange(first, false)) out_ += ',';
      new_line();
      write_one(one);
    }
    depth_ -= 2;
    if (!first) new_line();
    out_ += close;
  }
  void new_line() {
    if (indented_) out_.append(1, '\n').append(depth_, ' ');
  }

  std::string& out_;
  bool indented_;
  std::size_t depth_ = 0;
};

std::string written(const Json& value, bool indented) {
  std::string out;
  Writer{out, indented}.write(value);
  return out;
}

} // namespace

bool read_json_events(std::string_view text, JsonEvents& events) {
  Handler handler{events};
  return nlohmann::json::sax_parse(text.begin(), text.end(), &handler);
}

ParsedJson parse_json(std::string_view text, JsonLimits limits) {
  return parse(text, text, limits, [](std::size_t byte) { return byte; });
}

ParsedJson parse_python_json(std::string_view text, JsonLimits limits) {
  if (text.size() > limits.bytes) return parse_json(text, limits);
  const Quoted quoted = quote_python_numbers(text);
  return parse(quoted.text, text, limits, [&](std::size_t byte) { return quoted.original(byte); });
}

std::string dump(const Json& value) { return written(value, false); }

std::string dump_indented(const Json& value) { return written(value, true); }

std::string quoted(const Json& value) { return shortened(dump(value)); }

std::string quoted(std::string_view text) {
  std::string valid = dump(Json(std::string{text.substr(0, 4 * kShown)}));
  valid = valid.substr(1, valid.size() - 2);
  return "“" + shortened(valid) + "”";
}

} // namespace plimsoll::io
