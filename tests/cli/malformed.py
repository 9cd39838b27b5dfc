"""Scenes that are wrong, each with the words its message must hold: the place, what was found, and
the nearest valid name where a name is misspelt.

Most cases change one value of a good scene, so that nothing else can be what is reported.
"""

import copy
import json
from dataclasses import dataclass, field


@dataclass
class Case:
    name: str
    text: bytes
    expected: list[str]
    overrides: list[str] = field(default_factory=list)


GOOD = {
    "carom": 1,
    "gravity": [0, 0, -9.8],
    "materials": {"wood": {"density": 700}, "floor": {}},
    "pairs": [{"materials": ["wood", "floor"], "friction": 0.4}],
    "bodies": [
        {"name": "ground", "motion": "fixed", "material": "floor",
         "shape": {"type": "plane", "normal": [0, 0, 1], "offset": 0}},
        {"name": "top", "material": "wood", "mass": 1, "shape": {"type": "box", "size": [1, 1, 1]},
         "position": [0, 0, 1.5], "orientation": [1, 0, 0, 0]},
        {"name": "club", "shapes": [{"type": "sphere", "radius": 0.1},
                                    {"type": "capsule", "radius": 0.05, "length": 1}],
         "position": [3, 0, 1]},
        {"name": "bead", "shape": {"type": "sphere", "radius": 0.01}, "position": [9, 0, 1],
         "grid": {"count": [2, 2, 1], "spacing": [0.03, 0.03, 0.03], "jitter": 0.001, "seed": 1}},
    ],
    "joints": [{"name": "knee", "type": "hinge", "between": ["top", "club"], "anchor": [1, 0, 1],
                "axis": [0, 1, 0]}],
    "method": {"name": "zeno-free", "step": 0.001},
    "duration": 1.25,
    "output": {"every": 0.01},
}
REMOVE = object()


def changed(pointer, value):
    """The good scene with the value at the pointer replaced, added or removed."""
    scene = copy.deepcopy(GOOD)
    *parents, last = pointer.strip("/").split("/")
    target = scene
    for part in parents:
        target = target[int(part)] if isinstance(target, list) else target[part]
    if isinstance(target, list):
        last = int(last)
    if value is REMOVE:
        del target[last]
    elif isinstance(target, list) and last == len(target):
        target.append(value)
    else:
        target[last] = value
    return json.dumps(scene, indent=1).encode()


def change(pointer, value, *expected, place=None):
    shown = "nothing" if value is REMOVE else json.dumps(value)
    return Case(f"{pointer} = {shown}", changed(pointer, value), [place or pointer, *expected])


def text(name, content, *expected):
    return Case(name, content if isinstance(content, bytes) else content.encode(), list(expected))


def override(*changes, expected):
    return Case("--set " + " ".join(changes), json.dumps(GOOD).encode(), ["--set", *expected],
                list(changes))


def body(spec):
    return {"name": "new", **spec}


def shape(spec):
    return body({"shape": spec})


