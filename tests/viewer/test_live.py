"""carom view in a real browser: the page of a simulation that goes on. CAROM_BIN names the program."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from test_page import CAROM, ROOT, PageCase, open_browser, rows

BALL = ROOT / "scenes" / "bouncing-ball.json"


class LiveCase(PageCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.browser = open_browser(*cls.flags)
        cls.addClassCleanup(cls.browser.quit)

    def view(self, file=BALL, *more):
        program = subprocess.Popen([CAROM, "view", "--no-browser", str(file), *more], stdout=subprocess.PIPE, text=True)
        self.addCleanup(program.communicate)
        self.addCleanup(program.kill)
        self.browser.get(program.stdout.readline().strip())
        self.wait(lambda: self.script("return document.body.dataset.ready"))
        return program

    # A change makes the page's elements anew.
    def wait(self, condition):
        return WebDriverWait(self.browser, 20, 0.05, [StaleElementReferenceException]).until(lambda _: condition())

    def end(self):
        return float(self.find("scrub").get_attribute("max"))

    def choose(self, select, text):
        Select(self.find(select)).select_by_visible_text(text)

    def set(self, pointer, value):
        for name, text in (("live-pointer", pointer), ("live-value", value)):
            field = self.find(name)
            field.clear()
            field.send_keys(text)
        self.script("arguments[0].scrollIntoView()", self.find("live-form"))
        self.browser.find_element(By.CSS_SELECTOR, "#live-form button").click()

    def play_until(self, time):
        self.script("document.getElementById('play').click()")
        self.wait(lambda: self.time() >= time)
        self.script("document.getElementById('play').click()")

    def trouble(self):
        return self.find("trouble").text


class Live(LiveCase):
    def setUp(self):
        self.view()

    def test_it_plays_and_pauses_and_plays_what_was_before_again(self):
        before = self.picture(), self.find("plot").screenshot_as_base64
        self.play_until(0.3)
        stopped = self.time()
        self.assertNotEqual(self.picture(), before[0])
        self.assertNotEqual(self.find("plot").screenshot_as_base64, before[1])
        self.assertEqual(self.time(), stopped)
        self.assertEqual(self.find("verdict").text, "audit passed")
        self.seek(0.1)
        self.assertAlmostEqual(self.time(), 0.1, 9)
        self.press(",")
        self.assertAlmostEqual(self.time(), 0.09, 9)

    def test_it_goes_on_by_steps_and_by_events(self):
        events = self.folder / "events.csv"
        subprocess.run([CAROM, "run", "--quiet", BALL, "--events", events], check=True)
        times = [float(row["time"]) for row in rows(events)]
        self.press(".")
        self.wait(lambda: self.time() == 0.001)
        for expected in times[:2]:
            self.press("n")
            self.wait(lambda: abs(self.time() - expected) < 1e-12)
        self.wait(lambda: "impact" in self.find("event-0").text)
        self.press("p")
        self.assertAlmostEqual(self.time(), times[0], 12)

    def test_another_method_goes_on_from_the_moment_shown(self):
        self.play_until(0.2)
        self.seek(0.15)
        self.choose("live-method", "elastic")
        self.wait(lambda: self.find("method").text == "elastic")
        self.assertAlmostEqual(self.time(), 0.15, 9)
        self.assertAlmostEqual(self.end(), 0.15, 9)
        self.play_until(0.4)
        self.seek(0.1)  # what was before is still there
        self.assertAlmostEqual(self.time(), 0.1, 9)
        self.script("document.querySelector('#live-changes button').click()")
        self.wait(lambda: "cannot" in self.trouble() or "changed last" in self.trouble())
        self.seek(0.3)
        self.script("document.querySelector('#live-changes button').click()")
        self.wait(lambda: self.find("method").text.startswith("zeno-free"))

    def test_values_of_the_scene_change(self):
        self.set("/gravity", "[0, 0, 9.81]")
        self.wait(lambda: "/gravity = [0, 0, 9.81]" in self.find("live-changes").text)
        self.choose("quantity", "Height of the body")
        self.choose("body", "ball")

        def height():  # against gravity, which now pulls up; NaN while the plot has no value at this time
            shown = re.search(r"height (\S+) m", self.find("plot-values").text).group(1)
            return float("nan" if shown == "–" else shown.replace("−", "-"))

        self.wait(lambda: abs(height() + 1.1) < 1e-7)
        self.play_until(0.3)
        self.wait(lambda: height() < -1.2)

    def test_a_bad_value_is_told_with_its_place(self):
        self.set("/gravit/2", "1")
        self.wait(lambda: "/gravit/2" in self.trouble())
        self.assertEqual(self.time(), 0)
        self.click("trouble-close")
        self.assertFalse(self.find("trouble").is_displayed())
        self.press(".")
        self.wait(lambda: self.time() > 0)

    def test_r_starts_anew(self):
        self.play_until(0.2)
        self.click("picture")
        self.press("r")
        self.wait(lambda: self.time() == 0 and self.end() < 0.1)

    def test_arrows_appear_where_it_bounces(self):
        self.press("n")
        self.wait(lambda: self.time() > 0)
        shown = self.picture()
        self.press("c")
        self.assertNotEqual(self.picture(), shown)

    def test_it_fits_a_phone(self):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": 380, "height": 740, "deviceScaleFactor": 1, "mobile": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        self.browser.refresh()
        self.wait(lambda: self.script("return document.body.dataset.ready"))
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 380)
        self.click("panel-toggle")
        self.assertTrue(self.find("live-method").is_displayed())

    def test_everything_that_can_be_used_has_a_name(self):
        unnamed = self.script("""return [...document.querySelectorAll("button, input, select, canvas, [tabindex]")]
            .filter((e) => !e.closest("[aria-hidden]") && !(e.ariaLabel || e.textContent.trim() || e.labels?.length))
            .map((e) => e.outerHTML)""")
        self.assertEqual(unnamed, [])


SHELF = """{"carom": 1, "name": "On a shelf", "pairs": [{"materials": ["*", "*"], "friction": 0.5}], "bodies": [
  {"name": "shelf", "motion": "fixed", "shape": {"type": "box", "size": [0.2, 0.2, 0.02]}, "position": [0, 0, -0.11]},
  {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}}], "duration": 10}"""


class Dragged(LiveCase):
    def setUp(self):
        scene = self.folder / "shelf.json"
        scene.write_text(SHELF)
        self.browser.set_window_size(1400, 900)  # so that what tells of the ball does not cover it
        self.view(scene)
        self.choose("quantity", "Height of the body")
        self.choose("body", "ball")

    # Of the ball, which lies in the middle of the picture with its centre at 0.
    def height(self):
        shown = re.search(r"height (\S+) m", self.find("plot-values").text).group(1)
        return float("nan" if shown == "–" else shown.replace("−", "-"))

    def drag_up(self, pixels):
        ActionChains(self.browser, 20).click_and_hold(self.find("picture")).move_by_offset(0, -pixels).perform()

    def let_go(self):
        ActionChains(self.browser).release().perform()

    # What one finger does; Selenium's own is not lifted again.
    def touch(self, kind, *points):
        self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    def finger_up(self, pixels):
        at = self.script("const r = document.getElementById('picture').getBoundingClientRect();"
                         "return {x: r.x + r.width / 2, y: r.y + r.height / 2}")
        self.touch("touchStart", at)
        for part in range(1, 11):
            self.touch("touchMove", {**at, "y": at["y"] - pixels * part / 10})

    def lift_and_drop(self, drag_up, let_go):
        self.script("document.getElementById('play').click()")
        drag_up(300)
        self.wait(lambda: self.find("legend-pull").is_displayed())
        self.wait(lambda: self.height() > 0.05)
        self.assertEqual(self.find("verdict").text, "audit passed")
        let_go()
        self.wait(lambda: not self.find("legend-pull").is_displayed())
        self.wait(lambda: self.height() < 0.03)
        self.assertEqual(self.find("verdict").text, "audit passed")

    def test_a_ball_follows_the_pointer_and_falls_when_it_is_let_go(self):
        self.lift_and_drop(self.drag_up, self.let_go)

    def test_a_finger_does_the_same(self):
        self.lift_and_drop(self.finger_up, lambda: self.touch("touchEnd"))

    def test_the_view_stays_while_a_body_is_dragged_and_turns_beside_it(self):
        self.press(Keys.ESCAPE)
        before = self.picture()
        self.drag_up(200)
        self.let_go()
        self.assertEqual(self.picture(), before)
        beside = ActionChains(self.browser).move_to_element_with_offset(self.find("picture"), 200, 60)
        beside.click_and_hold().move_by_offset(40, 0).release().perform()
        self.assertNotEqual(self.picture(), before)

    def test_a_pull_begins_at_the_moment_shown_also_where_time_stands(self):
        self.play_until(0.3)
        self.seek(0.1)
        self.drag_up(300)
        self.wait(lambda: abs(self.end() - 0.1) < 1e-9)
        self.wait(lambda: self.press(".") or self.height() > 0.001)
        self.let_go()


class Trouble(LiveCase):
    def test_a_server_that_is_gone_is_told_and_what_there_was_stays(self):
        program = self.view()
        self.play_until(0.2)
        program.terminate()
        self.assertEqual(program.wait(5), 0)
        self.wait(lambda: "is gone" in self.trouble())
        self.seek(0.1)
        self.assertAlmostEqual(self.time(), 0.1, 9)

    def test_a_run_that_stops_says_why(self):
        self.view(BALL, "--method", "naive")
        self.choose("speed", "8×")
        self.press(Keys.ESCAPE)
        self.script("document.getElementById('play').click()")
        self.wait(lambda: "Zeno" in self.trouble())
        self.assertEqual(self.find("verdict").text, "stopped early")

    def test_an_address_without_its_token_opens_nothing(self):
        self.view()
        self.browser.get(self.browser.current_url.split("?")[0])
        self.assertIn("token", self.browser.find_element(By.TAG_NAME, "body").text)

    def test_a_recording_is_looked_at(self):
        file = self.folder / "run.h5"
        subprocess.run([CAROM, "run", "--quiet", BALL, "--duration", "1", "--out", file], check=True)
        self.view(file)
        self.assertEqual(self.find("name").text, "Bouncing ball")
        self.assertEqual(self.end(), 1)
        self.assertFalse(self.find("live-section").is_displayed())
        self.seek(0.4)
        self.press("n")
        self.assertAlmostEqual(self.time(), (2 * 1 / 9.81) ** 0.5, 6)


if __name__ == "__main__":
    unittest.main()
