"""Pages of carom compare and carom trust in a real browser: several runs in one picture. CAROM_BIN names the program."""

import json
import subprocess
import unittest

from selenium.webdriver.common.by import By

from test_page import CAROM, ROOT, PageCase


class ReportCase(PageCase):
    @classmethod
    def make_pages(cls):
        cls.data = cls.folder / "c.json"
        subprocess.run([CAROM, "compare", ROOT / "scenes" / "newtons-cradle-3.json", "--methods", "zeno-free",
                        "--impacts", "sequential,simultaneous", "--size", "0.001", "--report", cls.page, "--json", cls.data], check=True,
                       capture_output=True)

    def tearDown(self):
        faults = [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(faults, [])

    def setUp(self):
        self.load()

    def texts(self, selector):
        return [each.get_attribute("textContent") for each in self.browser.find_elements(By.CSS_SELECTOR, selector)]


class Comparison(ReportCase):
    def test_all_runs_are_named_and_the_energies_of_all_are_drawn(self):
        runs = json.loads(self.data.read_text())["runs"]
        names = [run["run"] for run in runs]
        self.assertEqual(sorted(self.texts(".run")), sorted(names))
        energies = " ".join(self.texts("#energies-values span"))
        for name in names:
            self.assertIn(name, energies)

    def test_the_moment_at_which_runs_part_is_marked_and_jumped_to(self):
        parting = next(run["differences"] for run in json.loads(self.data.read_text())["runs"] if run["differences"])
        mark = self.find("mark-0")
        self.assertIn(parting["parts_first"], mark.get_attribute("textContent"))
        self.script("arguments[0].click()", mark)
        self.assertAlmostEqual(self.time(), parting["parts_at"], 9)

    def test_the_difference_is_drawn_and_told(self):
        self.assertTrue(self.find("difference-section").is_displayed())
        self.script("const s = document.getElementById('scrub'); s.value = s.max; s.dispatchEvent(new Event('input'))")
        told = self.texts("#difference-values span")[0]
        parting = next(run["differences"] for run in json.loads(self.data.read_text())["runs"] if run["differences"])
        shown = float(told.split()[-2].replace("−", "-"))
        self.assertAlmostEqual(shown, parting["final_position"], delta=1e-3 * parting["final_position"])

    def test_a_run_is_hidden_and_shown_again(self):
        self.seek(1e9)  # the end, where they are apart
        both = self.picture()
        box = self.find("run-1")
        self.script("arguments[0].click()", box)
        alone = self.picture()
        self.assertNotEqual(alone, both)
        self.script("arguments[0].click()", box)
        self.assertNotEqual(self.picture(), alone)

    def test_both_play_together(self):
        before = self.picture()
        self.press(" ")
        self.wait(lambda: self.time() > 0.001)
        self.press(" ")
        self.assertNotEqual(self.picture(), before)


class Trust(ReportCase):
    @classmethod
    def make_pages(cls):
        cls.data = cls.folder / "t.json"
        scene = {"carom": 1, "name": "Thrown", "duration": 1, "bodies": [
            {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 0, 0], "velocity": [1, 0, 2]}],
            "uncertain": {"/bodies/0/velocity/0": 0.1}}
        (cls.folder / "scene.json").write_text(json.dumps(scene))
        subprocess.run([CAROM, "trust", cls.folder / "scene.json", "--report", cls.page, "--json", cls.data], check=True,
                       capture_output=True)

    def test_it_says_the_sentence_and_draws_the_growth_of_each_kind(self):
        trust = json.loads(self.data.read_text())
        self.assertIn(trust["sentence"], self.find("runs").get_attribute("textContent"))
        told = " ".join(self.texts("#difference-values span"))
        for kind in trust["kinds"]:
            self.assertIn(kind["kind"], told)

    def test_a_mark_goes_to_where_a_size_is_passed(self):
        trust = json.loads(self.data.read_text())
        first = next(passing for kind in trust["kinds"] for passing in kind["passes"] if passing["t"] is not None)
        self.script("arguments[0].click()", self.find("mark-0"))
        self.assertAlmostEqual(self.time(), first["t"], 9)


if __name__ == "__main__":
    unittest.main()
