#include "text/json_value.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

[[noreturn]] void wrong_kind(std::string_view wanted) { throw JsonError{"JSON: the value is no " + std::string{wanted}}; }

} // namespace

Json::Json(const Json& other) : kind_{other.kind_}, held_{other.held_} {
  if (kind_ == Kind::text) held_.text = new std::string{*other.held_.text};
  else if (kind_ == Kind::array) held_.array = new std::vector<Json>(*other.held_.array);
  else if (kind_ == Kind::object) held_.object = new Members(*other.held_.object);
}

void Json::release() noexcept {
  if (kind_ == Kind::text) delete held_.text;
  else if (kind_ == Kind::array) delete held_.array;
  else delete held_.object;
}

Json Json::object() {
  Json made;
  made.held_.object = new Members;
  made.kind_ = Kind::object;
  return made;
}

void Json::hold_text(std::string text) {
  held_.text = new std::string{std::move(text)};
  kind_ = Kind::text;
}

void Json::hold_array() {
  held_.array = new std::vector<Json>;
  kind_ = Kind::array;
}

Json Json::array(std::initializer_list<JsonInit> list) {
  Json made = array();
  made.held_.array->reserve(list.size());
  for (const JsonInit& element : list) made.held_.array->push_back(element.take());
  return made;
}

Json Json::of(std::initializer_list<JsonInit> list) {
  const bool pairs = std::ranges::all_of(list, [](const JsonInit& element) {
    const Json& value = element.value();
    return value.is_array() && value.size() == 2 && value.front().is_string();
  });
  if (!pairs) return array(list);
  Json made = object();
  made.held_.object->reserve(list.size());
  for (const JsonInit& element : list) {
    const Json pair = element.take();
    made.emplace(std::move(*(*pair.held_.array)[0].held_.text), std::move((*pair.held_.array)[1]));
  }
  return made;
}

bool Json::truth() const {
  if (kind_ != Kind::boolean) wrong_kind("truth value");
  return held_.truth;
}

double Json::real_number() const {
  switch (kind_) {
    case Kind::boolean: return held_.truth ? 1 : 0;
    case Kind::integer: return static_cast<double>(held_.integer);
    case Kind::unsigned_integer: return static_cast<double>(held_.natural);
    case Kind::real: return held_.real;
    default: wrong_kind("number");
  }
}

std::int64_t Json::whole_number() const {
  switch (kind_) {
    case Kind::boolean: return held_.truth ? 1 : 0;
    case Kind::integer: return held_.integer;
    case Kind::unsigned_integer: return static_cast<std::int64_t>(held_.natural);
    case Kind::real: {
      constexpr double kEnd = 9223372036854775808.0; // 2^63: a cast from there on is undefined
      if (!(held_.real >= -kEnd && held_.real < kEnd)) wrong_kind("whole number");
      return static_cast<std::int64_t>(held_.real);
    }
    default: wrong_kind("number");
  }
}

const std::string& Json::text() const {
  if (kind_ != Kind::text) wrong_kind("text");
  return *held_.text;
}

std::size_t Json::size() const noexcept {
  switch (kind_) {
    case Kind::null: return 0;
    case Kind::array: return held_.array->size();
    case Kind::object: return held_.object->size();
    default: return 1;
  }
}

const std::vector<Json>& Json::elements() const {
  if (kind_ != Kind::array) wrong_kind("array");
  return *held_.array;
}

namespace {

std::span<JsonMember> all_asked(std::span<JsonMember> members) {
  if (json_key_asked != nullptr)
    for (const JsonMember& member : members) json_key_asked(member.key);
  return members;
}

} // namespace

std::span<const JsonMember> Json::items() const noexcept { return const_cast<Json&>(*this).items(); }

std::span<JsonMember> Json::items() noexcept {
  if (kind_ != Kind::object) return {};
  return all_asked(*held_.object);
}

Json::const_iterator Json::begin() const noexcept {
  if (kind_ == Kind::array) return const_iterator{static_cast<const Json*>(held_.array->data())};
  return kind_ == Kind::object ? const_iterator{static_cast<const JsonMember*>(held_.object->data())} : const_iterator{};
}

Json::const_iterator Json::end() const noexcept {
  if (kind_ == Kind::array) return const_iterator{static_cast<const Json*>(held_.array->data() + held_.array->size())};
  return kind_ == Kind::object ? const_iterator{static_cast<const JsonMember*>(held_.object->data() + held_.object->size())} : const_iterator{};
}

Json::iterator Json::begin() noexcept {
  if (kind_ == Kind::array) return iterator{held_.array->data()};
  return kind_ == Kind::object ? iterator{held_.object->data()} : iterator{};
}

