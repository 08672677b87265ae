"""Evidence from Unsloth's notebooks: what they call, and the reserved memory that they printed when somebody ran them.

python3 tests/corpus/convert/unsloth.py CHECKOUT OUT, where CHECKOUT is a folder with unslothai/notebooks at COMMIT.

A row's launch is the calls alone, written anew with the values that decide, so that the importer reads it as it reads the notebook. Notebooks are
stored again and again under other names with the outputs of one run: each run is one row, of the first name whose calls agree with what was printed.
"""

import ast
import json
import re
import sys
from pathlib import Path

from common import evidence, figure, write_rows

COMMIT = "bdda2efc7ad5ae129ea63cd2065d23c391406283"
GIB = 1 << 30
DEVICES = {"Tesla T4": "t4", "NVIDIA L4": "l4", "NVIDIA A10G": "a10g", "NVIDIA A100-SXM4-40GB": "a100-40-sxm", "NVIDIA A100-SXM4-80GB": "a100-80-sxm"}
EXPERTS = "Until May 2026 Unsloth left the experts that transformers 5 keeps as one tensor in 16 bits (unsloth-zoo 1d009af0)."
LENGTHS = "How long the sequences of the data are is not told: they are taken to be as long as the notebook allows."
DECIDES = ("num_train_epochs", "max_steps", "learning_rate", "output_dir", "seed", "report_to", "logging_steps", "warmup_steps")


def code_of(notebook):
    """The Python of all cells, without lines for the shell or of IPython."""
    lines = []
    for cell in notebook.get("cells", []):
        if cell.get("cell_type") == "code":
            source = "".join(cell.get("source", []))
            if not source.startswith("%%"):
                lines += [line for line in source.splitlines() if not line.lstrip().startswith(("!", "%"))]
    return "\n".join(lines)


def printed_by(notebook):
    texts = []
    for cell in notebook.get("cells", []):
        for output in cell.get("outputs", []):
            text = output.get("text", output.get("data", {}).get("text/plain", ""))
            texts.append("".join(text))
    return "\n".join(texts)


def name_of(call):
    return ast.unparse(call.func)


class Calls(ast.NodeVisitor):
    """The first load, the first adapters and the first trainer, as statements make them; what stands below "if False" never runs."""

    def __init__(self, tree):
        self.values, self.load, self.adapt, self.trainer = {}, None, None, None
        self.visit(tree)

    def visit_If(self, node):
        if not (isinstance(node.test, ast.Constant) and not node.test.value):
            self.generic_visit(node)

    def visit_Assign(self, node):
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.values[target.id] = node.value
        self.generic_visit(node)

    def visit_Call(self, node):
        name = name_of(node)
        if name.startswith("Fast") and name.endswith(".from_pretrained"):
            self.load = self.load or (name, self.literals(node))
        elif name.startswith("Fast") and name.endswith(".get_peft_model"):
            self.adapt = self.adapt or (name, self.literals(node))
        elif self.load and name.endswith("Trainer") and node.keywords:
            self.trainer = self.trainer or (name, self.trainer_of(node))
        self.generic_visit(node)

    def literal(self, node):
        node = self.values.get(node.id, node) if isinstance(node, ast.Name) else node
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError):
            return NotImplemented

    def literals(self, call):
        made = {word.arg: self.literal(word.value) for word in call.keywords if word.arg}
        if call.args and isinstance(self.literal(call.args[0]), str):
            made.setdefault("model_name", self.literal(call.args[0]))
        return {name: value for name, value in made.items() if isinstance(value, (bool, int, float, str, list, tuple)) and name not in DECIDES}

    def trainer_of(self, call):
        args = next((word.value for word in call.keywords if word.arg == "args"), None)
        args = self.values.get(args.id) if isinstance(args, ast.Name) else args
        inner = (name_of(args), self.literals(args)) if isinstance(args, ast.Call) else None
        return self.literals(call), inner


def written(name, values, first=()):
    return f"{name}({', '.join([*first, *(f'{key} = {value!r}' for key, value in values.items())])})"