NOT_JSON = [
    text("empty file", "", "not JSON"),
    text("only a comment", "// nothing here\n", "not JSON"),
    text("truncated in an object", json.dumps(GOOD, indent=1)[:700], "not JSON"),
    text("truncated in a string", '{"carom": 1, "name": "half', ":1:", "not JSON"),
    text("truncated in a number", '{"carom": 1,\n"duration": 1e', ":2:", "not JSON"),
    text("binary junk", bytes(range(256)) * 20, "not JSON"),
    text("zero bytes", b"\0" * 1000, "not JSON"),
    text("an image", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(200), "not JSON"),
    text("invalid UTF-8 in a name", b'{"carom": 1, "name": "\xff\xfe", "bodies": []}', "not JSON"),
    text("overlong UTF-8", b'{"carom": 1, "name": "\xc0\xaf", "bodies": []}', "not JSON"),
    text("half a surrogate", '{"carom": 1, "name": "\\ud800", "bodies": []}', "not JSON"),
    text("UTF-16", json.dumps(GOOD).encode("utf-16"), "not JSON"),
    text("NaN", '{\n"carom": 1,\n"duration": NaN}', ":3:", "not JSON"),
    text("Infinity", '{\n"carom": 1,\n"duration": Infinity}', ":3:", "not JSON"),
    text("-Infinity", '{"carom": 1, "duration": -Infinity}', "not JSON"),
    text("1e999", '{\n"carom": 1,\n"duration": 1e999\n}', ":3:", "/duration", "finite number"),
    text("-1e999", '{"carom": 1, "gravity": [0, -1e999, 0]}', "/gravity/1", "finite number"),
    text("a very long number", '{"carom": 1, "duration": ' + "9" * 5000 + "}", "/duration"),
    text("hexadecimal number", '{"carom": 0x1}', "not JSON"),
    text("leading zero", '{"carom": 01}', "not JSON"),
    text("leading plus", '{"carom": +1}', "not JSON"),
    text("single quotes", "{'carom': 1}", "not JSON"),
    text("bare key", "{carom: 1}", "not JSON"),
    text("trailing comma", '{"carom": 1,}', "not JSON"),
    text("missing comma", '{"carom": 1 "bodies": []}', "not JSON"),
    text("missing colon", '{"carom" 1}', "not JSON"),
    text("two documents", '{"carom": 1} {"carom": 1}', "not JSON"),
    text("text after the end", '{"carom": 1}\nand so on', ":2:", "not JSON"),
    text("unfinished comment", '{"carom": 1 /* never closed', "not JSON"),
    text("newline in a string", '{"carom": 1, "name": "a\nb"}', "not JSON"),
    text("deep lists", "[" * 100000, "64"),
    text("deep objects", '{"a":' * 100000, "64"),
    text("deep inside a value", '{"carom": 1, "bodies": ' + "[" * 65 + "]" * 65 + "}", "64"),
    text("duplicate key", '{"carom": 1,\n"duration": 1,\n"duration": 2}', ":3:", "/duration",
         "second key"),
    text("duplicate material", '{"carom": 1, "materials": {"wood": {}, "wood": {}}}',
         "/materials/wood", "second key"),
    text("duplicate key in a body", '{"carom": 1, "bodies": [{"name": "a", "name": "b"}]}',
         "/bodies/0/name", "second key"),
    text("XML", "<mujoco><worldbody/></mujoco>", "not JSON"),
]

DOCUMENT = [
    text("a list", "[]", "a list of 0 values", "an object"),
    text("a number", "17", "found 17", "an object"),
    text("a string", '"scene"', 'found "scene"', "an object"),
    text("null", "null", "found null", "an object"),
    text("an empty object", "{}", "/carom", "/bodies", "required"),
    change("/carom", 2, "found 2", "expected 1"),
    change("/carom", "1", 'found "1"'),
    change("/carom", True, "found true"),
    change("/carom", REMOVE, "found nothing"),
    change("/name", 5, "found 5", "a text"),
    change("/source", [], "a text"),
    change("/$schema", 1, "a text"),
    change("/gravitiy", [0, 0, -9.8], "unknown key", 'did you mean "gravity"?'),
    change("/Gravity", [0, 0, -9.8], 'did you mean "gravity"?'),
    change("/bodys", [], "unknown key", 'did you mean "bodies"?'),
    change("/zzzzzzzzzz", 1, "unknown key", '"duration"'),
    change("/a~b", 1, "unknown key", place="/a~0b"),
    change("/gravity", -9.8, "found -9.8", "a list of 3 numbers"),
    change("/gravity", [0, -9.8], "a list of 2 values", "a list of 3 numbers"),
    change("/gravity", [0, 0, -9.8, 0], "a list of 4 values"),
    change("/gravity/1", "down", 'found "down"', "a number"),
    change("/gravity/1", None, "found null", "a number"),
    change("/duration", 0, "found 0", "a number > 0"),
    change("/duration", -1.5, "found -1.5", "a number > 0"),
    change("/duration", "long", 'found "long"', "a number"),
    change("/duration", 1e300, "billion", place="/output/every"),
    change("/output", 0.01, "found 0.01", "an object"),
    change("/output/every", 0, "found 0", "a number > 0"),
    change("/output/every", -0.01, "a number > 0"),
    change("/output/every", REMOVE, "found nothing"),
    change("/uncertain", [1], "found a list of 1 value", "an object"),
    change("/uncertain", {"/bodies/1/velocty/0": 1}, "found nothing there", "a pointer to a number",
           place="/uncertain/~1bodies~11~1velocty~10"),
    change("/uncertain", {"/bodies/1/mass": -1}, "found -1", "at least 0", place="/uncertain/~1bodies~11~1mass"),
    change("/output/evry", 1, 'did you mean "every"?'),
]

