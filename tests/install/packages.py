"""Makes the packages, unpacks them elsewhere, and starts the programs that are in them.

usage: packages.py CPACK BUILD_FOLDER VERSION
"""

import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

# what packing for Debian starts, and a screen for the app
NEEDS = {"dpkg-deb": "dpkg", "dpkg-shlibdeps": "dpkg-dev", "file": "file", "xvfb-run": "xvfb"}
ICONS = ("scalable/apps/plimsoll.svg", "192x192/apps/plimsoll.png", "512x512/apps/plimsoll.png")


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: left with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def keys_of(desktop_file):
    lines = desktop_file.read_text().splitlines()
    assert lines[0] == "[Desktop Entry]"
    return dict(line.split("=", 1) for line in lines[1:])


def check_programs(usr, version):
    """The command line answers, the app opens a window, and the desktop finds both the app and its icon."""
    assert version in run(usr / "bin/plimsoll", "--version")
    for written in ("man/man1/plimsoll.1", "bash-completion/completions/plimsoll", "zsh/site-functions/_plimsoll", "fish/vendor_completions.d/plimsoll.fish"):
        assert (usr / "share" / written).stat().st_size > 1000, written
    assert "20.3 GiB" in run(usr / "bin/plimsoll", "estimate", "--model", "llama-3-8b", "--device", "rtx4090", "--context-tokens", "8192", "--batch", "4")
    entry = keys_of(usr / "share/applications/plimsoll-desktop.desktop")
    assert (usr / "bin" / entry["TryExec"]).exists() and entry["Exec"].split()[0] == entry["TryExec"]
    for icon in ICONS:
        path = usr / "share/icons/hicolor" / icon
        assert path.stem == entry["Icon"] and path.stat().st_size > 100, icon
    picture = usr / "picture.png"
    run("xvfb-run", "-a", "-s", "-screen 0 1600x1000x24", usr / "bin" / entry["TryExec"], "model=llama-3-8b", "--screenshot", picture)
    assert picture.read_bytes().startswith(b"\x89PNG")


def main(cpack, build, version):
    missing = [f"{program} (package {package})" for program, package in NEEDS.items() if not shutil.which(program)]
    if missing:
        sys.exit(f"cannot pack or start what is packed: there is no {', no '.join(missing)}; scripts/setup desktop installs them")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        run(cpack, "-G", "TGZ", "-B", folder / "tgz", cwd=build)
        (archive,) = (folder / "tgz").glob("*.tar.gz")
        with tarfile.open(archive) as packed:
            packed.extractall(folder / "unpacked")
        (usr,) = (folder / "unpacked").iterdir()
        check_programs(usr, version)
        assert list(usr.glob("lib*/**/plimsoll-config.cmake")) and (usr / "include/plimsoll/results/api.hpp").exists()

        run(cpack, "-G", "DEB", "-B", folder / "deb", cwd=build)
        packages = {path.name.split("_")[0]: path for path in (folder / "deb").glob("*.deb")}
        assert set(packages) == {"plimsoll", "plimsoll-desktop", "libplimsoll-dev"}, packages
        for path in packages.values():
            run("dpkg-deb", "-x", path, folder / "root")
            assert run("dpkg-deb", "-f", path, "Version").strip() == version
        assert "libc6" in run("dpkg-deb", "-f", packages["plimsoll"], "Depends")
        assert "libglfw3" in run("dpkg-deb", "-f", packages["plimsoll-desktop"], "Depends")
        check_programs(folder / "root" / "usr", version)
    return 0


sys.exit(main(*sys.argv[1:]))
