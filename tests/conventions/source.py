"""Conventions on C++ code and on the size of what is written by hand."""

import re

from repository import Problem

CODE = (".hpp", ".cpp")
PROGRAM = ("core", "cli", "web", "imgui_app", "python")
HAND_WRITTEN = (".hpp", ".cpp", ".h", ".mjs", ".js", ".ts", ".css", ".html", ".py", ".cmake", ".sh", "CMakeLists.txt")
MOST_LINES = 400

PLATFORM = re.compile(r"\b(__EMSCRIPTEN__|EMSCRIPTEN|__wasm\w*__|_WIN32|_WIN64|__APPLE__|__linux__|__unix__|__ANDROID__|"
                      r"_MSC_VER|TARGET_OS_\w+)\b")
PLATFORM_FILE = re.compile(r"imgui_app/platform_\w+\.(cpp|hpp)")

# Files whose platform keeps state for them: a callback without a user pointer has nowhere else to look.
MUTABLE_ALLOWED = {
    "core/method/byte_units.cpp": "how memory is written is the reader's choice, as a language would be; no number depends on it",
    "imgui_app/platform_browser.cpp": "JavaScript calls plain functions: the running app must be found from them",
    "imgui_app/platform_desktop.cpp": "GLFW's error callback has no user pointer",
}

UNIT = re.compile(r"\b1024\b|\b1048576\b|\b1073741824\b|\b1e9\b|\b1e12\b|\b1000000000\b|<<\s*(?:10|20|30|40|50)\b|"
                  r"\b(?:kGi?[bB]|kMi?[bB]|KiB|MiB|GiB|TiB)\b")
