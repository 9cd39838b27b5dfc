"""Scenes from and to the field's other formats: URDF and MJCF through MuJoCo's compiler, USD through its own library,
meshes through trimesh.

What a scene of the other format has that ours cannot have, or the other way round, is listed by name and place: a
list of Loss. Nothing is left out in silence.
"""

import json
import os
import pathlib
from typing import NamedTuple

from ..scene import Scene, load as load_scene, plain


class Loss(NamedTuple):
    """Something that was not carried over."""

    place: str  # what has it: 'joint "knee"'
    what: str

    def __str__(self):
        return f"{self.place}: {self.what}"


MODELS = (".xml", ".mjcf", ".urdf")
STAGES = (".usd", ".usda", ".usdc", ".usdz")
MESHES = (".obj", ".stl", ".ply", ".glb", ".gltf", ".off")


def read(path, folder=None):
    """A scene file's dictionary from a file of another format, and what it lost. Meshes that the scene then names are
    written into `folder`."""
    path = pathlib.Path(path)
    ending = path.suffix.lower()
    if ending in MODELS:
        from .from_mujoco import read_model
        return read_model(path)
    if ending in STAGES:
        from .from_usd import read_stage
        return read_stage(path, pathlib.Path(folder or path.parent))
    if ending in MESHES:
        from .meshes import read_meshes
        return read_meshes(path, pathlib.Path(folder or path.parent))
    raise ValueError(f"{path}: found the ending {ending!r}, expected one of {', '.join(MODELS + STAGES + MESHES)}")


def load(path):
    """A Scene from a file of another format, and what it lost."""
    document, losses = read(path)
    return Scene(document, pathlib.Path(path).parent, pathlib.Path(path).stem), losses


def actuators(path):
    """The actuators of an MJCF model on its hinges and sliders, to apply to a simulation of what load() gave."""
    from .mujoco_actuators import read_actuators
    return read_actuators(path)


def convert(source, target):
    """Writes the file `target` from `source`, one of which is a scene (.json). Gives what was lost."""
    source, target = pathlib.Path(source), pathlib.Path(target)
    if target.suffix == ".json":
        document, losses = read(source, target.parent)
        text = json.dumps(plain(document), indent=1)
        Scene(text, target.parent, source.stem)  # what is written can be read
    elif target.suffix in (".xml", ".mjcf") and source.suffix == ".json":
        from .to_mujoco import write_model
        text, losses = write_model(load_scene(source), os.path.relpath(source.parent, target.parent))
    elif target.suffix == ".urdf" and source.suffix == ".json":
        from .to_urdf import write_robot
        text, losses = write_robot(load_scene(source), os.path.relpath(source.parent, target.parent))
    elif target.suffix == ".usda" and source.suffix == ".json":
        from .to_usd import write_stage
        text, losses = write_stage(load_scene(source), source.parent)
    else:
        raise ValueError(f"{source} to {target}: found the endings {source.suffix!r} and {target.suffix!r}, expected "
                         f"one of {', '.join(MODELS + STAGES + MESHES)} to .json, or .json to .xml, .urdf or .usda")
    target.write_text(text, encoding="utf-8")
    return losses
