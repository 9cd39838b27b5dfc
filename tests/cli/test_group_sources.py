"""Sources are compiled together only where none of their own names clash."""

import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "group_sources"


class GroupSources(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carom-groups-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def group(self, size, **sources):
        paths = [self.root / f"{name}.cpp" for name in sources]
        for path, text in zip(paths, sources.values()):
            path.write_text(text)
        done = subprocess.run([SCRIPT, str(size), *paths], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        groups = {}
        for line in done.stdout.splitlines():
            number, path = line.split(" ", 1)
            groups.setdefault(number, []).append(pathlib.Path(path).stem)
        return list(groups.values())

    def test_no_name_in_common_is_one_group(self):
        self.assertEqual(self.group(9, a="double f(int i) {\n", b="double g(int i) {\n"), [["a", "b"]])

    def test_a_group_has_a_greatest_size(self):
        self.assertEqual(self.group(2, a="", b="", c=""), [["a", "b"], ["c"]])

    def test_a_clash_of_any_kind_keeps_apart(self):
        for name in ("double f(int i) {", "constexpr int k = 1, f = 2;", "struct f {", "enum class f { A };",
                     "using f = int;", "namespace f = g;", "const Id f{0};"):
            self.assertEqual(self.group(9, a="int f();\n", b=name + "\n"), [["a"], ["b"]], name)

    def test_a_name_of_an_included_header_clashes(self):
        (self.root / "h.h").write_text("struct Piece {\n")
        self.assertEqual(self.group(9, a='#include "h.h"\n', b="struct Piece {\n"), [["a"], ["b"]])

    def test_what_a_header_declares_may_be_defined_beside_its_users(self):
        (self.root / "h.h").write_text("int f();\n")
        self.assertEqual(self.group(9, a='#include "h.h"\nint f() {\n', b='#include "h.h"\n'), [["a", "b"]])

    def test_macros_stay_alone(self):
        line = "#define A\n"
        self.assertEqual(self.group(9, a=line, b="", c=line, d=""), [["a"], ["b", "d"], ["c"]])

    def test_aliases_stand_together_if_they_stand_for_the_same(self):
        for line in ("namespace a = b::c;\n", "using a = b::c;\n"):
            other = line.replace("::c", "::d")
            self.assertEqual(self.group(9, a=line, b=line, c=other), [["a", "b"], ["c"]], line)

    def test_what_a_body_uses_is_not_declared(self):
        line = "int g() const { return f; }\nX::~X() = default;\nstatic_assert(f(1) == 1);\n"
        self.assertEqual(self.group(9, a="int f();\n" + line.replace("g", "h"), b=line), [["a", "b"]])


if __name__ == "__main__":
    unittest.main()