UNIT_FILES = ("core/method/format.cpp", "core/include/plimsoll/method/format.hpp", "core/include/plimsoll/method/quantity.hpp")
UNIT_ALLOWED = {
    ("core/catalog/device_file.cpp", "GiB"): "a word that people write in a file of their own",
    ("core/method/time/roofline.hpp", "1000000000"): "nanoseconds of a second",
    ("core/method/kernels/gpu.hpp", "1e9"): "nanoseconds of a second",
    ("core/method/time/draft.cpp", "1000000000"): "nanoseconds of a second",
    ("core/method/time/training/losses.cpp", "1000000000"): "nanoseconds of a second",
    ("core/include/plimsoll/method/workload.hpp", "1000000000"): "bytes a second that a node writes where nobody says more",
    ("core/method/cost/money.cpp", "1000000000"): "nanoseconds of a second; dollars and thousandths to micro-dollars",
    ("core/files/training/nemo_rl.cpp", "1024"): "tokens of a sequence, not bytes",
    ("core/method/fields/parallel_fields.cpp", "1024"): "the most GPUs in a group, not bytes",
    ("core/method/fields/hardware_fields.cpp", "<< 20"): "the range of usable_bytes",
    ("core/method/fields/hardware_fields.cpp", "<< 50"): "the range of usable_bytes",
    ("core/method/memory/optimizers/kronecker.cpp", "1024"): "the widest block of Shampoo, in rows or columns, not bytes",
    ("core/method/fields/implementation_fields.cpp", "KiB"): "the unit of CUBLAS_WORKSPACE_CONFIG",
    ("core/catalog/profile.cpp", "1024"): "steps whose largest values delayed scaling keeps",
    ("core/catalog/profile.cpp", "<< 10"): "from the unit of CUBLAS_WORKSPACE_CONFIG",
    ("core/include/plimsoll/files/command_line.hpp", "<< 10"): "the longest text that is read",
    ("core/files/programs/openrlhf.cpp", "1024"): "a length in tokens, and prompts of a step, that OpenRLHF takes by itself",
    ("core/files/programs/verl.cpp", "1024"): "a length in tokens that verl takes by itself",
    ("core/files/training/torchtitan.cpp", "1024"): "the width of a small model",
    ("core/files/training/torchtitan.cpp", "1048576"): "the longest context of a small model, in tokens",
    ("core/files/commands/read.cpp", "1048576"): "the unit of ik_llama.cpp's --attention-max-batch",
    ("core/questions/advice/curve.cpp", "1024"): "the shortest context of a curve, in tokens",
    ("imgui_app/panels/growth_panel.cpp", "1024"): "what the suffix k of a number of tokens stands for",
    ("core/files/commands/sizes.cpp", "1048576"): "the unit of vLLM's options of sizes",
    ("core/files/commands/sizes.cpp", "1024"): "the unit of vLLM's options of sizes",
    ("core/files/commands/sizes.cpp", "1000000000"): "the unit of SGLang's option of a size",
    ("core/files/commands/sizes.cpp", "GiB"): "the unit of vLLM's options of sizes, as amounts are written",
    ("core/files/commands/values.cpp", "1024"): "what the suffixes K, M and G of a number of tokens stand for",
    ("core/files/commands/values.cpp", "1000000000"): "what the suffix g of a number of tokens stands for",
    ("core/include/plimsoll/files/training_config.hpp", "<< 10"): "the longest file that is read",
    ("core/files/training/yaml.hpp", "<< 10"): "the longest file that is read",
    ("core/files/training/deepspeed.cpp", "1000000000"): "numbers of weights in a bucket, not bytes",
    ("core/files/training/trl.cpp", "1024"): "TRL's default length of a sequence, in tokens",
    ("core/text/amount.cpp", "1024"): "what k and m of a number of tokens, and kib to tib, stand for",
    ("core/text/amount.cpp", "KiB"): "the unit of CUBLAS_WORKSPACE_CONFIG",
    ("core/text/amount.cpp", "1000000000"): "tokens, where lengths of texts end and amounts of data begin",
    ("core/catalog/names/words.cpp", "1e9"): "what b of a number of parameters stands for",
    ("core/catalog/names/words.cpp", "1e12"): "what t of a number of parameters stands for",
    ("core/text/json.hpp", "<< 20"): "the longest text that is read",
    ("core/request/url.cpp", "<< 20"): "the longest text that is read",
    ("core/request/url.cpp", "MiB"): "the message that says so",
    ("core/include/plimsoll/method/plan.hpp", "1000000000"): "tokens that plans are told for where no job is stated",
    ("core/questions/plan/question.cpp", "<< 20"): "tokens of a usual step",
    ("core/method/plan/axes.cpp", "1024"): "the fewest tokens of a sequence that a GPU takes, not bytes",
    ("core/method/fields/model_fields.cpp", "1048576"): "the widest model, in channels",
    ("core/method/fields/model_fields.cpp", "1024"): "the most groups or heads of a recurrence, not bytes",
    ("core/evidence/kernel_sweeps.cpp", "1024"): "rows of the smallest table of a sweep, not bytes",
    ("core/evidence/operators/timeline.cpp", "1048576"): "the allocator's largest remainder that is not split off",
    ("core/evidence/accuracy.cpp", "<< 20"): "the longest file of rows that is read",
    ("core/results/evidence_reading.cpp", "<< 20"): "the longest file of rows that is read",
    ("core/evidence/measured_training/work.cpp", "1e9"): "rows state parameters in billions",
    ("core/evidence/inference/units.hpp", "<< 30"): "logs of engines print GiB",
    ("core/evidence/inference/units.hpp", "<< 20"): "flags of engines count in MiB",
    ("imgui_app/widgets/axis.cpp", "GiB"): "names the axis whose numbers format_gib() wrote",
    ("imgui_app/panels/hull.cpp", "GiB"): "names the axis whose numbers format_gib() wrote",
    ("imgui_app/panels/breakdown_panel.cpp", "GiB"): "names the column whose numbers format_gib() wrote",
}
# Folders whose round numbers are sizes of models: the widths, contexts and vocabularies that classes have by default.
UNIT_ALLOWED_UNDER = (("core/architectures/", ("1024", "1048576")),
                      ("core/files/logs/", ("1024", "MiB", "GiB", "kMiB", "kGiB")))  # what programs print sizes in

DEGREE = r"(?:tensor_parallel|data_parallel|pipeline_parallel|context_parallel|expert_parallel|\w*degree)\b"
DIVIDES = re.compile(rf"[/%]=?\s*(?:Count\{{|static_cast<[^>]*>\()?\s*[\w.>\-]*{DEGREE}|[\w.>\-]*{DEGREE}[\w.()}}]*\s*[/%]|"
                     rf"ceil_div\([^;]*{DEGREE}")
DIVIDING_FILES = re.compile(r"core/method/(sharding/.*|validate/.*)")


