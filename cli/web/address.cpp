#include "web/address.hpp"

#include "plimsoll/files/model_file.hpp"
#include "web/cache.hpp"
#include "web/environment.hpp"
#include "web/get.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

namespace plimsoll::cli {

namespace {

constexpr std::uint64_t kFirstBytes = 65'536; ///< holds a config.json, and the header of a small file of weights

struct Place {
  std::string url, token;
  bool never_changes = false; ///< a revision by its commit
  bool is_hub = false;
};

bool is_commit(std::string_view revision) {
  return revision.size() == 40 && std::ranges::all_of(revision, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_name(std::string_view text, std::string_view besides) {
  return !text.empty() && text.find("..") == std::string_view::npos &&
         std::ranges::all_of(text, [&](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("._-", c) != nullptr || besides.find(c) != besides.npos; });
}

/// "owner/name[@revision][/file]"; nothing where it is none.
std::optional<Place> on_hub(std::string_view text) {
  const std::size_t owner_end = text.find('/');
  const std::size_t name_end = std::min(text.find_first_of("@/", owner_end == text.npos ? 0 : owner_end + 1), text.size());
  const std::string_view repository = text.substr(0, name_end);
  std::string_view rest = text.substr(name_end), revision = "main", file = "config.json";
  if (rest.starts_with('@')) {
    revision = rest.substr(1, rest.find('/') - 1);
    rest.remove_prefix(std::min(rest.find('/'), rest.size()));
  }
  if (rest.starts_with('/')) file = rest.substr(1);
  if (!is_name(repository, "/") || repository.ends_with('/') || !is_name(revision, "%+") || !is_name(file, "/%+ ")) return {};
  Place place;
  const std::string endpoint = environment("HF_ENDPOINT");
  place.url = (endpoint.empty() ? "https://huggingface.co" : endpoint) + "/" + std::string{repository} + "/resolve/" + std::string{revision} + "/";
  for (const char c : file) place.url += c == ' ' ? std::string{"%20"} : std::string{c};
  place.token = environment("HF_TOKEN");
  place.never_changes = is_commit(revision);
  place.is_hub = true;
  return place;
}

class Reader {
public:
  Reader(std::string text, Place place, Issues& issues) : text_(std::move(text)), place_(std::move(place)), issues_(issues) {
    if (const std::string seconds = environment("HF_HUB_DOWNLOAD_TIMEOUT"); !seconds.empty()) patience_s_ = std::max(1L, std::atol(seconds.c_str()));
  }

  FileStart read(bool offline) {
    const std::optional<CachedFile> known = cached(place_.url);
    if (known && (offline || place_.never_changes)) return start_of(*known);
    if (offline) return refuse(text_ + " was not fetched before.", "Leave out --offline (and HF_HUB_OFFLINE), or give the file itself.");
    const WebAnswer first = ask(0, kFirstBytes, known ? known->etag : "");
    if (first.failure.empty() && first.status == 304 && known) return start_of(*known);
    if (!is_good(first)) return {};
    CachedFile file{first.etag, std::max<std::uint64_t>(first.size, first.bytes.size()), {}};
    const bool whole = io::read_header(file.bytes, file.size, [&](char* to, std::size_t count) { return piece(first, file, to, count); });
    if (has_errors(issues_)) return {};
    if (!whole) return refuse(text_ + " ended before all of its header was sent.", "Try again.");
    keep(place_.url, file);
    return start_of(file);
  }

private:
  FileStart refuse(std::string message, std::string remedy) {
    issues_.push_back({Severity::error, "", std::move(message), std::move(remedy)});
    return {};
  }

  FileStart start_of(const CachedFile& file) const {
    const std::string path = place_.url.substr(0, place_.url.find_first_of("?#"));
    return {file.bytes, file.size, path.substr(path.rfind('/') + 1)};
  }

  WebAnswer ask(std::uint64_t first, std::uint64_t count, const std::string& etag) const {
    return get({.url = place_.url, .token = place_.token, .known_etag = etag, .first = first, .count = count, .patience_s = patience_s_});
  }

  /// Bytes that follow those of the file so far: from the first answer while it lasts.
  std::size_t piece(const WebAnswer& first, const CachedFile& file, char* to, std::size_t count) {
    const std::size_t at = file.bytes.size() - count; // read_header() made room for them
    std::size_t got = 0;
    if (at < first.bytes.size()) {
      got = std::min(count, first.bytes.size() - at);
      std::memcpy(to, first.bytes.data() + at, got);
    }
    if (got == count) return got;
    const WebAnswer next = ask(at + got, count - got, "");
    if (!is_good(next)) return got;
    if (next.etag != first.etag) {
      refuse(text_ + " changed while it was read.", "Try again.");
      return got;
    }
    std::memcpy(to + got, next.bytes.data(), next.bytes.size());
    return got + next.bytes.size();
  }

  bool is_good(const WebAnswer& answer) {
    if (!answer.failure.empty()) refuse(text_ + " " + answer.failure + " (" + place_.url + ").", "Try again, give the file itself, or with --offline take what was fetched before.");
    else if (answer.status == 401 || answer.status == 403) refuse(text_ + " may not be read: the server answers " + std::to_string(answer.status) + " (" + place_.url + ").", allowed());
    else if (answer.status == 404) refuse(text_ + " is not there (" + place_.url + ").", place_.is_hub ? "Check owner, name and revision; a repository without config.json needs a file named: hf:owner/name/FILE.gguf." : "Check the address.");
    else if (answer.status != 200 && answer.status != 206) refuse(text_ + ": the server answers " + std::to_string(answer.status) + " (" + place_.url + ").", "Try again later, or give the file itself.");
    else return true;
    return false;
  }

  std::string allowed() const {
    if (!place_.is_hub) return "Fetch the file with a program that may, and give its path.";
    if (place_.token.empty()) return "The repository is private, gated or misspelt: check its name, or set HF_TOKEN to a token that may read it.";
    return "HF_TOKEN may not read it: accept the model's terms on its page, or check the name.";
  }

  std::string text_;
  Place place_;
  Issues& issues_;
  long patience_s_ = 10;
};

} // namespace

bool is_address(std::string_view text) { return text.starts_with("hf:") || text.starts_with("https://") || text.starts_with("http://"); }

FileStart read_address(const std::string& text, Issues& issues, bool offline) {
  std::optional<Place> place = text.starts_with("hf:") ? on_hub(std::string_view{text}.substr(3)) : Place{text, "", false, false};
  if (!place) {
    issues.push_back({Severity::error, "", "\"" + text + "\" names no file of the hub.", "Write hf:owner/name, hf:owner/name@revision or hf:owner/name/FILE.gguf."});
    return {};
  }
  const std::string everywhere = environment("HF_HUB_OFFLINE");
  return Reader{text, std::move(*place), issues}.read(offline || (!everywhere.empty() && everywhere != "0"));
}

} // namespace plimsoll::cli
