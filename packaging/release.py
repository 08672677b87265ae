"""Fills the manifests of package managers in, and writes checksums and a bill of materials of what a release has.

usage: release.py --repository URL --commit HASH FOLDER        FOLDER holds the archives; what is written goes beside them

A template is filled in where the archives that it names by checksum are there; the others are named. The version is CMakeLists.txt's.
"""

import argparse
import hashlib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ARCHIVES = {"SHA256_SOURCE": "plimsoll-{version}.tar.gz", "SHA256_WINDOWS": "plimsoll-{version}-Windows-x86_64.zip"}
SUMS = "SHA256SUMS"
BILL = "plimsoll.spdx.json"


def version():
    return re.search(r"^project\(plimsoll VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def third_parties():
    """What is compiled in, as scripts and CMake pin it: name, version, where from, its checksum."""
    text = (ROOT / "cmake/Dependencies.cmake").read_text()
    for url, digest in re.findall(r"(https://\S+?)\s+(?:URL_HASH\s+)?SHA256=([0-9a-f]{64})", text):
        name, number = re.search(r"github\.com/[^/]+/([^/]+)/(?:releases/download|archive/refs/tags)/v?([\d.]+\d)", url).groups()
        if name != "Catch2":  # of tests
            yield name, number, url, digest


def bill_of_materials(files, commit):
    """SPDX 2.3: spdx.github.io/spdx-spec/v2.3."""
    parts = [{"SPDXID": "SPDXRef-plimsoll", "name": "plimsoll", "versionInfo": version(), "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
              "licenseDeclared": "MIT", "sourceInfo": f"commit {commit}"}]
    parts += [{"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": number, "downloadLocation": url, "filesAnalyzed": False,
               "checksums": [{"algorithm": "SHA256", "checksumValue": digest}]} for name, number, url, digest in third_parties()]
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"plimsoll-{version()}",
        "documentNamespace": f"https://spdx.org/spdxdocs/plimsoll-{version()}-{commit}",
        "creationInfo": {"creators": ["Organization: The authors of Plimsoll"], "created": "1970-01-01T00:00:00Z"},
        "packages": parts,
        "files": [{"SPDXID": f"SPDXRef-file-{i}", "fileName": f"./{path.name}", "checksums": [{"algorithm": "SHA256", "checksumValue": sha256(path)}]} for i, path in enumerate(files)],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-plimsoll"}]
        + [{"spdxElementId": "SPDXRef-plimsoll", "relationshipType": "STATIC_LINK", "relatedSpdxElement": part["SPDXID"]} for part in parts[1:]],
    }


def fill(text, values):
    return re.sub(r"@([A-Z0-9_]+)@", lambda found: values[found[1]], text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repository", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("folder", type=pathlib.Path)
    given = parser.parse_args()
    values = {"VERSION": version(), "REPOSITORY": given.repository.rstrip("/"), "COMMIT": given.commit}
    for key, name in ARCHIVES.items():
        if (path := given.folder / name.format(version=values["VERSION"])).exists():
            values[key] = sha256(path)
    for template in sorted(ROOT.glob("packaging/*/*.in")):
        text = template.read_text()
        lacks = sorted(set(re.findall(r"@([A-Z0-9_]+)@", text)) - set(values))
        if lacks:
            print(f"left out: {template.relative_to(ROOT)}, for want of {', '.join(ARCHIVES[key].format(version=values['VERSION']) for key in lacks)}", file=sys.stderr)
            continue
        (given.folder / template.stem).write_text(fill(text, values))
    files = sorted(path for path in given.folder.iterdir() if path.is_file() and path.name not in (SUMS, BILL))
    (given.folder / BILL).write_text(json.dumps(bill_of_materials(files, given.commit), indent=1) + "\n")
    (given.folder / SUMS).write_text("".join(f"{sha256(path)}  {path.name}\n" for path in [*files, given.folder / BILL]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
