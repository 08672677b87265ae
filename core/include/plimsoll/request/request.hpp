#pragma once
// What somebody typed, kept as text until it is resolved, so that nothing typed is ever lost. URL queries, JSON objects,
// command-line flags, JS objects and the app's rows all become a Request, and take the same road from there.

#include "plimsoll/method/issue.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

struct Entry {
  std::string name; ///< a field's name; others are reported, not dropped
  std::string text; ///< as typed
  bool operator==(const Entry&) const = default;
};

class Request {
public:
  /// Replaces the entry of that name, or adds one.
  void set(std::string_view name, std::string_view text);
  void erase(std::string_view name);
  /// The text of that name, or null.
  const std::string* find(std::string_view name) const noexcept;
  const std::vector<Entry>& entries() const noexcept { return entries_; }
  bool operator==(const Request&) const = default;

private:
  std::vector<Entry> entries_;
};

/// The most entries that are read from one text: several times the number of fields. What follows is refused with an issue, so
/// that a text of a million unknown names cannot keep anybody waiting.
inline constexpr std::size_t kMostEntries = 512;

/// What a person's change of one input does: sets it, and takes back what depended on the former choice (another model drops
/// changed facts of the last one, another device its usable memory).
void edit(Request& request, std::string_view name, std::string_view text);

/// Reads "model=llama-3-8b&batch=4", with or without a leading '?' or '#', percent-encoding and '+' for space. A key that
/// stands twice gets an issue and the last value; a key without '=' reads as empty text; at most 1 MiB and kMostEntries are read.
Request request_from_query(std::string_view query, Issues& issues);

/// "model=llama-3-8b&batch=4", without '?'. Reading it gives the same request.
std::string to_query(const Request& request);

/// Reads a JSON object of field names to strings, whole numbers or booleans; anything else gets an issue naming the key.
Request request_from_json(std::string_view text, Issues& issues);

/// Whether an answer to it reads a config: its model is described by one or by sizes, or facts of a model are changed. A program that is loaded in parts
/// needs its readers of configs for that; models of the catalogue as they are were read when it was built.
bool reads_config(const Request& request);

/// model=custom and the shortest config that imports to the same model: what a pasted config.json becomes.
Request request_of_config(std::string_view config);

} // namespace plimsoll::io
