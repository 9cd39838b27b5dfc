"""carom view from outside: what its server answers and refuses, by sockets, without a browser. What the live simulation
tells is compared with the CSV of the same run."""

import base64
import csv
import itertools
import json
import math
import os
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest
import zlib
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

CAROM = os.environ.get("CAROM_BIN", "carom")
ROOT = Path(os.environ.get("CAROM_SOURCE_DIR", Path(__file__).parents[2]))
BALL = ROOT / "scenes" / "bouncing-ball.json"


class Viewed:
    """A running carom view."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([CAROM, "view", "--no-browser", *map(str, arguments)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        url = urlsplit(self.address)
        self.port = url.port
        self.token = parse_qs(url.query)["token"][0] if url.query else ""

    def close(self):
        self.process.kill()
        self.process.communicate()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), 10)

    def answer(self, text):
        with self.connect() as connection:
            connection.sendall(text)
            received = b""
            while chunk := connection.recv(65536):
                received += chunk
        return received

    def ask(self, target="/?token={token}", method="GET", host="127.0.0.1:{port}", more=""):
        fill = {"token": self.token, "port": self.port}
        text = f"{method} {target.format(**fill)} HTTP/1.1\r\nHost: {host.format(**fill)}\r\n{more.format(**fill)}\r\n"
        received = self.answer(text.encode())
        return int(received.split()[1]) if received else 0, received


class Socket:
    """A WebSocket client of a few lines."""

    def __init__(self, viewed, token=None, origin="http://127.0.0.1:{port}", host="127.0.0.1:{port}"):
        self.connection = viewed.connect()
        token = viewed.token if token is None else token
        origin = f"Origin: {origin.format(port=viewed.port)}\r\n" if origin else ""
        self.connection.sendall((f"GET /live?token={token} HTTP/1.1\r\nHost: {host.format(port=viewed.port)}\r\n{origin}"
                                 f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                 f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n").encode())
        self.head = b""
        while not self.head.endswith(b"\r\n\r\n"):
            byte = self.connection.recv(1)
            if not byte:
                break
            self.head += byte
        self.status = int(self.head.split()[1]) if self.head else 0

    def close(self):
        self.connection.close()

    def send(self, payload, first=0x81, length=None):
        size = len(payload) if length is None else length
        head = bytes([first])
        head += bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + struct.pack(">H", size) if size < 65536 else bytes([0xFF]) + struct.pack(">Q", size)
        mask = os.urandom(4)
        self.connection.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))

    def read(self, count):
        received = b""
        while len(received) < count:
            chunk = self.connection.recv(count - len(received))
            if not chunk:
                raise EOFError
            received += chunk
        return received

    def receive(self):
        while True:
            kind, size = self.read(2)
            size = size if size < 126 else struct.unpack(">H", self.read(2))[0] if size == 126 else struct.unpack(">Q", self.read(8))[0]
            payload = self.read(size)
            if kind & 0x0F == 9:
                continue
            if kind & 0x0F == 8:
                raise EOFError
            return payload

    def is_closed(self):
        try:
            while True:
                self.receive()
        except (EOFError, ConnectionError):
            return True
        except socket.timeout:
            return False

    def ask(self, **request):
        self.send(json.dumps(request).encode())
        payload = self.receive()
        if payload.startswith(b'{"error"'):
            return json.loads(payload), {}
        (size,) = struct.unpack("<I", payload[:4])
        header = json.loads(payload[4:4 + size])
        columns, at = {}, 4 + size
        for name, kind, length in header["columns"]:
            width = {"f64": 8, "f32": 4, "i32": 4}[kind]
            part = payload[at:at + width * length]
            joined = bytes(part[byte * length + i] for i in range(length) for byte in range(width))
            columns[name] = struct.unpack(f"<{length}{ {'f64': 'd', 'f32': 'f', 'i32': 'i'}[kind]}", joined)
            at += width * length
        return header, columns


class ViewCase(unittest.TestCase):
    def view(self, *arguments):
        viewed = Viewed(*arguments)
        self.addCleanup(viewed.close)
        return viewed

    def open(self, viewed, **more):
        opened = Socket(viewed, **more)
        self.addCleanup(opened.close)
        return opened


class Served(ViewCase):
    def setUp(self):
        self.viewed = self.view(BALL)

    def test_whoever_has_the_address_gets_the_page(self):
        status, text = self.viewed.ask()
        self.assertEqual(status, 200)
        self.assertIn(f"connect-src ws://127.0.0.1:{self.viewed.port}/live".encode(), text)
        self.assertGreaterEqual(len(self.viewed.token), 32)

    def test_it_listens_on_the_loopback_interface_alone(self):
        table = Path(f"/proc/{self.viewed.process.pid}/net/tcp").read_text().splitlines()[1:]
        port = f"{self.viewed.port:04X}"
        local = {line.split()[1] for line in table if line.split()[3] == "0A" and line.split()[1].endswith(":" + port)}
        self.assertEqual(local, {f"0100007F:{port}"})

    def test_others_are_refused(self):
        for what, asked in {
            "no token": {"target": "/"},
            "wrong token": {"target": "/?token=" + "0" * 32},
            "a part of the token": {"target": f"/?token={self.viewed.token[:-1]}"},
            "another host": {"host": "evil.example:{port}"},
            "another port": {"host": "127.0.0.1:1"},
            "no port": {"host": "127.0.0.1"},
            "two hosts": {"more": "Host: evil.example\r\n"},
            "another origin": {"more": "Origin: http://evil.example\r\n"},
            "no origin of its own": {"more": "Origin: null\r\n"},
        }.items():
            with self.subTest(what):
                status, text = self.viewed.ask(**asked)
                self.assertEqual(status, 403)
                self.assertNotIn(b"<html", text)

    def test_nothing_else_is_served(self):
        for target in ("/etc/passwd", "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/page.html", "/live/x"):
            with self.subTest(target):
                status, text = self.viewed.ask(target + "?token={token}")
                self.assertNotEqual(status, 200)
                self.assertNotIn(b"root:", text)
        self.assertEqual(self.viewed.ask(method="POST")[0], 405)
        self.assertEqual(self.viewed.ask(method="PUT", target="/x?token={token}")[0], 404)

    def test_sockets_of_others_are_refused(self):
        self.assertEqual(self.open(self.viewed).status, 101)
        for what, asked in {"no token": {"token": ""}, "wrong token": {"token": "f" * 32}, "no origin": {"origin": ""},
                            "another origin": {"origin": "http://evil.example"}, "another host": {"host": "evil.example"}}.items():
            with self.subTest(what):
                self.assertEqual(self.open(self.viewed, **asked).status, 403)

    def test_more_sockets_than_a_few_are_refused_until_some_are_closed(self):
        opened = [self.open(self.viewed) for _ in range(4)]
        self.assertEqual([each.status for each in opened], [101] * 4)
        self.assertNotEqual(self.open(self.viewed).status, 101)
        for each in opened:
            each.close()
        deadline = time.monotonic() + 10
        while self.open(self.viewed).status != 101:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def test_malformed_requests_do_it_no_harm(self):
        for text in (b"\0\xff\xfe\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /" + b"a" * 40000 + b" HTTP/1.1\r\n\r\n",
                     b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 500 + b"\r\n", os.urandom(4000) + b"\r\n\r\n"):
            try:
                self.assertNotIn(b"<html", self.viewed.answer(text))
            except ConnectionError:
                pass
        self.assertEqual(self.viewed.ask()[0], 200)

    def test_malformed_messages_close_the_socket_and_nothing_else(self):
        good = self.open(self.viewed)
        for what, send in {
            "no JSON": lambda s: s.send(b"{"),
            "no object": lambda s: s.send(b"[1]"),
            "deep": lambda s: s.send(b"[" * 60000),
            "binary": lambda s: s.send(b"{}", first=0x82),
            "in pieces": lambda s: s.send(b"{", first=0x01),
            "a rest of nothing": lambda s: s.send(b"}", first=0x80),
            "unknown kind": lambda s: s.send(b"{}", first=0x83),
            "too long": lambda s: s.send(b" " * 70000),
            "not UTF-8": lambda s: s.send(b'{"do": "\xff\xfe"}'),
        }.items():
            with self.subTest(what):
                bad = self.open(self.viewed)
                send(bad)
                self.assertTrue(bad.is_closed())
                bad.close()
        self.assertEqual(good.ask(do="open")[0]["kind"], "scene")

    def test_a_message_that_claims_to_be_enormous_takes_no_memory(self):
        bad = self.open(self.viewed)
        bad.send(b"x" * 10, length=1 << 62)
        other = self.open(self.viewed)
        self.assertEqual(other.ask(do="open")[0]["kind"], "scene")
        status = Path(f"/proc/{self.viewed.process.pid}/status").read_text()
        resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        self.assertLess(resident, 500_000)  # kB

    def test_requests_that_mean_nothing_are_answered_with_an_error(self):
        opened = self.open(self.viewed)
        for request in ({"do": "fly"}, {"do": 7}, {}, {"do": "advance"}, {"do": "advance", "to": "x"}, {"do": "change", "at": 0},
                        {"do": "change", "at": 0, "set": [["mass", "1"]]}, {"do": "change", "at": 0, "set": 3}):
            with self.subTest(str(request)):
                self.assertIn("error", opened.ask(**request)[0])
        self.assertEqual(opened.ask(do="open")[0]["kind"], "scene")

    def test_a_client_that_does_not_read_holds_up_nobody(self):
        slow = self.open(self.viewed)
        for _ in range(60):
            slow.send(b'{"do": "open"}')
        other = self.open(self.viewed)
        for step in range(5):
            self.assertEqual(other.ask(do="step")[0]["kind"], "frames")

    def test_ctrl_c_ends_it_at_once(self):
        opened = self.open(self.viewed)
        opened.ask(do="open")
        opened.send(json.dumps({"do": "advance", "to": 1e9}).encode())
        for number in (signal.SIGINT,):
            self.viewed.process.send_signal(number)
        self.assertEqual(self.viewed.process.wait(2), 0)


class Live(ViewCase):
    def setUp(self):
        self.viewed = self.view(BALL)
        self.socket = self.open(self.viewed)
        self.opened = self.socket.ask(do="open")

    def advance(self, to):
        times, events, header = [], [], {}
        while not times or times[-1] < to - 1e-9:
            header, columns = self.socket.ask(do="advance", to=to)
            times += columns["t"]
            events += columns["event t"]
        return header, times, events

    def pulled(self, to, pull):
        while True:
            header, columns = self.socket.ask(do="advance", to=to, pull=pull)
            if header["time"] >= to - 1e-9:
                return header, columns

    def recorded_events(self, *more):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "events.csv"
            subprocess.run([CAROM, "run", "--quiet", BALL, "--events", path, *more], check=True)
            with path.open() as file:
                return [float(row["time"]) for row in csv.DictReader(file)]

    def test_it_opens_with_the_scene_and_what_there_is_to_choose_from(self):
        header, columns = self.opened
        self.assertEqual(header["scene"]["name"], "Bouncing ball")
        self.assertEqual(columns["t"], (0,))
        self.assertIn("elastic", [method["name"] for method in header["methods"]])
        self.assertEqual(json.loads(header["document"])["name"], "Bouncing ball")

    def test_it_goes_on_as_carom_run_does_bit_for_bit(self):
        header, times, events = self.advance(2)
        self.assertEqual(times, [k * 0.01 for k in range(1, len(times) + 1)])
        self.assertEqual(events, [t for t in self.recorded_events() if t <= header["time"]])

    def test_it_goes_from_event_to_event(self):
        first, columns = self.socket.ask(do="event")
        self.assertEqual(columns["event t"][0], self.recorded_events()[0])
        self.assertAlmostEqual(first["time"], columns["event t"][0], 9)
        second, columns = self.socket.ask(do="event")
        self.assertGreater(columns["event t"][0], first["time"])

    def test_a_step_is_one_of_the_method(self):
        header, columns = self.socket.ask(do="step")
        self.assertEqual(header["time"], 0.001)
        self.assertEqual(columns["t"], (0.001,))

    def test_a_value_changes_at_the_moment_shown_and_the_bodies_stay(self):
        self.advance(0.3)
        header, columns = self.socket.ask(do="change", at=0.2, set=[["/gravity", "[0, 0, 0]"]])
        self.assertEqual((header["kind"], header["from"], columns["t"]), ("scene", 0.2, (0.2,)))
        self.assertEqual(header["changes"], [["/gravity", "[0, 0, 0]"]])
        speed = abs(header_speed(header, columns))
        self.assertAlmostEqual(speed, 0.2 * 9.81, delta=0.02)  # it fell until then, from rest
        later, columns = self.socket.ask(do="advance", to=0.25)
        self.assertAlmostEqual(abs(header_speed(later, columns)), speed, delta=1e-4)

    def test_what_bodies_are_at_the_start_is_changed_at_the_start(self):
        self.advance(0.3)
        document = json.loads(self.opened[0]["document"])
        ball = next(i for i, body in enumerate(document["bodies"]) if body.get("motion") != "fixed")
        header, columns = self.socket.ask(do="change", at=0.2, set=[[f"/bodies/{ball}/velocity", "[0, 0, 3]"]])
        self.assertEqual((header["from"], columns["t"]), (0, (0,)))

    def test_the_method_is_another_and_the_files_again(self):
        self.advance(0.1)
        header, _ = self.socket.ask(do="change", at=0.1, set=[["/method", '{"name": "elastic"}']])
        self.assertEqual(header["summary"]["method"], "elastic")
        header, _ = self.socket.ask(do="change", at=0.1, set=[["/method", ""]])
        self.assertEqual((header["summary"]["method"], header["changes"]), ("zeno-free", []))

    def test_a_bad_value_is_told_with_its_place_and_nothing_changes(self):
        self.advance(0.1)
        answer, _ = self.socket.ask(do="change", at=0.1, set=[["/method/impact", "guendelmann"]])
        self.assertIn("/method/impact", answer["error"])
        self.assertIn("guendelman", answer["error"])
        self.assertGreaterEqual(self.advance(0.2)[0]["time"], 0.2)

    def test_it_cannot_go_back_beyond_a_change(self):
        self.advance(0.3)
        self.socket.ask(do="change", at=0.2, set=[["/gravity", "[0, 0, -1]"]])
        answer, _ = self.socket.ask(do="change", at=0.1, set=[["/gravity", "[0, 0, -2]"]])
        self.assertIn("0.2", answer["error"])
        header, columns = self.socket.ask(do="restart")
        self.assertEqual((header["kind"], header["from"]), ("scene", 0))

    def test_restart_reads_the_file_anew(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = Path(folder) / "scene.json"
            scene.write_text(BALL.read_text())
            opened = self.open(self.view(scene))
            opened.ask(do="open")
            scene.write_text(BALL.read_text().replace('"Bouncing ball"', '"Another"'))
            self.assertEqual(opened.ask(do="restart")[0]["scene"]["name"], "Another")
            scene.write_text(BALL.read_text().replace('"bodies"', '"bodeis"'))
            error = opened.ask(do="restart")[0]["error"]
            self.assertIn("bodeis", error)
            self.assertIn(str(scene), error)

    # From rest the point of a free body follows the closed form of a critically damped spring (apps/cli/pull.h):
    # with W = 40 / s, d(t) = d∞ + (d0 - d∞) (1 + W t) exp(-W t), where d∞ = -g / W² upwards.
    def test_a_pull_is_a_critically_damped_spring(self):
        self.socket = self.open(self.view(BALL, "--step", "1e-4"))  # whose error is less than what is told is rounded to
        ball = {"body": 1, "point": [0, 0, 0], "to": [0.3, 0, 1.2]}
        for to in (0.05, 0.1, 0.3, 1):
            with self.subTest(to=to):
                header, columns = self.pulled(to, ball)
                left = (1 + 40 * to) * math.exp(-40 * to)
                sag = -9.81 / 40**2
                expected = 0.3 - 0.3 * left, 0, 1.2 + sag + (-0.1 - sag) * left
                for axis, value in enumerate(expected):
                    self.assertAlmostEqual(last(header, columns, f"x{axis}"), value, delta=header["quanta"]["x"])
        while "summary" not in header:  # which comes now and then
            header, _ = self.socket.ask(do="step", pull=ball)
        self.assertEqual(header["summary"]["audit"]["verdict"], "passed")
        self.assertGreater(header["time"], 1)

    # At the rim of a ball a push meets the least mass across its lever, 1 / (1 / m + r² / I) = 2 m / 7; what hangs
    # there hangs 7/2 g / W² below the pointer.
    def test_a_ball_hangs_from_the_point_where_it_is_pulled(self):
        self.pulled(3, {"body": 1, "point": [0, 0, 0.1], "to": [0, 0, 1.2]})
        header, columns = self.socket.ask(do="step")
        height = last(header, columns, "x2")
        self.assertLess(height, 1.1)  # let go, it falls
        header, columns = self.pulled(6, {"body": 1, "point": [0, 0, 0.1], "to": [0, 0, 1.2]})
        self.assertAlmostEqual(last(header, columns, "x2"), 1.1 - 3.5 * 9.81 / 40**2, delta=1e-4)

    def test_what_was_pulled_is_pulled_again_where_one_goes_back(self):
        self.pulled(0.15, {"body": 1, "point": [0, 0, 0.1], "to": [0.2, 0, 1]})
        header, columns = self.pulled(0.25, {"body": 1, "point": [0, 0, 0.1], "to": [0.4, 0, 1.3]})
        there = last(header, columns, "x0"), last(header, columns, "x2")
        self.advance(1.5)
        header, columns = self.socket.ask(do="back", at=0.25)
        self.assertEqual((header["back_to"], columns["t"]), (0.25, (0.25,)))
        self.assertEqual((last(header, columns, "x0"), last(header, columns, "x2")), there)

    def test_what_cannot_be_pulled_is_told(self):
        good = {"body": 1, "point": [0, 0, 0], "to": [0, 0, 1]}
        for what, bad in {"a plane": {**good, "body": 0}, "nobody": {**good, "body": 99}, "less": {**good, "body": -1}, "no place": {"body": 1, "point": [0, 0, 0]},
                          "in two dimensions": {**good, "to": [0, 1]}, "a word": {**good, "to": "up"}}.items():
            with self.subTest(what):
                self.assertIn("error", self.socket.ask(do="advance", to=0.1, pull=bad)[0])
        self.assertEqual(self.socket.ask(do="advance", to=0.01, pull=good)[0]["kind"], "frames")

    def test_a_run_that_stops_says_why(self):
        opened = self.open(self.view(BALL, "--method", "naive"))
        opened.ask(do="open")
        for _ in range(1000):
            header, _ = opened.ask(do="advance", to=100)
            if header["stopped"]:
                break
        self.assertIn("Zeno", header["stopped"])


def last(header, columns, name):
    """A coordinate at the last output of the one body that moves."""
    values = [(n >> 1) ^ -(n & 1) for n in columns[name]]
    if name[0] == "x":  # differences of differences
        values = itertools.accumulate(values)
    return sum(values) * header["quanta"][name[0]]


def header_speed(header, columns):
    return last(header, columns, "v2")


class Called(ViewCase):
    def test_a_bad_scene_or_option_is_refused_before_anything_is_served(self):
        with tempfile.TemporaryDirectory() as folder:
            bad = Path(folder) / "bad.json"
            bad.write_text('{"carom": 1, "bodies": [{"nam": "a"}]}')
            for arguments, expected in (([bad], "/bodies/0"), ([folder + "/none.json"], "none.json"),
                                        ([BALL, "--set", "/gravit=1"], "gravit"), ([BALL, "--port", "70000"], "port"),
                                        ([BALL, "--methd", "x"], "--method")):
                done = subprocess.run([CAROM, "view", "--no-browser", *arguments], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(expected, done.stderr)
                self.assertEqual(done.stdout, "")

    def test_a_port_that_is_taken_is_told(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            done = subprocess.run([CAROM, "view", "--no-browser", BALL, "--port", str(taken.getsockname()[1])],
                                  capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("in use", done.stderr)

    def test_a_recording_is_a_page_without_a_socket(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "run.h5"
            subprocess.run([CAROM, "run", "--quiet", BALL, "--duration", "1", "--out", file], check=True)
            viewed = self.view(file)
            status, text = viewed.ask()
            self.assertEqual(status, 200)
            packed = text.split(b'type="application/octet-stream">')[1].split(b"</script>")[0]
            unpacked = zlib.decompress(base64.b64decode(packed))
            header = json.loads(unpacked[4:4 + struct.unpack("<I", unpacked[:4])[0]])
            self.assertEqual(header["scene"]["name"], "Bouncing ball")
            self.assertEqual(header["summary"]["audit"]["verdict"], "passed")
            self.assertIn(["t", "f64", 101], header["columns"])
            self.assertEqual(viewed.ask("/live?token={token}")[0], 404)
            done = subprocess.run([CAROM, "view", "--no-browser", file, "--method", "naive"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("/method/name", done.stderr)


if __name__ == "__main__":
    unittest.main()