MATERIALS = [
    change("/materials", [], "a list of 0 values", "an object"),
    change("/materials/wood", 700, "found 700", "an object"),
    change("/materials/wood/density", 0, "found 0", "a number > 0"),
    change("/materials/wood/density", -700, "a number > 0"),
    change("/materials/wood/density", "700", 'found "700"', "a number"),
    change("/materials/wood/densty", 700, 'did you mean "density"?'),
    change("/materials/wood/youngs_modulus", 0, "a number > 0"),
    change("/materials/wood/poissons_ratio", 0.6, "found 0.6", "<= 0.5"),
    change("/materials/wood/poissons_ratio", -1, "> -1"),
    change("/materials/wood/color", "brown", 'found "brown"', "#"),
    change("/materials/wood/color", "#12345", "#"),
    change("/materials/wood/color", "#12345g", "#"),
    change("/materials/wood/color", 16777215, "a text"),
    change("/materials/*", {}, '"*"'),
    change("/pairs", {}, "an object", "a list"),
    change("/pairs/0", 1, "found 1", "an object"),
    change("/pairs/0/materials", REMOVE, "found nothing"),
    change("/pairs/0/materials", "wood", "a list of 2 names"),
    change("/pairs/0/materials", ["wood"], "a list of 2 names"),
    change("/pairs/0/materials/1", 3, "found 3", "a name"),
    change("/pairs/0/materials/1", "flor", 'found "flor"', 'did you mean "floor"?'),
    change("/pairs/0/materials/0", "", "an empty name"),
    change("/pairs/0/restitution", 1.5, "found 1.5", "from 0 to 1"),
    change("/pairs/0/restitution", -0.1, "from 0 to 1"),
    change("/pairs/0/friction", -0.4, "a number >= 0"),
    change("/pairs/0/friction", "rough", "a number"),
    change("/pairs/0/rolling_friction", -1, "a number >= 0"),
    change("/pairs/0/frction", 1, 'did you mean "friction"?'),
]