Json::iterator Json::end() noexcept {
  if (kind_ == Kind::array) return iterator{held_.array->data() + held_.array->size()};
  return kind_ == Kind::object ? iterator{held_.object->data() + held_.object->size()} : iterator{};
}

JsonMember* Json::member(std::string_view key) const noexcept {
  if (json_key_asked != nullptr) json_key_asked(key);
  return kind_ == Kind::object ? held_member(key) : nullptr;
}

JsonMember* Json::held_member(std::string_view key) const noexcept {
  for (JsonMember& member : *held_.object)
    if (member.key == key) return &member;
  return nullptr;
}

Json::const_iterator Json::find(std::string_view key) const noexcept {
  const JsonMember* const found = member(key);
  return found != nullptr ? const_iterator{found} : end();
}

Json::iterator Json::find(std::string_view key) noexcept {
  JsonMember* const found = member(key);
  return found != nullptr ? iterator{found} : end();
}

const Json* Json::look(std::string_view key) const noexcept {
  const JsonMember* const found = member(key);
  return found != nullptr ? &found->value : nullptr;
}

const Json& Json::at(std::string_view key) const {
  const Json* const found = look(key);
  if (found == nullptr) throw JsonError{"JSON: there is no key “" + std::string{key} + "”"};
  return *found;
}

Json& Json::at(std::string_view key) { return const_cast<Json&>(std::as_const(*this).at(key)); }

const Json& Json::at(std::size_t index) const {
  const std::vector<Json>& all = elements();
  if (index >= all.size()) throw JsonError{"JSON: the array has " + std::to_string(all.size()) + " elements, and none numbered " + std::to_string(index)};
  return all[index];
}

Json& Json::operator[](std::string_view key) {
  if (json_key_asked != nullptr) json_key_asked(key);
  return put(key);
}

Json& Json::put(std::string_view key) {
  if (kind_ == Kind::null) *this = object();
  if (kind_ != Kind::object) wrong_kind("object");
  if (JsonMember* const found = held_member(key)) return found->value;
  return held_.object->emplace_back(std::string{key}, Json{}).value;
}

Json& Json::push_back(Json element) {
  if (kind_ == Kind::null) hold_array();
  if (kind_ != Kind::array) wrong_kind("array");
  return held_.array->emplace_back(std::move(element));
}

void Json::emplace(std::string key, Json value) {
  if (kind_ == Kind::null) *this = object();
  if (kind_ != Kind::object) wrong_kind("object");
  if (member(key) == nullptr) held_.object->push_back({std::move(key), std::move(value)});
}

Json::Placed Json::place(std::string key, Json value) {
  if (kind_ == Kind::null) *this = object();
  if (kind_ != Kind::object) wrong_kind("object");
  if (JsonMember* const found = held_member(key)) return {found->value = std::move(value), false};
  return {held_.object->emplace_back(std::move(key), std::move(value)).value, true};
}

bool Json::erase(std::string_view key) {
  if (kind_ != Kind::object) return false;
  return std::erase_if(*held_.object, [&](const JsonMember& member) { return member.key == key; }) > 0;
}

void Json::update(const Json& other) {
  if (other.kind_ != Kind::object) return;
  for (const auto& [key, value] : *other.held_.object) put(key) = value;
}

void Json::merge_patch(const Json& patch) {
  if (!patch.is_object()) {
    *this = patch;
    return;
  }
  if (!is_object()) *this = object();
  for (const auto& [key, value] : *patch.held_.object) {
    if (value.is_null()) erase(key);
    else put(key).merge_patch(value);
  }
}

bool operator==(const Json& left, const Json& right) noexcept {
  using Kind = Json::Kind;
  if (left.is_number() && right.is_number()) {
    if (left.kind_ == Kind::real || right.kind_ == Kind::real) return left.real_number() == right.real_number();
    if (left.kind_ == right.kind_) return left.held_.natural == right.held_.natural;
    return left.held_.natural == right.held_.natural && left.held_.integer >= 0; // one of them is above what the other can say
  }
  if (left.kind_ != right.kind_) return false;
  switch (left.kind_) {
    case Kind::null: return true;
    case Kind::boolean: return left.held_.truth == right.held_.truth;
    case Kind::text: return *left.held_.text == *right.held_.text;
    case Kind::array: return *left.held_.array == *right.held_.array;
    default:
      return std::ranges::equal(*left.held_.object, *right.held_.object,
                                [](const JsonMember& one, const JsonMember& other) { return one.key == other.key && one.value == other.value; });
  }
}

} // namespace plimsoll::io
