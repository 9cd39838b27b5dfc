"""The program `carom` of this package, and what its programs share."""

import os
import pathlib
import sys
import sysconfig


def find_program():
    return pathlib.Path(__file__).parent / "bin" / "carom"


def main():
    """Becomes the program. It finds carom-NAME of this environment also where that is not on the path."""
    scripts = sysconfig.get_path("scripts")
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", os.defpath), scripts])
    os.execv(find_program(), ["carom", *sys.argv[1:]])