BODIES = [
    change("/bodies", {}, "an object", "a list"),
    change("/bodies", [], "an empty list"),
    change("/bodies/1", "top", 'found "top"', "an object"),
    change("/bodies/1/name", REMOVE, "found nothing"),
    change("/bodies/1/name", 7, "found 7"),
    change("/bodies/1/name", "", "an empty name"),
    change("/bodies/1/name", "club", 'found "club"', "no other body", place="/bodies/2/name"),
    change("/bodies/1/name", "bead[1,0,0]", "no other body", place="/bodies/3/name"),
    change("/bodies/1/masss", 1, 'did you mean "mass"?'),
    change("/bodies/1/veloctiy", [0, 0, 0], 'did you mean "velocity"?'),
    change("/bodies/1/motion", "static", 'found "static"', '"fixed"'),
    change("/bodies/1/motion", "dinamic", 'did you mean "dynamic"?'),
    change("/bodies/1/motion", 0, "found 0"),
    change("/bodies/1/material", "wodo", 'did you mean "wood"?'),
    change("/bodies/1/material", 1, "found 1"),
    change("/bodies/1/mass", 0, "found 0", "a number > 0"),
    change("/bodies/1/mass", -1, "found -1", "a number > 0"),
    change("/bodies/1/mass", "heavy", 'found "heavy"', "a number"),
    change("/bodies/1/mass", [1], "a list of 1 value"),
    change("/bodies/1/mass", None, "found null"),
    change("/bodies/1/mass", True, "found true"),
    change("/bodies/1/mass", 1e-320, place="/bodies/1"),
    change("/bodies/1/inertia", 1, "found 1"),
    change("/bodies/1/inertia", [1, 1], "a list of 2 values"),
    change("/bodies/1/inertia", [1, 1, 3], "no body can have"),
    change("/bodies/1/inertia", [0, 1, 1], "no body can have"),
    change("/bodies/1/inertia", [-1, -1, -1], "no body can have"),
    change("/bodies/1/inertia", [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]], "not symmetric"),
    change("/bodies/1/inertia", [[1, 0], [0, 1], [0, 0]], "a list of 2 values"),
    change("/bodies/1/inertia", [[1, 0, 0], [0, "x", 0], [0, 0, 1]], 'found "x"'),
    change("/bodies/1/center_of_mass", [0, 0], "a list of 3 numbers"),
    change("/bodies/1/position", "here", 'found "here"'),
    change("/bodies/1/position/2", {}, "an object"),
    change("/bodies/1/orientation", [1, 1, 0, 0], "quaternion", "length 1"),
    change("/bodies/1/orientation", [0, 0, 0, 0], "length 0"),
    change("/bodies/1/orientation", [1, 0, 0], "a list of 4 numbers"),
    change("/bodies/1/orientation", "up", 'found "up"'),
    change("/bodies/1/orientation", {"axis": [0, 0, 0], "angle": 1}, "direction"),
    change("/bodies/1/orientation", {"axis": [0, 0, 1]}, "/angle", "found nothing"),
    change("/bodies/1/orientation", {"axis": [0, 0, 1], "angel": 1}, 'did you mean "angle"?'),
    change("/bodies/1/velocity", [0, 0], "a list of 3 numbers"),
    change("/bodies/1/angular_velocity", 20, "found 20"),
    change("/bodies/0/velocity", [0, 0, 1], "fixed body"),
    change("/bodies/0/angular_velocity", [0, 0, 1], "fixed body"),
    change("/bodies/0/motion", "dynamic", "a plane", place="/bodies/0/shape/type"),
    change("/bodies/1/shape", REMOVE, "no shape", place="/bodies/1"),
    change("/bodies/1/shapes", [], '"shape"', place="/bodies/1"),
    change("/bodies/2/shapes", [], "no volume", place="/bodies/2"),
    change("/bodies/2/shapes", {}, "a list"),
    change("/bodies/2/shapes/0/radius", -0.1, "a number > 0"),
    change("/bodies/2/shapes/1/length", 0, "a number > 0"),
    change("/bodies/2/shapes/1/orientation", [2, 0, 0, 0], "length 2"),
    change("/bodies/2/shapes/1/position", [0, 0, None], "found null"),
    change("/bodies/2/shapes/1/material", "stone", "the name of a material"),
    change("/bodies/2/shapes/1/collide", 0, "true or false"),
    change("/bodies/3/grid", 10, "found 10", "an object"),
    change("/bodies/3/grid/count", [10, 10], "a list of 3 numbers"),
    change("/bodies/3/grid/count/0", 0, "found 0", "whole number >= 1"),
    change("/bodies/3/grid/count/0", 1.5, "found 1.5", "whole number >= 1"),
    change("/bodies/3/grid/count/0", 1e10, "whole number"),
    change("/bodies/3/grid/count", [1000, 1000, 1000], "10 million"),
    change("/bodies/3/grid/count", [2147483647] * 3, "10 million"),
    change("/bodies/3/grid/spacing", REMOVE, "found nothing"),
    change("/bodies/3/grid/jitter", -0.001, "a number >= 0"),
    change("/bodies/3/grid/velocity_jitter", -0.001, "a number >= 0"),
    change("/bodies/3/grid/seed", -1, "a whole number"),
    change("/bodies/3/grid/seed", 0.5, "a whole number"),
    change("/bodies/3/grid/sead", 1, 'did you mean "seed"?'),
]

