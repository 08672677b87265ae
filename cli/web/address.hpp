#pragma once
// Models by address: only as much of a file is fetched as its header takes.

#include "files.hpp"
#include "plimsoll/method/issue.hpp"

#include <string>
#include <string_view>

namespace plimsoll::cli {

/// "hf:owner/name", or one of the web.
bool is_address(std::string_view text);

/// The header of what stands there. "hf:owner/name[@revision][/file]" is a file of the Hugging Face hub, config.json where none is named; of the web
/// https and http are read. `offline`, or HF_HUB_OFFLINE=1: only what was fetched before. Issues name what is wrong, and the way out.
///
/// HF_TOKEN goes to the hub, and nowhere else; HF_ENDPOINT is another hub; HF_HUB_DOWNLOAD_TIMEOUT the seconds to wait for an answer, 10 where
/// none are given; CURL_CA_BUNDLE or SSL_CERT_FILE the certificates to trust.
FileStart read_address(const std::string& text, Issues& issues, bool offline);

} // namespace plimsoll::cli
