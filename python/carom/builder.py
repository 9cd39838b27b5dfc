"""Scenes written in code, in the words of a scene file (docs/scene-format.md)."""

from .scene import Scene


class SceneBuilder:
    """Collects what a scene has; build() checks it whole and gives the Scene.

        builder = carom.SceneBuilder("a bounce", duration=3)
        builder.pair("*", "*", restitution=0.8)
        builder.body("ground", {"type": "plane", "normal": [0, 0, 1], "offset": 0}, motion="fixed")
        builder.body("ball", {"type": "sphere", "radius": 0.1}, position=[0, 0, 1.1])
        scene = builder.build()

    Keywords are the keys of a scene file; arrays and NumPy's numbers are welcome as values.
    """

    def __init__(self, name="scene", **top):
        self.document = {"carom": 1, "name": name, **top}

    def _add(self, where, entry):
        self.document.setdefault(where, []).append(entry)
        return self

    def material(self, name, **properties):
        """density (kg/m3), youngs_modulus (Pa), poissons_ratio, color."""
        self.document.setdefault("materials", {})[name] = properties
        return self

    def pair(self, first, second, **properties):
        """restitution, friction, rolling_friction, spinning_friction, between two materials; "*" is any."""
        return self._add("pairs", {"materials": [first, second], **properties})

    def body(self, name, *shapes, **properties):
        """A body of one shape or more, each a dictionary with its "type"; position (m), velocity (m/s), …"""
        shape = {"shape": shapes[0]} if len(shapes) == 1 else {"shapes": list(shapes)}
        return self._add("bodies", {"name": name, **shape, **properties})

    def joint(self, name, type, first, second, **properties):
        """A joint between two bodies; anchor (m) and axis in the world at t = 0, limits (rad or m) with their
        restitution, motor={"speed": …, "max_torque": …}, friction (N m or N), …"""
        return self._add("joints", {"name": name, "type": type, "between": [first, second],
                                    **properties})

    def force(self, type, **properties):
        """What acts beside gravity, contacts and joints: spring, drag, field, wrench, gravitation (docs/forces.md)."""
        return self._add("forces", {"type": type, **properties})

    def method(self, name, **settings):
        """How it is simulated; see carom.methods()."""
        self.document["method"] = {"name": name, **settings}
        return self

    def build(self, folder="."):
        """Files that the shapes name are looked for in `folder`. Raises BadInput."""
        return Scene(self.document, folder, self.document["name"])
