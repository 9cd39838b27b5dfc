"""The program carom-convert, which `carom convert` finds."""

import argparse
import sys

from .. import BadInput
from . import MESHES, MODELS, STAGES, convert

BAD_INPUT = 2


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="carom convert", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Writes a scene from a file of another format, or a scene as MJCF, URDF or USD.",
        epilog=f"To a scene (.json): {', '.join(MODELS)} through MuJoCo's compiler, {', '.join(STAGES)},\n"
               f"{', '.join(MESHES)} through trimesh.\n"
               "From a scene: .xml (MJCF), .urdf, .usda. What is not carried over is listed on stderr, by name and place.\n"
               "Exit status: 0 done, 2 bad input.")
    parser.add_argument("input", metavar="IN")
    parser.add_argument("output", metavar="OUT")
    asked = parser.parse_args(arguments)
    try:
        losses = convert(asked.input, asked.output)
    except (BadInput, ValueError, OSError, ImportError) as error:
        print(f"carom: {error}", file=sys.stderr)
        return BAD_INPUT
    for loss in losses:
        print(f"carom: not carried over: {loss}", file=sys.stderr)
    return 0