SHAPES = [
    change("/bodies/1/shape", "box", 'found "box"', "an object"),
    change("/bodies/1/shape/type", REMOVE, "found nothing", '"sphere"'),
    change("/bodies/1/shape/type", 3, "found 3"),
    change("/bodies/1/shape/type", "bx", 'did you mean "box"?'),
    change("/bodies/1/shape/type", "torus", '"ellipsoid"'),
    change("/bodies/1/shape/size", REMOVE, "found nothing"),
    change("/bodies/1/shape/size", 1, "a list of 3 numbers"),
    change("/bodies/1/shape/size/2", 0, "found 0", "a number > 0"),
    change("/bodies/1/shape/size/2", -1, "found -1", "a number > 0"),
    change("/bodies/1/shape/size", [1e200, 1e200, 1e200], place="/bodies/1"),
    change("/bodies/1/shape/radius", 1, "unknown key", '"size"'),
    change("/bodies/0/shape/normal", [0, 0, 0], "direction"),
    change("/bodies/0/shape/normal", REMOVE, "found nothing"),
    change("/bodies/0/shape/offset", "0", "a number"),
    change("/bodies/4", shape({"type": "sphere"}), place="/bodies/4/shape/radius"),
    change("/bodies/4", shape({"type": "sphere", "radius": 0}), place="/bodies/4/shape/radius"),
    change("/bodies/4", shape({"type": "sphere", "radius": 1e-200}), place="/bodies/4"),
    change("/bodies/4", shape({"type": "ellipsoid", "radii": [1, 1, -1]}),
           place="/bodies/4/shape/radii/2"),
    change("/bodies/4", shape({"type": "cylinder", "radius": 1}), place="/bodies/4/shape/length"),
    change("/bodies/4", shape({"type": "cylinder", "radius": 1, "length": -1}),
           place="/bodies/4/shape/length"),
    change("/bodies/4", shape({"type": "cone", "radius": -1, "length": 1}),
           place="/bodies/4/shape/radius"),
    change("/bodies/4", shape({"type": "capsule", "radius": 1, "lenght": 1}),
           'did you mean "length"?', place="/bodies/4/shape/lenght"),
    change("/bodies/4", shape({"type": "hull"}), '"points"', place="/bodies/4/shape"),
    change("/bodies/4", shape({"type": "hull", "points": [], "file": "x.obj"}), "points and a file",
           place="/bodies/4/shape"),
    change("/bodies/4", shape({"type": "hull", "points": 4}), place="/bodies/4/shape/points"),
    change("/bodies/4", shape({"type": "hull", "points": []}), place="/bodies/4/shape/points"),
    change("/bodies/4", shape({"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}),
           place="/bodies/4/shape/points"),
    change("/bodies/4", shape({"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}),
           place="/bodies/4/shape/points"),
    change("/bodies/4", shape({"type": "hull", "points": [[0, 0, 0], [1, 0], [0, 1, 0], [0, 0, 1]]}),
           place="/bodies/4/shape/points/1"),
    change("/bodies/4", shape({"type": "hull", "file": "missing.obj"}), "no such file",
           place="/bodies/4/shape/file"),
    change("/bodies/4", shape({"type": "hull", "file": "."}), "a folder",
           place="/bodies/4/shape/file"),
    change("/bodies/4", shape({"type": "hull", "file": 3}), place="/bodies/4/shape/file"),
    change("/bodies/4", shape({"type": "mesh", "file": "bunny.obj"}), "no such file",
           place="/bodies/4/shape/file"),
    change("/bodies/4", shape({"type": "mesh"}), "found nothing", place="/bodies/4/shape/file"),
    change("/bodies/4", shape({"type": "mesh", "file": "."}), "a folder", place="/bodies/4/shape/file"),
]

JOINTS = [
    change("/joints", 1, "a list"),
    change("/joints/0", [], "an object"),
    change("/joints/0/name", REMOVE, "found nothing"),
    change("/joints/1", {**GOOD["joints"][0]}, "no other joint", place="/joints/1/name"),
    change("/joints/0/type", REMOVE, "found nothing"),
    change("/joints/0/type", "hing", 'did you mean "hinge"?'),
    change("/joints/0/type", 2, "found 2"),
    change("/joints/0/between", REMOVE, "found nothing"),
    change("/joints/0/between", ["top"], "a list of 2 names"),
    change("/joints/0/between", ["top", "top"], "twice"),
    change("/joints/0/between/1", "clab", 'did you mean "club"?'),
    change("/joints/0/between/1", "bead", 'did you mean "bead[0,0,0]"?'),
    change("/joints/0/between/1", 4, "a name"),
    change("/joints/0/anchor", REMOVE, "found nothing"),
    change("/joints/0/anchor", [0, 0], "a list of 3 numbers"),
    change("/joints/0/anchor_b", [0, 0, 0], "only distance"),
    change("/joints/0/axis", REMOVE, "found nothing"),
    change("/joints/0/axis", [0, 0, 0], "direction"),
    change("/joints/0/axis_b", [1, 0, 0], "only universal"),
    change("/joints/0/limits", [0, -2], "0 before -2"),
    change("/joints/0/limits", 1, "a list of 2 numbers"),
    change("/joints/0/limits", ["low", 0], "/limits/0", 'found "low"'),
    change("/joints/0/motor", 1, "an object"),
    change("/joints/0/motor", {"speed": 1}, "/max_torque", "found nothing"),
    change("/joints/0/motor", {"speed": 1, "max_torque": -1}, "/max_torque", "a number >= 0"),
    change("/joints/0/motor", {"sped": 1, "max_torque": 1}, 'did you mean "speed"?'),
    change("/joints/0/collide", "no", "true or false"),
    change("/joints/0/anchr", [0, 0, 0], 'did you mean "anchor"?'),
    change("/joints/1", {"name": "b", "type": "ball", "between": ["top", "club"], "anchor": [0, 0, 0],
                         "limits": [0, 1]}, "limits", place="/joints/1/limits"),
    change("/joints/1", {"name": "f", "type": "fixed", "between": ["top", "club"],
                         "axis": [0, 0, 1]}, place="/joints/1/axis"),
    change("/joints/1", {"name": "d", "type": "distance", "between": ["top", "club"],
                         "anchor": [3, 0, 1], "anchor_b": [3, 0, 1]}, "same point",
           place="/joints/1/anchor"),
    change("/joints/1", {"name": "u", "type": "universal", "between": ["top", "club"],
                         "anchor": [0, 0, 0], "axis": [0, 0, 1], "axis_b": [0, 1, 1]},
           "perpendicular", place="/joints/1/axis_b"),
]

METHODS = [
    change("/method", "zeno-free", "an object"),
    change("/method/name", "zenofree", 'did you mean "zeno-free"?'),
    change("/method/name", "magic", '"naive"'),
    change("/method/name", 1, "found 1"),
    change("/method/stp", 0.001, 'did you mean "step"?'),
    change("/method/step", 0, "found 0", "a number > 0"),
    change("/method/step", -0.001, "a number > 0"),
    change("/method/step", "small", "a number"),
    change("/method/impact", "sequentail", 'did you mean "sequential"?'),
    change("/method/impact", True, "found true"),
]

OVERRIDES = [
    override("/bodies/1/mass=-1", expected=["/bodies/1/mass", "found -1", "a number > 0"]),
    override("/bodies/1/mass=heavy", expected=["/bodies/1/mass", 'found "heavy"', "a number"]),
    override("/bodies/1/mass=1e999", expected=["/bodies/1/mass", 'found "1e999"']),
    override("/bodies/9/mass=1", expected=["/bodies/9/mass", "from 0 to 3"]),
    override("/bodies/top/mass=1", expected=["/bodies/top/mass", "from 0 to 3"]),
    override("/bodys/1/mass=1", expected=["/bodys/1/mass", 'did you mean "bodies"?']),
    override("/bodies/1/masss=1", expected=["/bodies/1/masss", 'did you mean "mass"?']),
    override("/bodies/1/mass/0=1", expected=["/bodies/1/mass/0"]),
    override("/=1", expected=["/", "unknown key"]),
    override("/gravity/3=0", expected=["/gravity", "a list of 4 values"]),
    override("/duration=0", expected=["/duration", "a number > 0"]),
    override("/method/nme=naive", expected=["/method/nme", 'did you mean "name"?']),
    override("/bodies/1/mass=-1", "/duration=-2", expected=["/bodies/1/mass", "/duration"]),
]

CASES = NOT_JSON + DOCUMENT + MATERIALS + BODIES + SHAPES + JOINTS + METHODS + OVERRIDES