def check_file_sizes(repository):
    for path in repository.under():
        name = path.rsplit("/", 1)[-1]
        script = path.startswith("scripts/") and "." not in name
        if not (script or name.endswith(HAND_WRITTEN)):
            continue
        count = len(repository.lines(path))
        if count > MOST_LINES:
            yield Problem(path, MOST_LINES + 1, f"{count} lines are more than {MOST_LINES}.",
                          "Split the file by topic: one purpose each.")


def check_platform_macros(repository):
    for path in repository.under(*PROGRAM, suffixes=CODE):
        if PLATFORM_FILE.fullmatch(path):
            continue
        for number, line in enumerate(repository.code(path), 1):
            if found := PLATFORM.search(line):
                yield Problem(path, number, f"{found.group(0)} outside a platform file.",
                              "Move what differs to imgui_app/platform_*.cpp, and let CMake choose the file.")


def check_mutable_statics(repository):
    for path in repository.under(*PROGRAM, suffixes=CODE):
        if path in MUTABLE_ALLOWED:
            continue
        for number, wrong in mutable_statics("\n".join(repository.code(path))):
            yield Problem(path, number, wrong, "Make it const, or a member of a struct that is handed in.")


_STATIC = re.compile(r"\b(?:static|thread_local)\s+(?P<rest>[^;{}=(]*)(?P<end>[;{}=(])")
_GLOBAL = re.compile(r"^\s*(?:inline\s+|extern\s+|constinit\s+|volatile\s+)*(?!static|const|using|typedef|return|struct|class|enum|"
                     r"union|template|namespace|friend|public|private|protected|case|default|delete|throw|goto)"
                     r"[A-Za-z_][\w:]*(?:<[^;={}]*>)?(?:\s*[*&]+\s*|\s+)(?P<name>[A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*(?:=[^=]|;|\{)")


def mutable_statics(code):
    """(line, sentence) for each variable that lives as long as the program and can change."""
    for found in _STATIC.finditer(code):
        rest = found.group("rest")
        is_function = found.group("end") == "("
        is_const = re.search(r"\b(constexpr|consteval)\b", rest) or re.search(r"^(?:inline\s+)?const\b", rest) and "*" not in rest
        if not is_function and not is_const:
            yield code.count("\n", 0, found.start()) + 1, f"a static variable that can change: '{' '.join(rest.split())}'."
    for number, line in _namespace_scope(code):
        found = _GLOBAL.match(line)
        if found and not re.search(r"\b(?:const|constexpr|static)\b", line):
            yield number, f"a global variable that can change: '{found.group('name')}'."


def _namespace_scope(code):
    """Lines that begin at namespace scope: outside every brace that no namespace opened."""
    stack = []
    head = ""
    for number, line in enumerate(code.splitlines(), 1):
        if all(stack) and not head.strip() and not line.lstrip().startswith("#"):
            yield number, line
        if line.lstrip().startswith("#"):
            continue
        for character in line:
            if character == "{":
                stack.append(bool(re.search(r"\b(namespace|extern)\b[^;()=]*$", head)))
                head = ""
            elif character == "}":
                if stack:
                    stack.pop()
                head = ""
            elif character == ";":
                head = ""
            else:
                head += character
        head += " "


def check_unit_literals(repository):
    """Bytes inside, prefixes at the edge: powers of 1024 and 1000 stand in one file."""
    for path in repository.under(*PROGRAM, suffixes=CODE):
        if path in UNIT_FILES:
            continue
        for number, line in enumerate(repository.code(path, keep_strings=True), 1):
            for found in UNIT.finditer(line.replace("'", "")):    # 1'048'576
                unit = " ".join(found.group(0).split())
                if (path, unit) in UNIT_ALLOWED or any(path.startswith(folder) and unit in units for folder, units in UNIT_ALLOWED_UNDER):
                    continue
                yield Problem(path, number, f"'{found.group(0)}' looks like a unit of memory or speed.",
                              "Let core/method/format.cpp convert; or list it with its reason in UNIT_ALLOWED.")


def check_degree_divisions(repository):
    """Two places that divide by a degree are two places that can disagree."""
    for path in repository.under(*PROGRAM, suffixes=CODE):
        if DIVIDING_FILES.fullmatch(path):
            continue
        for number, line in enumerate(repository.code(path), 1):
            if found := DIVIDES.search(line):
                yield Problem(path, number, f"a division by a parallel degree: '{found.group(0).strip()}'.",
                              "Take the share from core/method/sharding.")
