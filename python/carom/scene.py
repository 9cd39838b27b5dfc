"""Scenes: what exists and how it is to be simulated, as docs/scene-format.md describes it."""

import json
import os

import numpy as np

from . import _core


def plain(value):
    """NumPy's numbers and arrays as JSON has them, within dictionaries and lists as well."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else value


def changes(values):
    """JSON pointers and JSON values, in the order given."""
    return [(pointer, json.dumps(plain(value))) for pointer, value in (values or {}).items()]


class Scene:
    """A scene, checked whole: a mistake raises BadInput, which names every place.

    document: a dictionary, or JSON text. Files that it names, meshes and hulls, are looked for in `folder`.
    A Scene never changes; replace() makes another one.
    """

    def __init__(self, document, folder=".", name="scene"):
        text = document if isinstance(document, str) else json.dumps(plain(document))
        self._document = _core.parse(text, name, folder)

    @classmethod
    def _of(cls, document):
        scene = cls.__new__(cls)
        scene._document = document
        return scene

    @property
    def json(self):
        """The scene as JSON text, changes applied and comments dropped."""
        return self._document.json

    @property
    def document(self):
        """The scene as a dictionary of its own."""
        return json.loads(self.json)

    @property
    def name(self):
        return self._document.name

    @property
    def bodies(self):
        """Names of the bodies, in the order of all arrays; those of a grid are bead[i,j,k]."""
        return self._document.bodies

    @property
    def joints(self):
        """Names of the joints, in the order that forces count them in."""
        return self._document.joints

    @property
    def method(self):
        return self._document.method

    @property
    def impact(self):
        """The impact law in use; empty where nothing jumps."""
        return self._document.impact

    @property
    def duration(self):
        """s"""
        return self._document.duration

    @property
    def output_every(self):
        """s"""
        return self._document.every

    @property
    def mass(self):
        """kg, one for each body; 0 of what is fixed or driven."""
        return self._document.mass()

    @property
    def inertia(self):
        """kg m2, n x 3 x 3, about the centre of mass, body axes."""
        return self._document.inertia()

    @property
    def center_of_mass(self):
        """m, n x 3, in the body frame that the document speaks of: positions of states are those of the
        centres of mass, "position" in the document is that of the frame's origin."""
        return self._document.center_of_mass()

    def index(self, body):
        """The place of a body in all arrays, by its name."""
        return self._document.body(body)

    def joint_index(self, joint):
        """The place of a joint in `joints`, forces and joint_position, by its name."""
        return self._document.joint(joint)

    def replace(self, method=None, impact=None, duration=None, step=None, set=None):
        """The same scene with some values changed.

        method, impact: names, see carom.methods(). duration, step: s; step also "auto".
        set: values by JSON pointer, {"/bodies/1/mass": 2}.
        """
        named = {"/method/name": method, "/method/impact": impact, "/duration": duration,
                 "/method/step": step}
        values = {pointer: value for pointer, value in named.items() if value is not None}
        values.update(set or {})
        return Scene._of(_core.parse_whole(self.json, self._document.files, changes(values)))

    def save(self, path):
        """Writes the document; files that it names are not copied."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.document, file, indent=2)

    def __reduce__(self):
        return _unpickle, (self.json, self._document.files)

    def __repr__(self):
        return (f"<carom.Scene {self.name!r}: {len(self.bodies)} bodies, {len(self.joints)} joints, "
                f"{self.method}, {self.duration:g} s>")


def _unpickle(text, files):
    return Scene._of(_core.parse_whole(text, files, []))


def load(path, set=None):
    """The scene in a file: JSON, // comments allowed.

    set: values to change, by JSON pointer: {"/method/name": "analytic", "/bodies/1/mass": 2}.
    """
    return Scene._of(_core.load(os.fspath(path), changes(set)))
