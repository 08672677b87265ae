#!/usr/bin/env python3
"""A check that cannot fail checks nothing: each gets a sample that breaks it, and one that does not.

A sample is a tiny repository in a temporary folder: {path: text}.
"""

import tempfile
import unittest
from pathlib import Path

import conventions
import data
import includes
import newcomer
import source
import tracked
from repository import Repository, without_comments

DEVICE = '[{"id": "x", "memory_bytes": 1, "release_year": 2024, "rates_flop_per_s": {"bf16": 2}, "sources": ["s"], "date": "2025-01"}]'

# (check, a file that breaks it, its text, a word of the report)
BAD = [
    (includes.check_core_directions, "core/include/plimsoll/method/quantity.hpp", '#include "plimsoll/method/model.hpp"\n', "not below"),
    (includes.check_core_directions, "core/method/memory/states.cpp", '#include "moments/moments.hpp"\n', "not below"),
    (includes.check_core_directions, "core/method/parameters/mlp.cpp", '#include "method/memory/states.hpp"\n', "not below"),
    (includes.check_core_directions, "core/method/sharding/shares.cpp", '#include "plimsoll/method/estimate.hpp"\n', "not below"),
    (includes.check_core_directions, "core/method/fields/fields.cpp", '#include "plimsoll/results/api.hpp"\n', "not below"),
    (includes.check_core_directions, "core/method/explain/tree.cpp", "#include <nlohmann/json.hpp>\n", "core/text only"),
    (includes.check_core_directions, "core/method/estimate.cpp", "#include <iostream>\n", "does not use"),
    (includes.check_core_directions, "core/include/plimsoll/results/api.hpp", "#include <nlohmann/json.hpp>\n", "core/text only"),
    (includes.check_core_directions, "core/method/astrology/stars.cpp", "\n", "not in the table"),
    (includes.check_front_end_includes, "cli/main.cpp", '#include "text/json.hpp"\n', "neither"),
    (includes.check_front_end_includes, "web/embind.cpp", '#include "../core/text/json.hpp"\n', "neither"),
    (includes.check_front_end_includes, "imgui_app/app.cpp", "#include <nlohmann/json.hpp>\n", "JSON"),
    (includes.check_front_end_includes, "cli/main.cpp", '#include "plimsoll/nothing.hpp"\n', "no public header"),
    (source.check_file_sizes, "core/method/long.cpp", "\n" * 401, "401 lines"),
    (source.check_file_sizes, "scripts/setup", "\n" * 401, "401 lines"),
    (source.check_platform_macros, "imgui_app/app.cpp", "#ifdef __EMSCRIPTEN__\n", "platform file"),
    (source.check_platform_macros, "cli/main.cpp", "#if defined(_WIN32)\n", "platform file"),
    (source.check_mutable_statics, "core/method/a.cpp", "static int calls = 0;\n", "static variable"),
    (source.check_mutable_statics, "core/method/a.cpp", "void f() {\n  static std::vector<int> cache;\n}\n", "static variable"),
    (source.check_mutable_statics, "core/method/a.cpp", "void f() { static const char* name = nullptr; }\n", "static variable"),
    (source.check_mutable_statics, "core/method/a.cpp", "struct S { static inline int n = 0; };\n", "static variable"),
    (source.check_mutable_statics, "core/method/a.cpp", "thread_local int n = 0;\n", "static variable"),
    (source.check_mutable_statics, "core/method/a.cpp", "namespace a {\nnamespace {\nint calls = 0;\n}\n}\n", "global variable"),
    (source.check_mutable_statics, "core/method/a.cpp", "std::map<int, int> cache;\n", "global variable"),
    (source.check_mutable_statics, "core/method/a.cpp", "void f() {\n}\nApp* app = nullptr;\n", "global variable"),
    (source.check_unit_literals, "cli/tables.cpp", "double gib = bytes / 1024.0 / 1024;\n", "unit"),
    (source.check_unit_literals, "core/method/estimate.cpp", "auto gib = n >> 30, one = 1 << 30;\n", "unit"),
    (source.check_unit_literals, "imgui_app/app.cpp", "auto n = 1'073'741'824;\n", "unit"),
    (source.check_unit_literals, "cli/tables.cpp", 'puts("GiB");\n', "unit"),
    (source.check_degree_divisions, "core/method/memory/a.cpp", "auto x = heads / strategy.tensor_parallel;\n", "degree"),
    (source.check_degree_divisions, "core/method/memory/a.cpp", "auto x = ceil_div(heads, Count{strategy.data_parallel});\n", "degree"),
    (source.check_degree_divisions, "imgui_app/app.cpp", "if (heads % scenario.strategy.tensor_parallel == 0) f();\n", "degree"),
    (data.check_data_parses, "core/catalog/data/devices/a.json", "[{]", "not valid JSON"),
    (data.check_data_parses, "core/catalog/data/devices/a.json", '{"id": 1, "id": 2}', "twice"),
    (data.check_device_units, "core/catalog/data/devices/a.json", '[{"id": "x", "memory": 80}]', "no unit"),
    (data.check_device_units, "core/catalog/data/devices/a.json", '[{"id": "x", "link": {"bandwidth_gbps": 80}}]', "no unit"),
    (data.check_sources_and_dates, "core/catalog/data/devices/a.json", DEVICE.replace('"sources": ["s"], ', ""), "no source"),
    (data.check_sources_and_dates, "core/catalog/data/devices/a.json", DEVICE.replace('["s"]', "[]"), "no source"),
    (data.check_sources_and_dates, "core/catalog/data/models/a.json", '{"id": "x", "config_source": "s"}', "no date"),
    (data.check_citations, "core/method/a.cpp", '.citation = "nobody",\n', "no citation"),
    (data.check_citations, "core/catalog/data/profiles/a.json", '{"x": {"value": 1, "citation": "nobody"}}', "no citation"),
    (data.check_citations, "core/catalog/data/citations.json", '[{"id": "unused", "text": "t"}]', "nothing cites"),
    (tracked.check_no_build_outputs, "web/plimsoll.wasm", "", "build"),
    (tracked.check_no_build_outputs, "web/dist/plimsoll.js", "", "build"),
    (tracked.check_no_vendored_code, "imgui_app/imgui_draw.cpp", "", "somebody else"),
    (tracked.check_no_vendored_code, "third_party/a.c", "", "somebody else"),
    (tracked.check_no_machine_paths, "scripts/a", "cd /home" + "/me\n", "one machine"),
    (tracked.check_no_machine_paths, "scripts/a", "curl https://deb" + ".debian.org/debian\n", "one machine"),
    (tracked.check_no_machine_paths, "scripts/a", "echo > /tmp" + "/log\n", "mktemp"),
    (tracked.check_page_loads_its_own_files, "public/index.html", '<script src="https://cdn.example/x.js"></script>', "host"),
    (tracked.check_page_loads_its_own_files, "public/index.html", '<link rel="stylesheet" href="//fonts.example/a.css">', "host"),
    (tracked.check_page_loads_its_own_files, "public/style.css", "a { background: url(https://example.org/a.png) }", "host"),
    (tracked.check_page_loads_its_own_files, "public/page.mjs", "import x from 'https://example.org/x.mjs';", "host"),
    (tracked.check_page_loads_its_own_files, "public/page.mjs", "await fetch('https://example.org/');", "host"),
    (newcomer.check_commands_of_the_readme, "README.md", "```sh\nscripts/test\n```\n", "no scripts/test"),
    (newcomer.check_commands_of_the_readme, "README.md", "scripts/test\n```js\nscripts/test\n```\n", "0 lines"),
    (newcomer.check_commands_of_the_readme, "README.md", "```sh\nscripts/test\nscripts/test --fast\n```\n", "2 lines"),
    (newcomer.check_tests_do_not_skip, "tests/a/CMakeLists.txt", "set_tests_properties(a PROPERTIES SKIP_RETURN_CODE 77)\n", "skips"),
]

