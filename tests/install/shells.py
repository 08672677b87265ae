"""What shells and man(1) know of the command line: the scripts load, complete commands, options and values, and the manual page is one.

usage: shells.py PLIMSOLL
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BASH = """source {script}
words=("$@")
COMP_WORDS=("${{words[@]}}")
COMP_CWORD=$(($# - 1))
_plimsoll
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
ASKED = [
    (["plimsoll", "estim"], {"estimate"}),
    (["plimsoll", "estimate", "--task", ""], {"inference", "finetune", "pretrain"}),
    (["plimsoll", "estimate", "--model", "qwen3-0"], {"qwen3-0.6b"}),
    (["plimsoll", "fit", "--larg"], {"--largest"}),
    (["plimsoll", "completion", ""], {"bash", "zsh", "fish"}),
]


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{words}: left with {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def check_bash(script, environment):
    for words, wanted in ASKED:
        completed = set(run("bash", "-c", BASH.format(script=script), "bash", *words, env=environment).split())
        assert wanted <= completed and all(word.startswith(words[-1]) for word in completed), (words, completed)


def check_fish(script, environment):
    run("fish", "--no-execute", script)
    for words, wanted in ASKED[:3]:
        line = " ".join(words)
        completed = {row.split("\t")[0] for row in run("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'", env=environment).splitlines()}
        assert wanted <= completed, (words, completed)


def check_zsh(script, environment):
    run("zsh", "-n", script)
    text = script.read_text()
    assert text.startswith("#compdef plimsoll\n")
    # loaded as zsh loads it; what _arguments makes of it needs a terminal
    run("zsh", "-f", "-c", f"fpath=({script.parent} $fpath); autoload -Uz compinit; compinit -u -D; [[ $_comps[plimsoll] == _plimsoll ]]", env=environment)


def check_manual(page, commands):
    lint = run("mandoc", "-T", "lint", "-W", "error", page)
    assert lint == "", lint
    text = re.sub(".\b", "", run("mandoc", "-T", "ascii", page))
    for name in [*(f"\n   {command}\n" for command in commands), "--context-tokens", "--to"]:
        assert name in text, name


def main(plimsoll):
    missing = [tool for tool in ("bash", "zsh", "fish", "mandoc", "awk") if not shutil.which(tool)]
    if missing:
        sys.exit(f"cannot try completions: there is no {', no '.join(missing)}; scripts/setup test installs them")
    program = pathlib.Path(plimsoll).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/plimsoll").symlink_to(program)
        environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "HOME": name}
        for shell, file, check in (("bash", "plimsoll.bash", check_bash), ("zsh", "_plimsoll", check_zsh), ("fish", "plimsoll.fish", check_fish)):
            script = folder / file
            script.write_text(run(program, "completion", shell))
            check(script, environment)
        page = folder / "plimsoll.1"
        page.write_text(run(program, "man"))
        commands = [line.split(":")[0].strip(" '") for line in (folder / "_plimsoll").read_text().split("commands=(\n")[1].split("\n  )")[0].splitlines()]
        assert len(commands) > 10 and "estimate" in commands, commands
        check_manual(page, commands)
    done = subprocess.run([program, "completion", "tcsh"], capture_output=True, text=True)
    assert done.returncode == 1 and "bash" in done.stderr, done
    return 0


sys.exit(main(*sys.argv[1:]))
