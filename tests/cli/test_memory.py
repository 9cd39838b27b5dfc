"""Whole runs that end badly where memory is used after it was freed, or before it was set: freed and fresh
memory is filled with a pattern, and valgrind watches every access. CAROM_BIN names the program."""

import shutil
import tempfile
import unittest
from pathlib import Path

import runs

VALGRIND = ["valgrind", "--quiet", "--error-exitcode=99", "--undef-value-errors=no", "--track-origins=no"]


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_with_every_output(self, method, *more, name="run", **how):
        scene = runs.write_scene(self.folder, method)
        arguments, paths = runs.outputs(self.folder, name)
        result = runs.run(scene, *arguments, *more, **how)
        self.assertEqual(result.returncode, 0, f"{method}: {result.stderr}")
        return paths

    def test_freed_memory_is_not_used_and_unset_memory_reaches_no_file(self):
        for method in runs.METHODS:
            with self.subTest(method):
                one = self.run_with_every_output(method, environment={"MALLOC_PERTURB_": "170"}, name="one")
                other = self.run_with_every_output(method, environment={"MALLOC_PERTURB_": "85"}, name="other")
                for ending in runs.OUTPUTS:
                    if ending == "summary.json":  # has the wall clock
                        continue
                    self.assertTrue(one[ending].read_bytes() == other[ending].read_bytes(), f"{method}: {ending}")

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_valgrind_sees_no_access_to_memory_that_is_not_ours(self):
        self.run_with_every_output("zeno-free", "--duration", "0.03", before=VALGRIND, timeout=120)


if __name__ == "__main__":
    unittest.main()
