"""scripts/site: the documentation as a site, opened from disk in a browser without a network. CAROM_BIN names the program."""

import subprocess
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from test_page import CAROM, ROOT, SOFTWARE_WEBGL, open_browser


class Links(HTMLParser):
    """What a page refers to, and the places in it that others can refer to."""

    def __init__(self, page):
        super().__init__()
        self.wanted, self.places = [], set()
        self.feed(page.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.wanted.append(value)
            if name == "id":
                self.places.add(value)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.site = Path(folder.name) / "site"
        subprocess.run([ROOT / "scripts" / "site", cls.site, "--program", CAROM], check=True)
        cls.browser = open_browser(*SOFTWARE_WEBGL)
        cls.addClassCleanup(cls.browser.quit)

    def wait(self, condition):
        return WebDriverWait(self.browser, 20, 0.05).until(lambda _: condition())

    def find(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def open(self, name):
        self.browser.get((self.site / name).as_uri())

    def pages(self):
        return {page: Links(page) for page in self.site.rglob("*.html")
                if page.parent.name != "gallery" and page.name != "404.html"}

    def test_every_link_leads_somewhere(self):
        pages = self.pages()
        self.assertGreater(len(pages), 50)
        lost = []
        for page, links in pages.items():
            for link in links.wanted:
                parts = urlsplit(link)
                if parts.scheme:
                    continue
                to = (page.parent / unquote(parts.path)).resolve() if parts.path else page
                to = to / "index.html" if to.is_dir() else to
                if not to.exists() or (to in pages and parts.fragment and unquote(parts.fragment) not in pages[to].places):
                    lost.append(f"{page.relative_to(self.site)}: {link}")
        self.assertEqual(lost, [])

    def test_nothing_is_fetched_from_elsewhere(self):
        for page in self.pages():
            for line in page.read_text().splitlines():
                self.assertNotRegex(line, r'(src|<link[^>]* href)="?(https?:)?//')

    def test_one_finds_what_one_looks_for(self):
        self.open("index.html")
        query = self.find("[data-md-component=search-query]")[0]
        query.send_keys("squeezed")
        self.wait(lambda: any("glossary" in (link.get_attribute("href") or "") for link in self.find(".md-search-result__link")))

    def test_it_is_dark_in_the_dark(self):
        for scheme, expected in (("dark", "slate"), ("light", "default")):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                         {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.open("index.html")
            self.wait(lambda: self.find(f"body[data-md-color-scheme={expected}]"))

    def test_runs_play_in_the_gallery(self):
        self.open("gallery.html")
        frames = self.find("iframe")
        self.assertGreater(len(frames), 3)
        self.browser.switch_to.frame(frames[0])
        self.wait(lambda: self.find("body[data-ready=yes]"))
        self.assertEqual(self.find("#verdict")[0].text, "audit passed")
        self.browser.switch_to.default_content()


if __name__ == "__main__":
    unittest.main()
