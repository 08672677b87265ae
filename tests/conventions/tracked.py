"""Conventions on what may stand in the repository at all."""

import re

from repository import Problem

BUILT = re.compile(r"(^|/)(build|dist|out|node_modules|\.deps|__pycache__|CMakeFiles)/|\.(o|a|so|obj|exe|dll|wasm|pyc|log|tgz)$|"
                   r"(^|/)CMakeCache\.txt$")
# Names under which other people's code is usually copied in.
VENDORED = re.compile(r"(^|/)(third_party|thirdparty|vendor|vendored|extern|external|deps)/|"
                      r"(^|/)(imgui(_\w+)?\.(cpp|h)|imstb_\w+\.h|catch_amalgamated\.\w+|CLI11\.hpp|json\.hpp|stb_\w+\.h)$")
OWN = {"core/text/json.hpp", "tests/support/json.hpp"}    # headers of ours with a name of that kind

# A path or host of one machine. Written in pieces, so that this file does not find itself.
MACHINE = re.compile("|".join(("/work" + "/", "/home" + r"/\w", "/root" + "/", "/Users" + r"/\w", r"[A-Z]:\\\\Users",
                               "deb" + r"\.debian\.org", "registry" + r"\.npmjs\.org", "pypi" + r"\.org")))
TEMPORARY = re.compile(r"/tmp" + "/")
TEMPORARY_IS_MEANT = re.compile(r"mktemp|TMPDIR")

# What makes a browser fetch: attributes, CSS, imports, fetch(). A link that a reader clicks (<a href>) is text.
REMOTE = r"""["'(\s]*(?:https?:)?//[\w.-]+\.\w"""
LOADS = re.compile(rf"""(?:<(?:script|img|iframe|source|video|audio|embed|use|image)\b[^>]*\b(?:src|href|xlink:href|srcset)\s*=\s*{REMOTE}|"""
                   rf"""<(?:link|object|base)\b[^>]*\b(?:href|data)\s*=\s*{REMOTE}|@import\s+(?:url\()?{REMOTE}|url\(\s*{REMOTE}|"""
                   rf"""\b(?:from|import)\s*\(?\s*["'](?:https?:)?//|\b(?:fetch|WebSocket|EventSource|sendBeacon|importScripts|Worker)\(\s*{REMOTE})""",
                   re.IGNORECASE)
LINK_THAT_LOADS_NOTHING = re.compile(r"<link\b[^>]*\brel\s*=\s*[\"']?(?:canonical|license|author|me)\b", re.IGNORECASE)


def check_no_build_outputs(repository):
    for path in repository.paths:
        if BUILT.search(path):
            yield Problem(path, 1, "this was made by a build.", "Remove it from git; .gitignore keeps build/ and .deps/ out.")


def check_no_vendored_code(repository):
    for path in repository.paths:
        if VENDORED.search(path) and path not in OWN:
            yield Problem(path, 1, "this looks like a copy of somebody else's code.",
                          "Let cmake/Dependencies.cmake provide it; add it to OWN if it is ours.")


def check_no_machine_paths(repository):
    for path in repository.paths:
        for number, line in enumerate(repository.lines(path), 1):
            if found := MACHINE.search(line):
                yield Problem(path, number, f"'{found.group(0)}' is a place of one machine.", "Derive it, or let it be an argument.")
            elif TEMPORARY.search(line) and not TEMPORARY_IS_MEANT.search(line):
                yield Problem(path, number, "a fixed path for temporary files: two runs at once would meet there.", "Use mktemp.")


def check_page_loads_its_own_files(repository):
    """The page sends nothing anywhere."""
    for path in repository.under("public", "web", suffixes=(".html", ".css", ".mjs", ".js", ".svg")):
        text = repository.text(path)
        for found in LOADS.finditer(text):
            if LINK_THAT_LOADS_NOTHING.match(found.group(0)):
                continue
            number = text.count("\n", 0, found.start()) + 1
            yield Problem(path, number, f"another host is asked: {' '.join(found.group(0).split())}", "Ship the file with the site.")
