#pragma once
// A JSON value: null, boolean, number, text, array, or object whose keys keep their order.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace plimsoll::io {

class Json;
struct JsonMember;
class JsonInit;

/// A value is not of the kind that was asked for, or has no such element. Only data of ours may meet it: what a user hands in is
/// looked at before it is read.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace json_detail {
template <class T> constexpr bool kOwn = std::is_same_v<T, Json> || std::is_same_v<T, JsonInit>; ///< incomplete where the others are asked
template <class T>
concept Text = !std::is_null_pointer_v<T> && std::is_convertible_v<const T&, std::string_view>;
template <class T>
concept List = !Text<T> && requires(const T& list) { std::begin(list), std::end(list); };
template <class T>
concept Value = std::is_same_v<T, std::nullptr_t> || std::is_arithmetic_v<T> || Text<T> || List<T>;
} // namespace json_detail

/// A test that looks for keys of data which nobody reads sets it: told of every key that is asked for. Else null.
inline void (*json_key_asked)(std::string_view key) = nullptr;

class Json {
public:
  /// Numbers keep how they were written: 5 and -5 are integers, 5.0 is not.
  enum class Kind : std::uint8_t { null, boolean, integer, unsigned_integer, real, text, array, object };
  using Members = std::vector<JsonMember>;

  /// Over the elements of an array or the values of an object; empty for anything else.
  template <bool kConst> class Iterator;
  using iterator = Iterator<false>;
  using const_iterator = Iterator<true>;

  Json() noexcept {}
  Json(const Json& other);
  Json(Json&& other) noexcept : kind_{std::exchange(other.kind_, Kind::null)}, held_{std::exchange(other.held_, Held{})} {}
  Json& operator=(Json other) noexcept {
    std::swap(kind_, other.kind_), std::swap(held_, other.held_);
    return *this;
  }
  ~Json() {
    if (kind_ >= Kind::text) release();
  }

  /// Of a number, a truth value, a text, or a list of such.
  template <class T>
    requires(!json_detail::kOwn<std::remove_cvref_t<T>> && json_detail::Value<std::remove_cvref_t<T>>)
  Json(T&& value) {
    using Plain = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<Plain, bool>) kind_ = Kind::boolean, held_.truth = value;
    else if constexpr (std::is_floating_point_v<Plain>) kind_ = Kind::real, held_.real = static_cast<double>(value);
    else if constexpr (std::is_integral_v<Plain> && std::is_signed_v<Plain>) kind_ = Kind::integer, held_.integer = static_cast<std::int64_t>(value);
    else if constexpr (std::is_integral_v<Plain>) kind_ = Kind::unsigned_integer, held_.natural = static_cast<std::uint64_t>(value);
    else if constexpr (std::is_same_v<T, std::string>) hold_text(std::move(value));
    else if constexpr (json_detail::Text<Plain>) hold_text(std::string{std::string_view{value}});
    else if constexpr (json_detail::List<Plain>) {
      hold_array();
      for (const auto& element : value) push_back(Json(element));
    }
  }

  /// {{"key", value}, …} is an object; any other list is an array.
  Json(std::initializer_list<JsonInit> list) : Json(of(list)) {}
  static Json array() {
    Json made;
    made.hold_array();
    return made;
  }
  static Json array(std::initializer_list<JsonInit> list);
  static Json object();
  static Json object(std::initializer_list<JsonInit> list) { return list.size() == 0 ? object() : of(list); }

  Kind kind() const noexcept { return kind_; }
  bool is_null() const noexcept { return kind_ == Kind::null; }
  bool is_boolean() const noexcept { return kind_ == Kind::boolean; }
  bool is_number() const noexcept { return kind_ >= Kind::integer && kind_ <= Kind::real; }
  bool is_number_integer() const noexcept { return kind_ == Kind::integer || kind_ == Kind::unsigned_integer; }
  bool is_number_unsigned() const noexcept { return kind_ == Kind::unsigned_integer; }
  bool is_number_float() const noexcept { return kind_ == Kind::real; }
  bool is_string() const noexcept { return kind_ == Kind::text; }
  bool is_array() const noexcept { return kind_ == Kind::array; }
  bool is_object() const noexcept { return kind_ == Kind::object; }

  /// As bool, a number (of any kind of number, or a truth value), std::string, or std::vector of one of these. Throws JsonError.
  template <class T> T get() const {
    if constexpr (std::is_same_v<T, Json>) return *this;
    else if constexpr (std::is_same_v<T, bool>) return truth();
    else if constexpr (std::is_arithmetic_v<T>) return number<T>();
    else if constexpr (std::is_same_v<T, std::string>) return text();
    else {
      T list;
      for (const Json& element : elements()) list.push_back(element.get<typename T::value_type>());
      return list;
    }
  }
  /// Throws JsonError when it is no text.
  const std::string& text() const;

  /// Elements of an array, members of an object, else 0 of null and 1.
  std::size_t size() const noexcept;
  bool empty() const noexcept { return size() == 0; }

  /// The elements of an array; throws JsonError when it is none.
  const std::vector<Json>& elements() const;
  /// The members of an object, in their order; none of anything else.
  std::span<const JsonMember> items() const noexcept;
  std::span<JsonMember> items() noexcept;

  iterator begin() noexcept;
  iterator end() noexcept;
  const_iterator begin() const noexcept;
  const_iterator end() const noexcept;

  /// Where the key of an object is; end() when it is no object.
  const_iterator find(std::string_view key) const noexcept;
  iterator find(std::string_view key) noexcept;
  bool contains(std::string_view key) const noexcept { return look(key) != nullptr; }
  /// The value of a key, or null when there is none.
  const Json* look(std::string_view key) const noexcept;

  /// Throws JsonError when there is no such key or element.
  const Json& at(std::string_view key) const;
  Json& at(std::string_view key);
  const Json& at(std::size_t index) const;
  const Json& at(int index) const { return at(static_cast<std::size_t>(index)); } // a literal 0 might be a text, too
  const Json& operator[](std::string_view key) const { return at(key); }
  const Json& operator[](std::size_t index) const { return at(index); }
  /// Null becomes an object, and a key that is not there is added with null.
  Json& operator[](std::string_view key);
  Json& operator[](std::size_t index) { return const_cast<Json&>(std::as_const(*this).at(index)); }
  const Json& operator[](int index) const { return at(static_cast<std::size_t>(index)); }
  Json& operator[](int index) { return (*this)[static_cast<std::size_t>(index)]; }
  template <std::size_t n> const Json& operator[](const char (&key)[n]) const { return at(std::string_view{key}); }
  template <std::size_t n> Json& operator[](const char (&key)[n]) { return (*this)[std::string_view{key}]; }
  const Json& front() const { return at(std::size_t{0}); }
  const Json& back() const { return at(size() - 1); }
  Json& back() { return const_cast<Json&>(std::as_const(*this).back()); }

  /// The value of a key, or another where there is no such key.
  template <class T> T value(std::string_view key, T otherwise) const {
    const Json* const found = look(key);
    return found == nullptr ? std::move(otherwise) : found->get<T>();
  }
  std::string value(std::string_view key, const char* otherwise) const { return value(key, std::string{otherwise}); }

  /// Null becomes an array.
  Json& push_back(Json element);
  template <class T> Json& emplace_back(T&& element) { return push_back(Json(std::forward<T>(element))); }
  /// Adds a member, unless there is one of this key.
  void emplace(std::string key, Json value);
  /// The member of this key gets the value, or is added.
  struct Placed {
    Json& value;
    bool is_new;
  };
  Placed place(std::string key, Json value);
  /// True when there was one.
  bool erase(std::string_view key);
  /// Members of the other object replace those of the same key, or are added.
  void update(const Json& other);
  /// RFC 7386: like update(), within objects too; null takes a member away.
  void merge_patch(const Json& patch);

  /// Numbers are equal where their values are, however they are written; objects where their members are, in the same order.
  friend bool operator==(const Json& left, const Json& right) noexcept;

