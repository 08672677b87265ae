"""Evidence from the scripts that ms-swift publishes: what they start, and the memory of a GPU that stands above it.

python3 tests/corpus/convert/ms_swift.py CHECKOUT OUT, where CHECKOUT is a folder with modelscope/ms-swift at COMMIT.

A row's launch is the script without its comments and without options that decide nothing here, so that the importer reads it as it reads the script.
Sequences that are not packed are as long as the data has them, which nobody says; a figure that is a GPU's own size says which one to take.
"""

import re
import sys
from pathlib import Path

from common import evidence, figure, write_rows

COMMIT = "3602360a562313afbf2ef6065fdf61f271a2c5b9"
GIB = 1 << 30
SIZES = (80, 90, 95)  # of the GPUs that the scripts ask for
FIGURE = re.compile(r"(?<![\d.])(?:\d+ ?\* ?)?(\d+(?:\.\d+)?) ?Gi?B")
DROPPED = re.compile(r"^\s*--(dataset|val_dataset|eval_|save_|logging|learning_rate|lr|min_lr|warmup|num_train_epochs|max_epochs|output_dir|system|model_author|model_name|load_from_cache|split_dataset|dataset_num|"
                     r"dataloader|per_device_eval|no_save|save|reward_|report_to|log_|temperature|top_|weight_decay|num_workers|streaming|external_plugins|merge_lora|finetune|train_iters|strict)")
LENGTHS = "Sequences are not packed: how long they are is up to the dataset."
COUNTER = "The figure is what PyTorch reserved, as ms-swift's own log has it: the script does not say."


def launch_of(text):
    """The lines of the command, without what stands behind a dropped option."""
    lines, dropped = [], False
    for line in text.splitlines():
        if line.lstrip().startswith("#") or not line.strip():
            continue
        dropped = bool(DROPPED.match(line)) or (dropped and not re.match(r"\s*--|\S", line))
        if not dropped:
            lines.append(line.rstrip())
    return "\n".join(lines).rstrip("\\ \n") + "\n"


def rows_of(folder):
    for path in sorted((Path(folder) / "examples").rglob("*.sh")):
        text = path.read_text(encoding="utf-8")
        head = [line for line in text.splitlines()[:6] if line.startswith("#") and FIGURE.search(line)]
        if len(head) != 1 or "ascend" in path.parts or len(re.findall(r"\b(?:swift|megatron) (?:sft|pt|rlhf)\b", text)) != 1:
            continue
        size = float(FIGURE.search(head[0])[1])
        if size in SIZES:
            continue
        name = path.relative_to(folder).as_posix()
        packed = re.search(r"--packing true", text)
        yield evidence(f"ms-swift/{name.removeprefix('examples/').removesuffix('.sh')}", "ms-swift scripts", {"repo": "modelscope/ms-swift", "commit": COMMIT, "path": name},
                       [figure("reserved", round(size * GIB), "bytes", metric="memory of a GPU")], launch=launch_of(text) if packed else None, answers={"device": "a100-80-sxm"} if packed else None,
                       assumed=[COUNTER], not_covered=None if packed else LENGTHS)


if __name__ == "__main__":
    write_rows(sys.argv[2], list(rows_of(sys.argv[1])))
