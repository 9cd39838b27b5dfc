"""What a run told: outputs, events and forces as NumPy arrays, and as pandas' or xarray's where installed."""

import html
import os
import pathlib
import tempfile
from functools import cached_property

import numpy as np

from . import _core
from .scene import Scene


class Recording:
    """A run, from carom.run(), Simulation.recording() or open_recording(). n outputs, b bodies in the order
    of scene.bodies; SI units, world frame."""

    def __init__(self, trace):
        self._trace = trace

    @cached_property
    def scene(self):
        return Scene._of(self._trace.scene)

    @cached_property
    def summary(self):
        """Counters and the audit's verdict, as docs/outputs.md describes them. Of a recording from a file the audit
        is what its states and events tell (carom run --audit-only); what it does not hold is zero."""
        return self._trace.summary

    @cached_property
    def time(self):
        """[n] s"""
        return self._trace.time()

    @cached_property
    def position(self):
        """[n, b, 3] centres of mass, m"""
        return self._trace.position()

    @cached_property
    def orientation(self):
        """[n, b, 4] unit quaternions [w, x, y, z], body to world"""
        return self._trace.orientation()

    @cached_property
    def velocity(self):
        """[n, b, 3] of the centres of mass, m/s"""
        return self._trace.velocity()

    @cached_property
    def angular_velocity(self):
        """[n, b, 3] rad/s"""
        return self._trace.angular_velocity()

    @cached_property
    def kinetic(self):
        """[n] J, of the dynamic bodies"""
        return self._trace.kinetic()

    @cached_property
    def potential(self):
        """[n] J, of the dynamic bodies"""
        return self._trace.potential()

    @cached_property
    def events(self):
        """Structured array: time, event (a number in carom.EVENTS), body_a, body_b, point, normal (from b to a),
        approach_speed, separation_speed, impulse (on a), iterations, lineality."""
        return self._trace.events()

    @cached_property
    def forces(self):
        """Structured array, a row for each contact and each joint at each output: time, joint (-1 for a contact),
        body_a, body_b, point, force (on a), torque (on a)."""
        return self._trace.forces()

    def write(self, path):
        """By its ending: .html a page that plays, .csv states, .glb animation, .h5 a recording."""
        self._trace.write(os.fspath(path))

    def page(self):
        """The page of docs/viewer.md, as HTML text."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "run.html")
            self.write(path)
            return path.read_text(encoding="utf-8")

    def to_pandas(self):
        """A table of states with the columns of the states CSV; needs pandas."""
        import pandas
        n, b = self.position.shape[:2]
        columns = {"time": np.repeat(self.time, b), "body": np.tile(self.scene.bodies, n)}
        for names, values in (("x y z", self.position), ("qw qx qy qz", self.orientation),
                              ("vx vy vz", self.velocity), ("wx wy wz", self.angular_velocity)):
            for k, name in enumerate(names.split()):
                columns[name] = values[:, :, k].ravel()
        return pandas.DataFrame(columns)

    def events_to_pandas(self):
        """A table of events with the columns of the events CSV; needs pandas."""
        import pandas
        bodies, kinds = np.asarray(self.scene.bodies), np.asarray(_core.EVENTS)
        events = self.events
        columns = {"time": events["time"], "event": kinds[events["event"]],
                   "body_a": bodies[events["body_a"]], "body_b": bodies[events["body_b"]]}
        for names, field in (("x y z", "point"), ("nx ny nz", "normal")):
            columns.update((name, events[field][:, k]) for k, name in enumerate(names.split()))
        columns.update((name, events[name]) for name in ("approach_speed", "separation_speed"))
        columns.update((name, events["impulse"][:, k]) for k, name in enumerate(("jx", "jy", "jz")))
        return pandas.DataFrame(columns)

    def to_xarray(self):
        """States and energies by time, body and axis, with units; needs xarray."""
        import xarray
        place, turn = ("time", "body", "axis"), ("time", "body", "quaternion")
        variables = {"position": (place, self.position, {"units": "m"}),
                     "orientation": (turn, self.orientation),
                     "velocity": (place, self.velocity, {"units": "m/s"}),
                     "angular_velocity": (place, self.angular_velocity, {"units": "rad/s"}),
                     "kinetic": ("time", self.kinetic, {"units": "J"}),
                     "potential": ("time", self.potential, {"units": "J"})}
        return xarray.Dataset(variables,
                              {"time": self.time, "body": self.scene.bodies,
                               "axis": ["x", "y", "z"], "quaternion": ["w", "x", "y", "z"]},
                              {"scene": self.scene.name, "method": self.scene.method})

    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.page())}" style="width: 100%; height: 480px; border: 0">'
                "</iframe>")

    def __repr__(self):
        verdict = self.summary["audit"]["verdict"]
        return (f"<carom.Recording of {self.scene.name!r}: {len(self.time)} outputs to {self.time[-1]:g} s, "
                f"{len(self.events)} events, audit {verdict}>")


def open_recording(path):
    """A recording (.h5) that `carom run --out` or Simulation(out=…) wrote; also of a run that was killed."""
    return Recording(_core.open_recording(os.fspath(path)))