# One small repository that keeps every convention, with what looks like a breach and is none.
GOOD = {
    "core/include/plimsoll/method/quantity.hpp": "#pragma once\n#include <cstdint>\n",
    "core/include/plimsoll/method/model.hpp": '#include "plimsoll/method/quantity.hpp"\n',
    "core/include/plimsoll/results/api.hpp": '#include "plimsoll/method/model.hpp"\n#include <optional>\n',
    "core/method/memory/a.cpp": '#include "memory/b.hpp"\n#include "plimsoll/method/sharding.hpp"\n'
                             "// static int n; 1024; x / tensor_parallel; __EMSCRIPTEN__\n"
                             "static constexpr int k = 1;\nstatic const int n = 2;\nstatic int f();\n"
                             "constexpr Formula kFormula{.id = 1,\n  .citation = \"used\"};\n"
                             "int g(int a) {\n  int b = a;\n  b = 2;\n  return b;\n}\n"
                             'const char* const kText = "a / tensor_parallel";\n',
    "core/method/sharding/a.cpp": "const auto x = heads / strategy.tensor_parallel;\n",
    "core/method/format.cpp": "constexpr int k = 1 << 30;\n",
    "core/catalog/a.cpp": '#include "embedded/models.hpp"\n#include "text/a.hpp"\n',
    "core/text/a.hpp": "#pragma once\n",
    "core/text/a.cpp": "#include <nlohmann/json.hpp>\n",
    "core/catalog/data/citations.json": '[{"id": "used", "text": "t", "url": ""}]',
    "core/catalog/data/devices/a.json": DEVICE,
    "cli/main.cpp": '#include "plimsoll/results/api.hpp"\n#include "main.hpp"\n',
    "cli/main.hpp": "#include <CLI/CLI.hpp>\n",
    "imgui_app/platform_browser.cpp": "#ifdef __EMSCRIPTEN__\n#endif\n",
    "public/index.html": '<a href="https://example.org">a link</a><link rel="canonical" href="https://example.org/">'
                         '<script src="page.mjs"></script><svg xmlns="http://www.w3.org/2000/svg"></svg>',
    "README.md": "Run scripts/a.\n\n```sh\nscripts/test    # all\n```\n",
    "scripts/test": "#!/bin/sh\n",
    "scripts/a": 'work=$(mktemp -d "${TMPDIR:-/tmp' + '/}x.XXXX")\n',
}


