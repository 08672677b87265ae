"""The files of the repository, and what a check reports about them."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Problem:
    """One broken convention: where, what is wrong, what to do."""

    path: str
    line: int
    wrong: str
    remedy: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.wrong} {self.remedy}"


class Repository:
    """Reads files by their path relative to the root, written with '/'."""

    def __init__(self, root):
        self.root = Path(root)
        self.paths = sorted(_git_paths(self.root) or _walked_paths(self.root))

    def under(self, *folders, suffixes=None):
        """Paths inside any of the folders, with one of the suffixes."""
        for path in self.paths:
            if folders and not path.startswith(tuple(f"{folder}/" for folder in folders)):
                continue
            if suffixes is None or path.endswith(suffixes):
                yield path

    def text(self, path):
        """The text of a file; "" for one that is not text."""
        try:
            return (self.root / path).read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            return ""

    def lines(self, path):
        return self.text(path).splitlines()

    def code(self, path, keep_strings=False):
        """The lines of a C++ file without its comments and, unless asked for, without what its strings say."""
        return without_comments(self.text(path), keep_strings).splitlines()


def _git_paths(root):
    """Tracked files, and new ones that are not ignored; None where this is no git checkout."""
    command = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        result = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError:
        return None
    if result.returncode != 0:
        return None
    names = [name for name in result.stdout.decode("utf-8").split("\0") if name]
    return [name for name in names if (root / name).is_file()]


def _walked_paths(root):
    """All files, for a copy without git (an unpacked archive): without what our .gitignore names."""
    ignored = {".git", ".deps", "build", "node_modules"}
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ignored]
        found += [Path(folder, name).relative_to(root).as_posix() for name in names]
    return found


_TOKEN = re.compile(r'R"(?P<tag>[^()\s\\]*)\(.*?\)(?P=tag)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])\'',
                    re.DOTALL)


def without_comments(text, keep_strings=False):
    """C++ text with comments (and the insides of strings) replaced by spaces, so that line numbers stay."""

    def blank(match):
        token = match.group(0)
        if keep_strings and not token.startswith("/"):
            return token
        quote = '"' if '"' in token[:2] and not token.startswith("/") else " "
        return quote + re.sub(r"[^\n]", " ", token[1:-1]) + (quote if len(token) > 1 else "")

    return _TOKEN.sub(blank, text)
