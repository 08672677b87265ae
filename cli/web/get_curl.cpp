// libcurl is loaded when an address is asked for: linked, its thirty libraries would take four times as long to load as a question to answer.

#include "web/environment.hpp"
#include "web/get.hpp"

#include <curl/curl.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <memory>
#include <string_view>

namespace plimsoll::cli {

namespace {

struct Library {
  void* handle = nullptr;
  decltype(&curl_easy_init) init = nullptr;
  decltype(&curl_easy_setopt) set = nullptr;
  decltype(&curl_easy_perform) perform = nullptr;
  decltype(&curl_easy_getinfo) info = nullptr;
  decltype(&curl_easy_cleanup) cleanup = nullptr;
  decltype(&curl_easy_strerror) text = nullptr;
  decltype(&curl_slist_append) append = nullptr;
  decltype(&curl_slist_free_all) free_all = nullptr;
  bool complete = false;

  Library() {
    for (const char* const name : {"libcurl.so.4", "libcurl-gnutls.so.4"})
      if (handle == nullptr) handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    complete = handle != nullptr && find(init, "curl_easy_init") && find(set, "curl_easy_setopt") && find(perform, "curl_easy_perform") && find(info, "curl_easy_getinfo") &&
               find(cleanup, "curl_easy_cleanup") && find(text, "curl_easy_strerror") && find(append, "curl_slist_append") && find(free_all, "curl_slist_free_all");
  }

private:
  template <class Function> bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
  }
};

/// What arrives, until there is enough of it.
struct Arriving {
  const WebQuestion& question;
  WebAnswer& answer;
  const Library& library;
  CURL* curl = nullptr;
  std::uint64_t skipped = 0; ///< of a server that sends everything
  bool enough = false;
};

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::size_t take_bytes(char* data, std::size_t, std::size_t count, void* user) {
  Arriving& arriving = *static_cast<Arriving*>(user);
  WebAnswer& answer = arriving.answer;
  long status = 0;
  arriving.library.info(arriving.curl, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200 && status != 206) return count; // words for people, which are not shown
  std::string_view bytes{data, count};
  if (status == 200 && arriving.skipped < arriving.question.first) {
    const std::size_t skip = static_cast<std::size_t>(std::min<std::uint64_t>(arriving.question.first - arriving.skipped, bytes.size()));
    arriving.skipped += skip;
    bytes.remove_prefix(skip);
  }
  const std::uint64_t wanted = arriving.question.count - answer.bytes.size();
  answer.bytes.append(bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(wanted, bytes.size()))));
  arriving.enough = answer.bytes.size() == arriving.question.count;
  return arriving.enough && bytes.size() > wanted ? 0 : count; // 0 ends the transfer: a server without ranges would send gigabytes
}

std::size_t take_header(char* data, std::size_t, std::size_t count, void* user) {
  WebAnswer& answer = static_cast<Arriving*>(user)->answer;
  std::string_view line{data, count};
  if (line.starts_with("HTTP/")) answer.etag.clear(), answer.size = 0; // of the next server
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return count;
  std::string name{line.substr(0, colon)};
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string_view value = line.substr(colon + 1);
  value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
  value = value.substr(0, value.find_last_not_of(" \t\r\n") + 1);
  if (name == "etag") answer.etag = value;
  if (name == "content-range" && value.find('/') != std::string_view::npos) answer.size = number_of(value.substr(value.find('/') + 1));
  if (name == "content-length" && answer.size == 0) answer.size = number_of(value);
  return count;
}

std::string failure_of(CURLcode code, const Library& library, const WebQuestion& question) {
  if (code == CURLE_OPERATION_TIMEDOUT) return "took longer than " + std::to_string(question.patience_s) + " s to answer";
  if (code == CURLE_PARTIAL_FILE || code == CURLE_GOT_NOTHING) return "ended before all of it was sent";
  if (code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT) return "cannot be reached";
  return std::string{"cannot be fetched: "} + library.text(code);
}

} // namespace

WebAnswer get(const WebQuestion& question) {
  WebAnswer answer;
  static const Library library;
  const std::unique_ptr<CURL, decltype(library.cleanup)> curl{library.complete ? library.init() : nullptr, library.cleanup};
  if (!curl) {
    answer.failure = "cannot be fetched: libcurl is not installed on this machine (libcurl4 on Debian)";
    return answer;
  }
  Arriving arriving{question, answer, library, curl.get()};
  const std::string range = std::to_string(question.first) + "-" + std::to_string(question.first + question.count - 1);
  const std::string known = "If-None-Match: " + question.known_etag;
  const std::unique_ptr<curl_slist, decltype(library.free_all)> headers{question.known_etag.empty() ? nullptr : library.append(nullptr, known.c_str()), library.free_all};
  const auto set = [&](CURLoption option, auto value) { library.set(curl.get(), option, value); };
  set(CURLOPT_URL, question.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_REDIR_PROTOCOLS_STR, question.url.starts_with("https:") ? "https" : "http,https");
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, 10L);
  set(CURLOPT_RANGE, range.c_str());
  set(CURLOPT_USERAGENT, "plimsoll");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_CONNECTTIMEOUT, question.patience_s);
  set(CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(CURLOPT_LOW_SPEED_TIME, question.patience_s);
  for (const char* const name : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"}) // as the program curl has it: whom else to trust
    if (const std::string trusted = environment(name); !trusted.empty()) {
      set(CURLOPT_CAINFO, trusted.c_str());
      break;
    }
  if (headers) set(CURLOPT_HTTPHEADER, headers.get());
  if (!question.token.empty()) {
    set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BEARER));
    set(CURLOPT_XOAUTH2_BEARER, question.token.c_str());
  }
  set(CURLOPT_WRITEFUNCTION, &take_bytes);
  set(CURLOPT_WRITEDATA, static_cast<void*>(&arriving));
  set(CURLOPT_HEADERFUNCTION, &take_header);
  set(CURLOPT_HEADERDATA, static_cast<void*>(&arriving));
  const CURLcode code = library.perform(curl.get());
  library.info(curl.get(), CURLINFO_RESPONSE_CODE, &answer.status);
  if (code != CURLE_OK && !(arriving.enough && code == CURLE_WRITE_ERROR)) answer.failure = failure_of(code, library, question);
  return answer;
}

} // namespace plimsoll::cli