private:
  union Held {
    std::uint64_t natural = 0;
    std::int64_t integer;
    bool truth;
    double real;
    std::string* text;
    std::vector<Json>* array;
    Members* object;
  };

  static Json of(std::initializer_list<JsonInit> list);
  JsonMember* member(std::string_view key) const noexcept; ///< of whatever kind of value; its key is asked for
  JsonMember* held_member(std::string_view key) const noexcept;
  Json& put(std::string_view key);
  void hold_text(std::string text);
  void hold_array();
  void release() noexcept;
  bool truth() const;
  /// Two kinds of number that a program asks for; the third, std::uint64_t, has the bits of the second.
  double real_number() const;
  std::int64_t whole_number() const;
  template <class T> T number() const {
    if constexpr (std::is_floating_point_v<T>) return static_cast<T>(real_number());
    else return static_cast<T>(whole_number());
  }

  Kind kind_ = Kind::null;
  Held held_;
};

struct JsonMember {
  std::string key;
  Json value;
};

/// An element of a list in braces, which std::initializer_list would only lend for copying.
class JsonInit {
public:
  template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, JsonInit> && std::is_constructible_v<Json, T>)
  JsonInit(T&& value) : value_(std::forward<T>(value)) {}
  JsonInit(std::initializer_list<JsonInit> list) : value_(list) {}

  const Json& value() const noexcept { return value_; }
  Json take() const noexcept { return std::move(value_); }

private:
  mutable Json value_;
};

template <bool kConst> class Json::Iterator {
public:
  using difference_type = std::ptrdiff_t;
  using value_type = Json;
  using reference = std::conditional_t<kConst, const Json&, Json&>;
  using pointer = std::conditional_t<kConst, const Json*, Json*>;
  using Member = std::conditional_t<kConst, const JsonMember, JsonMember>;
  using iterator_category = std::forward_iterator_tag;

  Iterator() noexcept = default;
  explicit Iterator(pointer element) noexcept : element_{element} {}
  explicit Iterator(Member* member) noexcept : member_{member} {}
  operator Iterator<true>() const noexcept
    requires(!kConst)
  {
    return member_ != nullptr ? Iterator<true>{static_cast<const JsonMember*>(member_)} : Iterator<true>{static_cast<const Json*>(element_)};
  }

  reference operator*() const noexcept { return member_ != nullptr ? member_->value : *element_; }
  pointer operator->() const noexcept { return &**this; }
  reference value() const noexcept { return **this; }
  const std::string& key() const noexcept { return member_->key; } ///< of an object's iterator alone
  Iterator& operator++() noexcept {
    if (member_ != nullptr) ++member_;
    else ++element_;
    return *this;
  }
  Iterator operator++(int) noexcept {
    const Iterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Iterator&, const Iterator&) noexcept = default;

private:
  pointer element_ = nullptr;
  Member* member_ = nullptr;
};

} // namespace plimsoll::io
