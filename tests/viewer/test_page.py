"""Pages made by the program, in a real browser without a network and without a graphics card: chromium,
driven by chromedriver. What they show is compared with the CSV files of the same run. CAROM_BIN names the program."""

import csv
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

CAROM = os.environ.get("CAROM_BIN", "carom")
ROOT = Path(os.environ.get("CAROM_SOURCE_DIR", Path(__file__).parents[2]))
SOFTWARE_WEBGL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")


def open_browser(*more):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=820,560", "--force-device-scale-factor=0.5", *more):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def rows(path):
    with path.open() as file:
        return list(csv.DictReader(file))


class PageCase(unittest.TestCase):
    flags = SOFTWARE_WEBGL

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.page = cls.folder / "run.html"
        cls.make_pages()
        cls.browser = open_browser(*cls.flags)
        cls.addClassCleanup(cls.browser.quit)

    @classmethod
    def make_pages(cls):
        subprocess.run([CAROM, "run", "--quiet", ROOT / "scenes" / "break.json", "--duration", "1", "--out", cls.page,
                        "--out", cls.folder / "states.csv", "--events", cls.folder / "events.csv"], check=True)

    def load(self, page=None):
        self.browser.get((page or self.page).as_uri())
        self.wait(lambda: self.script("return document.body.dataset.ready"))

    def wait(self, condition):
        return WebDriverWait(self.browser, 20, poll_frequency=0.05).until(lambda _: condition())

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def find(self, name):
        return self.browser.find_element(By.ID, name)

    def click(self, name):
        self.find(name).click()

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def time(self):
        return float(self.script("return document.getElementById('scrub').value"))

    def output(self):
        return int(self.find("clock").get_attribute("data-output"))

    def picture(self):
        self.script("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return self.find("picture").screenshot_as_base64

    def seek(self, time):
        self.script("const s = document.getElementById('scrub'); s.value = arguments[0];"
                    "s.dispatchEvent(new Event('input'))", time)


class Looking(PageCase):
    def setUp(self):
        self.load()

    def tearDown(self):
        faults = [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        self.assertEqual(faults, [])

    def test_it_says_what_was_run_and_the_verdict(self):
        self.assertEqual(self.find("name").text, "Billiards break")
        self.assertEqual(self.find("verdict").text, "audit passed")
        self.assertIn("Billiards break", self.browser.title)
        self.script("document.getElementById('summary-section').open = true")
        self.assertIn("deepest overlap", self.find("summary").text)

    def test_it_plays_and_pauses_by_button_and_by_key(self):
        before = self.picture()
        self.click("play")
        self.wait(lambda: self.time() > 0.2)
        self.click("play")
        stopped = self.time()
        self.assertNotEqual(self.picture(), before)
        self.assertEqual(self.time(), stopped)
        self.press(Keys.HOME)
        self.assertEqual(self.time(), 0)
        self.click("picture")  # the focus leaves the button, which would take the key
        self.press(" ")
        self.wait(lambda: self.time() > 0.05)
        self.press(" ")
        self.assertEqual(self.find("play").get_attribute("aria-label"), "Play")

    def test_it_stops_at_the_end_and_plays_again_from_the_start(self):
        self.seek(0.97)
        self.press(" ")
        self.wait(lambda: self.find("play").get_attribute("aria-label") == "Play")
        self.assertEqual(self.time(), 1)
        self.press(" ")
        self.wait(lambda: 0 < self.time() < 0.9)

    def test_it_steps_from_output_to_output(self):
        for key, expected in ((".", 1), (".", 2), (Keys.ARROW_RIGHT, 3), (",", 2), (Keys.ARROW_LEFT, 1)):
            self.press(key)
            self.assertEqual(self.output(), expected)
            self.assertAlmostEqual(self.time(), 0.01 * expected, 9)
        self.seek(0.555)
        self.click("step-back")
        self.assertAlmostEqual(self.time(), 0.55, 9)
        self.click("step")
        self.assertAlmostEqual(self.time(), 0.56, 9)

    def test_it_steps_from_event_to_event(self):
        times = sorted({float(row["time"]) for row in rows(self.folder / "events.csv")})
        later = [time for time in times if time > 0]
        for time in later[:3]:
            self.press("n")
            self.assertAlmostEqual(self.time(), time, 12)
        self.press("p")
        self.assertAlmostEqual(self.time(), later[1], 12)
        self.click("event-next")
        self.assertAlmostEqual(self.time(), later[2], 12)

    def test_scrubbing_moves_the_picture_and_the_plot(self):
        before = self.picture(), self.find("plot").screenshot_as_base64
        self.seek(0.5)
        self.assertNotEqual(self.picture(), before[0])
        self.assertNotEqual(self.find("plot").screenshot_as_base64, before[1])

    def test_energies_are_those_of_the_states(self):
        balls = [row for row in rows(self.folder / "states.csv") if float(row["time"]) == 0 and "ball" in row["body"]]
        radius = 0.028575
        mass = 1740 * 4 / 3 * 3.141592653589793 * radius ** 3
        kinetic = sum(0.5 * mass * float(row["vx"]) ** 2 for row in balls)  # nothing turns at the start
        shown = float(re.search(r"kinetic ([\d.]+) J", self.find("plot-values").text).group(1))
        self.assertAlmostEqual(shown, kinetic, delta=1e-3 * kinetic)

    def test_the_plot_shows_momenta_and_forces_as_well(self):
        self.seek(0)
        mass = 1740 * 4 / 3 * 3.141592653589793 * 0.028575 ** 3
        Select(self.find("quantity")).select_by_visible_text("Momentum")
        shown = float(re.search(r"x ([\d.]+) N s", self.find("plot-values").text).group(1))
        self.assertAlmostEqual(shown, 7 * mass, delta=6e-4)  # of the cue ball alone; four digits are shown
        Select(self.find("quantity")).select_by_visible_text("Contact force")
        self.seek(0.05)  # nothing has been hit yet
        shown = float(re.search(r"all contacts ([\d.]+) N", self.find("plot-values").text).group(1))
        with_friction = 16 * mass * 9.81 * (1 + (0.2 / 16) ** 2) ** 0.5
        self.assertAlmostEqual(shown, with_friction, delta=0.01 * with_friction)
        Select(self.find("quantity")).select_by_visible_text("Height of the body")
        self.assertIn("select a body", self.find("plot-values").text)
        Select(self.find("body")).select_by_visible_text("ball 7")
        self.assertIn("height 0.02857 m", self.find("plot-values").text)

    def test_a_click_on_the_plot_goes_there(self):
        plot = self.find("plot")
        ActionChains(self.browser).move_to_element_with_offset(plot, 30, 0).click().perform()
        self.assertGreater(self.time(), 0.4)
        self.assertLess(self.time(), 0.8)

    def test_contacts_are_shown_and_hidden(self):
        self.seek(0.3)
        shown = self.picture()
        self.press("c")
        hidden = self.picture()
        self.assertNotEqual(shown, hidden)
        self.assertEqual(self.find("arrows").get_attribute("aria-pressed"), "false")
        self.click("arrows")
        self.assertNotEqual(self.picture(), hidden)

    def test_an_event_of_the_list_is_jumped_to(self):
        events = rows(self.folder / "events.csv")
        first = next(i for i, event in enumerate(events) if float(event["time"]) > 0)  # the list stands before it
        row = self.find(f"event-{first}")
        self.assertIn(events[first]["event"], row.text)
        row.click()
        self.assertAlmostEqual(self.time(), float(events[first]["time"]), 12)
        self.assertEqual(row.get_attribute("aria-selected"), "true")
        self.find("events").send_keys(Keys.ARROW_DOWN)
        self.assertAlmostEqual(self.time(), float(events[first + 1]["time"]), 12)

    def test_a_body_that_is_clicked_shows_its_state(self):
        page = self.folder / "box.html"
        subprocess.run([CAROM, "run", "--quiet", ROOT / "scenes" / "resting-box.json", "--out", page], check=True)
        self.load(page)
        self.click("picture")  # in the middle, where the one body is that moves
        self.assertRegex(self.find("inspector").text, "^box")
        self.assertIn("ground", self.find("inspector").text)  # which carries it

    def test_a_body_that_is_chosen_shows_the_state_of_the_csv(self):
        self.seek(0.5)
        before = self.picture()
        Select(self.find("body")).select_by_visible_text("ball 7")
        self.assertNotEqual(self.picture(), before)  # highlighted
        state = next(row for row in rows(self.folder / "states.csv")
                     if row["body"] == "ball 7" and abs(float(row["time"]) - 0.5) < 1e-9)
        text = self.find("inspector").text.replace("−", "-")
        for label, names in (("position, m", "x y z"), ("velocity, m/s", "vx vy vz")):
            shown = re.search(re.escape(label) + r" (\S+), (\S+), (\S+)", text).groups()
            for value, name in zip(shown, names.split()):
                self.assertAlmostEqual(float(value), float(state[name]), delta=1e-4 + 0.006 * abs(float(state[name])))
        self.press(Keys.ESCAPE)
        self.assertFalse(self.find("inspector").is_displayed())

    # At an impact the cue ball and the ball it hits touch, though no output falls there.
    def test_at_the_moment_of_an_impact_bodies_touch(self):
        hit = next(row for row in rows(self.folder / "events.csv")
                   if row["event"] == "impact" and {row["body_a"], row["body_b"]} <= {"cue ball", "ball 1", "ball 3"})
        while self.time() < float(hit["time"]) - 1e-12:
            self.press("n")
        places = []
        for name in (hit["body_a"], hit["body_b"]):
            Select(self.find("body")).select_by_visible_text(name)
            text = self.find("inspector").text.replace("−", "-")
            places.append([float(value) for value in re.search(r"position, m (\S+), (\S+), (\S+)", text).groups()])
        apart = sum((a - b) ** 2 for a, b in zip(*places)) ** 0.5
        self.assertAlmostEqual(apart, 2 * 0.028575, delta=0.002)  # three digits are shown

    def test_it_is_readable_in_the_dark_and_fits_a_phone(self):
        def set_media(value):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                         {"features": [{"name": "prefers-color-scheme", "value": value}]})

        self.addCleanup(set_media, "")
        light = self.find("name").value_of_css_property("color")
        set_media("dark")
        self.assertNotEqual(self.find("name").value_of_css_property("color"), light)
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": 380, "height": 740, "deviceScaleFactor": 1, "mobile": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        self.load()
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 380)
        self.assertFalse(self.find("panel").is_displayed())
        self.click("panel-toggle")
        self.assertTrue(self.find("panel").is_displayed())

    def test_everything_that_can_be_used_has_a_name(self):
        unnamed = self.script("""return [...document.querySelectorAll("button, input, select, canvas, [tabindex]")]
            .filter((e) => !e.closest("[aria-hidden]") && !(e.ariaLabel || e.textContent.trim() || e.labels?.length))
            .map((e) => e.outerHTML)""")
        self.assertEqual(unnamed, [])


class Damaged(PageCase):
    def test_damaged_recordings_say_so(self):
        text = self.page.read_text()
        start = text.index('type="application/octet-stream">') + len('type="application/octet-stream">')
        end = text.index("</script>", start)
        middle = (start + end) // 2
        flipped = "A" if text[middle] != "A" else "B"
        for damaged, why in ((text[:middle] + flipped + text[middle + 1:], "cut short or changed"),
                             (text[:middle] + text[end:], "cut short or changed"),
                             (text[:start] + "?" + text[start + 1:], "not base64"),
                             (text[:start] + text[end:], "no recording")):
            page = self.folder / "damaged.html"
            page.write_text(damaged)
            self.load(page)
            message = self.find("message")
            self.assertTrue(message.is_displayed())
            self.assertIn("This run cannot be shown", message.text)
            self.assertIn(why, message.text)


class WithoutWebGL(PageCase):
    flags = ("--disable-gpu", "--disable-3d-apis")

    def test_the_rest_of_the_page_works(self):
        self.load()
        self.assertIn("WebGL", self.find("message").text)
        self.press(".")
        self.assertEqual(self.output(), 1)
        self.assertIn("kinetic", self.find("plot-values").text)


if __name__ == "__main__":
    unittest.main()