def made(folder, files):
    for path, text in files.items():
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return Repository(folder)


class Checks(unittest.TestCase):
    def test_each_finds_what_it_is_for(self):
        for check, path, text, word in BAD:
            with self.subTest(check=check.__name__, path=path, text=text[:60]), tempfile.TemporaryDirectory() as folder:
                found = [str(problem) for problem in check(made(folder, {path: text}))]
                self.assertTrue(any(word in line for line in found), found)

    def test_each_names_place_and_remedy(self):
        for check, path, text, _ in BAD:
            with self.subTest(check=check.__name__), tempfile.TemporaryDirectory() as folder:
                for problem in check(made(folder, {path: text})):
                    self.assertRegex(str(problem), r"^[\w./-]+:\d+: .+\.")
                    self.assertTrue(problem.remedy)

    def test_none_cries_wolf(self):
        with tempfile.TemporaryDirectory() as folder:
            repository = made(folder, GOOD)
            found = [str(problem) for check in conventions.CHECKS for problem in check(repository)]
        self.assertEqual(found, [])

    def test_every_check_has_a_sample(self):
        self.assertEqual({check.__name__ for check, *_ in BAD}, {check.__name__ for check in conventions.CHECKS})


class Comments(unittest.TestCase):
    def test_lines_and_strings_stay(self):
        text = 'int a; // b\n/* c\nd */ "// e" \'"\' f; 1\'000 g\nR"(// h)" i'
        self.assertEqual(without_comments(text, keep_strings=True).count("\n"), text.count("\n"))
        self.assertIn('"// e"', without_comments(text, keep_strings=True))
        self.assertNotIn("e", without_comments(text).split("\n")[2].replace("f", ""))
        for kept in ("int a;", "f;", "1'000 g", "i"):
            self.assertIn(kept, without_comments(text))
        self.assertNotIn("b", without_comments(text))


if __name__ == "__main__":
    unittest.main()
