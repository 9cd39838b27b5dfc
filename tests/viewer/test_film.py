"""Pictures and films that carom run writes, read back by other programs. CAROM_BIN names the program."""

import json
import os
import struct
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path

CAROM = os.environ.get("CAROM_BIN", "carom")
ROOT = Path(os.environ.get("CAROM_SOURCE_DIR", Path(__file__).parents[2]))


def pixels_of(png):
    """Width, height and the inflated rows of a PNG without interlacing."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, data, size = 8, b"", None
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        if kind == b"IDAT":
            data += body
        at += 12 + length
    return (*size, zlib.decompress(data))


class Film(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_carom(self, *arguments, path=None):
        environment = {**os.environ, **({"PATH": path} if path else {})}
        return subprocess.run([CAROM, "run", ROOT / "scenes" / "bouncing-ball.json", "--quiet", *map(str, arguments)],
                              capture_output=True, text=True, timeout=600, check=False, env=environment)

    def test_a_picture_shows_the_last_moment(self):
        pictures = []
        for duration in (0.01, 0.45):  # above, and on the ground
            picture = self.folder / f"{duration}.png"
            result = self.run_carom("--duration", duration, "--out", picture)
            self.assertEqual(result.returncode, 0, result.stderr)
            width, height, rows = pixels_of(picture.read_bytes())
            self.assertEqual((width, height), (1280, 720))
            self.assertGreater(len(set(rows)), 30)  # not of one colour
            pictures.append(rows)
        self.assertNotEqual(*pictures)

    # Half a second is shown at a quarter of the speed, so that it lasts two.
    def test_a_film_has_the_length_and_the_frames_it_should(self):
        film = self.folder / "run.mp4"
        result = self.run_carom("--duration", 0.5, "--out", film, "--summary", self.folder / "s.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                "stream=width,height,codec_name,nb_read_frames,r_frame_rate", "-of", "json", film],
                               capture_output=True, text=True, check=True)
        stream = json.loads(probe.stdout)["streams"][0]
        self.assertEqual((stream["codec_name"], stream["width"], stream["height"]), ("h264", 1280, 720))
        self.assertEqual(stream["r_frame_rate"], "30/1")
        self.assertEqual(int(stream["nb_read_frames"]), 61)
        ends = [subprocess.run(["ffmpeg", "-v", "error", "-ss", str(at), "-i", film, "-frames:v", "1", "-f", "rawvideo", "-"],
                               capture_output=True, check=True).stdout for at in (0, 1.9)]
        self.assertNotEqual(*ends)  # the ball has moved
        self.assertEqual(list(self.folder.glob("*.partial")), [])

    def test_what_is_not_installed_is_named_before_anything_runs(self):
        for output in ("run.png", "run.mp4"):
            result = self.run_carom("--out", self.folder / output, path="/nowhere")
            self.assertEqual(result.returncode, 1)
            self.assertIn("chromium", result.stderr)
            self.assertIn("apt-get install", result.stderr)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "chromium").symlink_to("/bin/false")
        result = self.run_carom("--out", self.folder / "run.mp4", path=self.folder / "bin")
        self.assertIn("ffmpeg", result.stderr)
        result = self.run_carom("--out", self.folder / "run.png", path=self.folder / "bin")  # a browser that ends at once
        self.assertEqual(result.returncode, 1)
        self.assertIn("browser", result.stderr)
        self.assertFalse((self.folder / "run.png").exists())


if __name__ == "__main__":
    unittest.main()