def launch_of(calls):
    lines = [f"from unsloth import {calls.load[0].split('.')[0]}", "model, tokenizer = " + written(*calls.load)]
    if calls.adapt:
        lines.append("model = " + written(*calls.adapt, first=("model",)))
    own, args = calls.trainer[1]
    lines.append("trainer = " + written(calls.trainer[0], own, first=("model = model", *([f"args = {written(*args)}"] if args else []))))
    return "\n".join(lines) + "\n"


def number(text, pattern):
    found = re.search(pattern, text)
    return found and found.group(1).replace(",", "")


def contradicts(calls, printed):
    """Why what was printed is of another run than the calls, or "": files are changed without being run again."""
    args = {**calls.trainer[1][0], **(calls.trainer[1][1][1] if calls.trainer[1][1] else {})}
    ran = re.search(r"Batch size per device = (\d+) \| Gradient [Aa]ccumulation steps = (\d+)", printed)
    for key, shown in zip(("per_device_train_batch_size", "gradient_accumulation_steps"), ran.groups() if ran else ()):
        if args.get(key, int(shown)) != int(shown):
            return f"What the notebook printed is of a run with another {key}: {shown}."
    if float(number(printed, r"([\d.]+) GB of memory reserved") or 0) >= float(number(printed, r"Peak reserved memory = ([\d.]+) GB")):
        return "The peak was reached before training."
    if (cards := number(printed, r"Num GPUs = (\d+)\. Max memory") or "1") != "1":
        return f"The model lies on {cards} GPUs, and the figure is the first one's."
    return ""


def row_of(path, notebook):
    """The evidence of one notebook, None where it printed no peak or does not train through these calls."""
    printed = printed_by(notebook)
    peak, card = number(printed, r"Peak reserved memory = ([\d.]+) GB"), number(printed, r"GPU = (.+?)\. Max memory")
    if not peak or card not in DEVICES:
        return None
    try:
        calls = Calls(ast.parse(code_of(notebook)))
    except SyntaxError:
        return None
    if not calls.load or not calls.trainer or "model_name" not in calls.load[1]:
        return None
    measured = [figure("reserved", round(float(peak) * GIB), "bytes", metric="Peak reserved memory")]
    if trained := number(printed, r"[Tt]rainable parameters = ([\d,]+)"):
        measured.append(figure("trainable_parameters", int(trained), "parameters", metric="Number of trainable parameters"))
    version = number(printed, r"Unsloth:? (\d{4}\.\d+)")
    other = contradicts(calls, printed)
    new = (number(printed, r"Transformers ?[:=] ?(\d+)\.") or "4") >= "5" and version and version < "2026.5"  # of transformers, before experts were quantised
    experts = {"weight_dtype": "nf4_maps_double_quant"} if new and calls.load[1].get("load_in_4bit") else {}
    return evidence(
        "unsloth/" + Path(path).stem, "unsloth notebooks", {"repo": "unslothai/notebooks", "commit": COMMIT, "path": path}, measured,
        launch=None if other else launch_of(calls), answers=None if other else {"device": DEVICES[card], **experts}, not_covered=other or None,
        assumed=[LENGTHS, *([EXPERTS] if experts else [])], features=[f"unsloth {version}"] if version else [])


def convert(folder):
    """One row of each run. What was reserved before the first step and at its peak tells a run; where notebooks that print the same two figures say
    that other numbers of parameters trained, some were not run, and nobody says which."""
    runs = {}
    for path in sorted(Path(folder).glob("**/*.ipynb")):
        if path.name.startswith(("AMD-", "Kaggle-")):  # copies of the others
            continue
        notebook = json.loads(path.read_text(encoding="utf-8"))
        if row := row_of(str(path.relative_to(folder)), notebook):
            runs.setdefault((row["measured"][0]["value"], number(printed_by(notebook), r"([\d.]+) GB of memory reserved")), []).append(row)
    made = []
    for rows in runs.values():
        best = next((row for row in rows if "not_covered" not in row), rows[0])
        if len({json.dumps(row["measured"]) for row in rows}) > 1:
            best = {name: member for name, member in best.items() if name not in ("launch", "answers")}
            best["not_covered"] = "Notebooks of several models show this figure."
        made.append(best)
    return sorted(made, key=lambda row: row["id"])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} CHECKOUT OUT")
    write_rows(sys.argv[2], convert(sys.argv[1]))
