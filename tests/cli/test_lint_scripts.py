"""The project's own checks catch what they are there for: a violation is planted, and must be found."""

import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class PlantedCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carom-lint-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("layers.toml", (SOURCE / "layers.toml").read_text())

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_script(self, name):
        done = subprocess.run([SOURCE / "scripts" / name, self.root], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout


class CheckLayers(PlantedCase):
    def expect(self, problem):
        self.assertEqual(self.run_script("check_layers"), (1, problem + "\n"))

    def test_clean_tree_passes(self):
        self.write("src/carom/math/a.h", '#include <Eigen/Core>\n#include "carom/base/ids.h"\n')
        self.write("src/carom/io/a.cpp", '#include <hdf5.h>\n#include "carom/dynamics/state.h"\n')
        self.write("apps/cli/main.cpp", '#include <CLI/CLI.hpp>\n#include "table.h"\n')
        self.write("apps/cli/table.h", "#include <string>\n")
        self.assertEqual(self.run_script("check_layers"), (0, ""))

    def test_a_method_that_includes_another_is_caught(self):
        self.write("src/carom/methods/shared/a.h", "#include <cmath>\n")
        self.write("src/carom/methods/elastic/a.cpp", '#include "carom/methods/shared/a.h"\n')
        self.assertEqual(self.run_script("check_layers"), (0, ""))
        self.write("src/carom/methods/elastic/a.cpp", '#include "carom/methods/analytic/a.h"\n')
        self.expect("src/carom/methods/elastic/a.cpp:1: methods/elastic may not include methods/analytic")

    def test_a_room_that_nobody_listed_is_caught(self):
        self.write("src/carom/geometry/attic/a.h", '#include "carom/geometry/shapes/shape.h"\n')
        self.expect("src/carom/geometry/attic/a.h:1: room geometry/attic is not listed in layers.toml")

    def test_reaching_upwards_is_caught(self):
        self.write("src/carom/geometry/a.h", '#pragma once\n\n#include "carom/model/scene.h"\n')
        self.expect("src/carom/geometry/a.h:3: geometry may not include model")

    def test_the_judge_may_not_see_the_judged(self):
        self.write("src/carom/audit/a.cpp", '#include "carom/contact/find_contacts.h"\n')
        self.expect("src/carom/audit/a.cpp:1: audit may not include contact")

    def test_laws_may_not_see_shapes(self):
        self.write("src/carom/impact/a.cpp", '#include "carom/geometry/shapes/shape.h"\n')
        self.expect("src/carom/impact/a.cpp:1: impact may not include geometry")

    def test_eigen_outside_math_is_caught(self):
        self.write("src/carom/solvers/a.cpp", "  # include <Eigen/Dense>\n")
        self.expect("src/carom/solvers/a.cpp:1: Eigen may be included in math only")

    def test_a_library_in_a_header_is_caught(self):
        self.write("src/carom/io/a.h", "#include <nlohmann/json.hpp>\n")
        self.expect("src/carom/io/a.h:1: nlohmann may be included in .cpp files only")

    def test_an_unlisted_library_is_caught(self):
        self.write("src/carom/base/a.cpp", "#include <boost/any.hpp>\n")
        self.expect("src/carom/base/a.cpp:1: boost/any.hpp is not listed in layers.toml")

    def test_an_unlisted_folder_is_caught(self):
        self.write("src/carom/util/a.h", "#include <string>\n")
        self.expect("src/carom/util/a.h:1: folder util is not listed in layers.toml")

    def test_a_cycle_is_caught(self):
        text = (SOURCE / "layers.toml").read_text().replace("base = []", 'base = ["math"]')
        self.write("layers.toml", text)
        self.expect("layers.toml: base may include math, which does not stand above it")


class CheckText(PlantedCase):
    def test_places_that_exist_everywhere_pass(self):
        self.write("a.md", "See https://example.org/home/page, /usr/bin/python3 and build/work/x.\n")
        self.assertEqual(self.run_script("check_text"), (0, ""))

    def test_a_home_folder_is_caught(self):
        place = "/home" + "/somebody"
        self.write("docs/a.md", f"first\nrun {place}/carom\n")
        self.assertEqual(self.run_script("check_text"),
                         (1, f"docs/a.md:2: {place} is a place on one machine\n"))

    def test_build_output_is_left_alone(self):
        self.write("build/a.txt", "/tmp" + "/x\n")
        self.assertEqual(self.run_script("check_text"), (0, ""))


class CheckPapers(PlantedCase):
    def plant(self, row, body="x();\n  "):
        self.write("papers/baraff/claims.json", '[{"where": "sec. 8"}]')
        self.write("src/carom/impact/a.cpp", f"int solve(int x) {{\n  {body}return x;\n}}\n")
        self.write("docs/papers.md", f"## Baraff: methods\n\n| of the paper | file | function | claims |\n| --- | --- | --- | --- |\n{row}\n")

    def expect(self, problem):
        self.assertEqual(self.run_script("check_papers"), (1, f"docs/papers.md:5: {problem}\n"))

    def test_a_true_row_passes(self):
        self.plant("| section 8 | impact/a.cpp | **`solve`** | sec. 8 |")
        self.assertEqual(self.run_script("check_papers"), (0, ""))

    def test_what_is_gone_is_caught(self):
        self.plant("| section 8 | impact/b.cpp | `solve` | sec. 8 |")
        self.expect("no file impact/b.cpp")
        self.plant("| section 8 | impact/a.cpp | `resolve` | sec. 8 |")
        self.expect("impact/a.cpp has no resolve")
        self.plant("| section 8 | impact/a.cpp | `solve` | sec. 9 |")
        self.expect('no claim is about "sec. 9"')

    def test_a_long_main_function_is_caught(self):
        self.plant("| section 8 | impact/a.cpp | **`solve`** | |", "x();\n  " * 60)
        self.expect("solve of impact/a.cpp has 63 lines, not 1 to 60")


if __name__ == "__main__":
    unittest.main()
