"""Builds the wheel and the sdist (PEP 517): CMake makes the package, this packs it. Nothing but the standard library."""

import base64
import csv
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What the package is built from, and nothing that only tests need.
SOURCES = ("CMakeLists.txt", "LICENSE", "NOTICE", "README.md", "pyproject.toml", "cli", "cmake", "core", "python", "web/plimsoll-element-style.mjs")
BESIDE = ("build", "__pycache__")
EPOCH = (1980, 1, 1, 0, 0, 0)    # equal sources give equal archives


def version():
    """As the project has it, in one place."""
    return re.search(r"project\(plimsoll VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def metadata():
    readme = (ROOT / "python/README.md").read_text(encoding="utf-8")
    return "\n".join([
        "Metadata-Version: 2.1", "Name: plimsoll", f"Version: {version()}", "Summary: What a large language model needs: memory, time and money, with every byte explained",
        "License: MIT", "Requires-Python: >=3.10", "Keywords: llm,gpu,memory,vram,estimator,kv-cache", "Classifier: Programming Language :: C++",
        "Classifier: Programming Language :: Python :: 3", "Classifier: Typing :: Typed", "Description-Content-Type: text/markdown", "", readme])


def tag():
    """Of this interpreter on this machine."""
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{python}-{python}-{re.sub(r'[-.]', '_', sysconfig.get_platform())}"


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: left with {done.returncode}\n{done.stdout}{done.stderr}")


def given_pybind11():
    """Where the module of that name says that its CMake files are; Debian's are found anyway."""
    try:
        import pybind11
    except ImportError:
        return []
    return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]


def package_files(folder):
    """Installs the package below a folder; PLIMSOLL_BUILD is a build folder to take it from, made with PLIMSOLL_PYTHON=ON by this interpreter."""
    built = os.environ.get("PLIMSOLL_BUILD")
    build = pathlib.Path(built) if built else folder / "build"
    if not built:
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        run("cmake", "-S", ROOT, "-B", build, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DPLIMSOLL_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}", *given_pybind11())
    run("cmake", "--build", build, "--target", "plimsoll_python", "--parallel", os.cpu_count() or 1)
    run("cmake", "--install", build, "--component", "python", "--strip", "--prefix", folder / "package")
    files = sorted(path for path in (folder / "package").rglob("*") if path.is_file())
    if not any(path.suffix == ".so" for path in files):
        sys.exit("there is no extension module in the package")
    return {path.relative_to(folder / "package").as_posix(): path.read_bytes() for path in files}


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as folder:
        files = package_files(pathlib.Path(folder))
    info = f"plimsoll-{version()}.dist-info"
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: plimsoll\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\nplimsoll = plimsoll.__main__:main\n"
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/NOTICE"] = (ROOT / "NOTICE").read_bytes()
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    for name, data in files.items():
        rows.writerow([name, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(), len(data)])
    rows.writerow([f"{info}/RECORD", "", ""])
    files[f"{info}/RECORD"] = record.getvalue().encode()
    name = f"plimsoll-{version()}-{tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
            wheel.writestr(entry, data)
    return name


def source_files():
    for source in SOURCES:
        path = ROOT / source
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            inside = file.relative_to(ROOT)
            if file.is_file() and not any(part in BESIDE for part in inside.parts):
                yield inside


def build_sdist(sdist_directory, config_settings=None):
    base = f"plimsoll-{version()}"

    def unnamed(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = 315532800    # of 1980
        return entry

    with tarfile.open(pathlib.Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        for file in source_files():
            archive.add(ROOT / file, f"{base}/{file.as_posix()}", filter=unnamed)
        about = metadata().encode()
        entry = unnamed(tarfile.TarInfo(f"{base}/PKG-INFO"))
        entry.size = len(about)
        archive.addfile(entry, io.BytesIO(about))
    return f"{base}.tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    """What is neither on this machine nor comes with it."""
    wanted = [] if shutil.which("cmake") else ["cmake>=3.25"]
    headers = ("/usr/include/pybind11", "/usr/local/include/pybind11")
    return wanted if any(map(os.path.isdir, headers)) else [*wanted, "pybind11>=2.10"]


def get_requires_for_build_sdist(config_settings=None):
    return []
