"""The files of a release: manifests of package managers are filled in whole, checksums and the bill of materials name every file, and the linters that
Debian has find nothing.

usage: release.py PLIMSOLL
"""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMIT = "0123456789ab"


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, f"{words}: left with {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def check_versions(plimsoll, version):
    """One version: CMakeLists.txt says it, and the program, the change log and the citation follow."""
    assert run(plimsoll, "--version").split()[0] == version
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text()
    for name in ("web/package.json.in", "mcp/package.json.in"):
        assert f'"version": "@PROJECT_VERSION@"' in (ROOT / name).read_text(), name


def check_filled(folder, version):
    source, windows = folder / f"plimsoll-{version}.tar.gz", folder / f"plimsoll-{version}-Windows-x86_64.zip"
    source.write_bytes(b"source")
    script = ROOT / "packaging/release.py"
    said = run(sys.executable, script, "--repository", "https://example.org/plimsoll/", "--commit", COMMIT, folder)
    assert "left out: packaging/scoop/plimsoll.json.in, for want of" in said, said
    windows.write_bytes(b"windows")
    assert "left out" not in run(sys.executable, script, "--repository", "https://example.org/plimsoll/", "--commit", COMMIT, folder)
    digest = hashlib.sha256(b"source").hexdigest()
    for name in ("plimsoll.rb", "meta.yaml", "Plimsoll.Plimsoll.yaml", "plimsoll.json"):
        text = (folder / name).read_text()
        assert version in text and not re.search(r"@[A-Z0-9_]+@", text), name
    assert digest in (folder / "plimsoll.rb").read_text() and digest in (folder / "meta.yaml").read_text()
    assert json.loads((folder / "plimsoll.json").read_text())["architecture"]["64bit"]["hash"] == hashlib.sha256(b"windows").hexdigest()
    sums = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == {path.name for path in folder.iterdir()} - {"SHA256SUMS"}, sums
    assert all(hashlib.sha256((folder / name).read_bytes()).hexdigest() == value for name, value in sums.items())
    bill = json.loads((folder / "plimsoll.spdx.json").read_text())
    names = {part["name"] for part in bill["packages"]}
    assert {"plimsoll", "json", "libyaml", "tomlplusplus", "CLI11"} <= names and "Catch2" not in names, names
    ids = [one["SPDXID"] for one in bill["packages"] + bill["files"]]
    assert len(ids) == len(set(ids))


def check_lint(folder):
    yaml = [".github/workflows/release.yml", ".github/workflows/site.yml", folder / "Plimsoll.Plimsoll.yaml", folder / "meta.yaml"]
    run("yamllint", "-d", "{extends: default, rules: {line-length: disable, document-start: disable, truthy: {check-keys: false}, braces: disable, comments: disable}}", *yaml)
    run("shellcheck", "-x", "scripts/release")


def main(plimsoll):
    missing = [tool for tool in ("yamllint", "shellcheck") if not shutil.which(tool)]
    if missing:
        sys.exit(f"cannot check the files of a release: there is no {', no '.join(missing)}; scripts/setup test installs them")
    version = re.search(r"^project\(plimsoll VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    check_versions(plimsoll, version)
    with tempfile.TemporaryDirectory() as name:
        check_filled(pathlib.Path(name), version)
        check_lint(pathlib.Path(name))
    return 0


sys.exit(main(*sys.argv[1:]))
