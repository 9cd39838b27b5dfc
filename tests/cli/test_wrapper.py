"""The wrapper ./carom, on a small project of its own: what it installs, builds, says and passes on.

Stand-ins for dpkg-query, apt-get and sudo come first on the PATH, so nothing is ever installed.
"""

import os
import pathlib
import pty
import shutil
import stat
import subprocess
import tempfile
import threading
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]

CMAKE_LISTS = """
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
add_executable(carom_cli apps/main.cpp)
set_target_properties(carom_cli PROPERTIES OUTPUT_NAME carom
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
"""

PROGRAM = """
#include <cstdio>
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) std::printf("<%s>", argv[i]);
  return WORD;
}
"""


def write_script(path, text):
    path.write_text("#!/bin/bash\n" + text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


class WrapperCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="carom-wrapper-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.root = self.folder / "project"
        for name in ("src", "apps", "viewer", "cmake", "scripts"):
            (self.root / name).mkdir(parents=True)
        for name in ("carom", "scripts/dependencies", "CMakePresets.json"):
            shutil.copy2(SOURCE / name, self.root / name)
        (self.root / "CMakeLists.txt").write_text(CMAKE_LISTS)
        self.write_program("3")
        self.tools = self.folder / "tools"
        self.tools.mkdir()
        self.calls = self.folder / "calls"
        self.set_installed(True)
        write_script(self.tools / "apt-get", f'echo "apt-get $*" >>"{self.calls}"\n')
        write_script(self.tools / "sudo", "exit 1\n")

    def write_program(self, word):
        (self.root / "apps" / "main.cpp").write_text(PROGRAM.replace("WORD", word))

    def set_installed(self, installed):
        text = 'for p in "${@:4}"; do echo "installed $p"; done\n' if installed else "exit 1\n"
        write_script(self.tools / "dpkg-query", text)

    def environment(self):
        return {**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}"}

    def call(self, *arguments, program=None, cwd=None):
        return subprocess.run([program or self.root / "carom", *arguments], cwd=cwd or self.folder,
                              env=self.environment(), capture_output=True, text=True, timeout=300)


class Building(WrapperCase):
    def test_first_call_builds_and_passes_arguments_and_status_on(self):
        done = self.call("run", "a scene.json", "")
        self.assertEqual((done.returncode, done.stdout), (3, "<run><a scene.json><>"))
        self.assertTrue((self.root / "build/release/build.log").stat().st_size > 0)
        again = self.call("x")
        self.assertEqual((again.returncode, again.stdout, again.stderr), (3, "<x>", ""))

    def test_a_changed_source_is_rebuilt(self):
        self.call()
        self.write_program("4")
        self.assertEqual(self.call().returncode, 4)

    def test_an_added_header_is_seen(self):
        self.call()
        (self.root / "src" / "seven.h").write_text("#define SEVEN 7\n")
        self.write_program("SEVEN")
        text = (self.root / "apps/main.cpp").read_text()
        (self.root / "apps/main.cpp").write_text('#include "../src/seven.h"\n' + text)
        self.assertEqual(self.call().returncode, 7)
        (self.root / "src" / "seven.h").write_text("#define SEVEN 8\n")
        self.assertEqual(self.call().returncode, 8)

    def test_it_works_through_a_symbolic_link_from_elsewhere(self):
        link = self.folder / "link"
        link.symlink_to(self.root / "carom")
        elsewhere = self.folder / "else where"
        elsewhere.mkdir()
        done = self.call("here.json", program=link, cwd=elsewhere)
        self.assertEqual((done.returncode, done.stdout), (3, "<here.json>"))

    def test_it_works_after_the_tree_moved(self):
        self.call()
        moved = self.folder / "moved"
        self.root.rename(moved)
        self.root = moved
        self.assertEqual(self.call().returncode, 3)
        self.write_program("5")
        self.assertEqual(self.call().returncode, 5)

    def test_a_failed_build_shows_the_first_error_and_the_log(self):
        self.write_program("no_such_name")
        done = self.call()
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no_such_name", done.stderr)
        self.assertIn("main.cpp:5", done.stderr)
        self.assertIn("build/release/build.log", done.stderr)
        self.write_program("6")
        self.assertEqual(self.call().returncode, 6)

    def test_a_failed_configuration_shows_its_error(self):
        (self.root / "CMakeLists.txt").write_text(CMAKE_LISTS + "find_package(NoSuch REQUIRED)\n")
        done = self.call()
        self.assertEqual(done.returncode, 1)
        self.assertIn("NoSuch", done.stderr + (self.root / "build/release/build.log").read_text())

    def test_two_first_calls_at_once_both_succeed(self):
        results = []
        threads = [threading.Thread(target=lambda: results.append(self.call())) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([done.returncode for done in results], [3, 3], results)
        self.assertEqual(sum("building" in done.stderr for done in results), 1)

    def test_the_running_program_does_not_hold_the_lock(self):
        self.write_program('(std::puts("up"), std::fflush(stdout), std::getchar(), 3)')
        running = subprocess.Popen([self.root / "carom"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   env=self.environment())
        self.assertEqual(running.stdout.readline(), b"up\n")
        self.write_program("4")
        self.assertEqual(self.call().returncode, 4)
        running.communicate(b"\n")
        self.assertEqual(running.returncode, 3)


class Talking(WrapperCase):
    def test_no_control_codes_without_a_terminal(self):
        done = self.call()
        self.assertNotIn("\033", done.stderr)
        self.assertNotIn("\r", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_one_moving_line_on_a_terminal(self):
        main, other = pty.openpty()
        process = subprocess.Popen([self.root / "carom"], stderr=other, stdout=subprocess.DEVNULL,
                                   env=self.environment())
        os.close(other)
        seen = b""
        try:
            while chunk := os.read(main, 4096):
                seen += chunk
        except OSError:  # the other end closed
            pass
        os.close(main)
        self.assertEqual(process.wait(), 3)
        self.assertIn(b"carom: building [1/2] main.cpp.o", seen)
        self.assertNotIn(b"\n", seen)
        self.assertTrue(seen.endswith(b"\r\033[K"), seen)


class Installing(WrapperCase):
    def test_nothing_is_installed_when_nothing_is_missing(self):
        self.call()
        self.assertFalse(self.calls.exists())

    def test_the_missing_packages_are_named_and_installed_with_the_right_to(self):
        self.set_installed(False)
        write_script(self.tools / "sudo", '[[ $1 == -n ]] && exec "${@:2}"\n')
        done = self.call()
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, "installing .*g\\+\\+.*libeigen3-dev")
        calls = self.calls.read_text()
        self.assertRegex(calls, "apt-get .*update")
        self.assertRegex(calls, "apt-get .*install -y --no-install-recommends g\\+\\+ cmake")
        self.assertNotIn("gtest", calls)

    def test_a_failed_installation_shows_why(self):
        self.set_installed(False)
        write_script(self.tools / "sudo", '[[ $1 == -n ]] && exec "${@:2}"\n')
        write_script(self.tools / "apt-get", "echo 'E: no such mirror' >&2; exit 100\n")
        done = self.call()
        self.assertEqual(done.returncode, 1)
        self.assertIn("E: no such mirror", done.stderr)

    @unittest.skipIf(os.geteuid() != 0 or not shutil.which("setpriv"), "needs to give up root")
    def test_without_the_right_to_install_it_prints_the_line_to_run(self):
        self.set_installed(False)
        for path in [self.folder, *self.folder.rglob("*")]:
            shutil.chown(path, 65534, 65534)
        done = subprocess.run(
            ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", self.root / "carom"],
            env=self.environment(), capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "sudo apt-get install -y .*libqhull-dev|"
                         "sudo apt-get update && sudo apt-get install -y .*libqhull-dev")
        self.assertFalse(self.calls.exists())


if __name__ == "__main__":
    unittest.main()
