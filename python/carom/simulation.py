"""Simulations: whole runs, and time step by step."""

import os

from . import _core
from .recording import Recording, open_recording
from .scene import Scene, load


def as_scene(scene):
    """A Scene, whatever describes one: itself, a dictionary, the name of a file."""
    if isinstance(scene, Scene):
        return scene
    return Scene(scene) if isinstance(scene, dict) else load(scene)


class Simulation(_core.Stepping):
    """A scene under its method, at a time that step(), advance_to() and run() move on.

    scene: a Scene, a dictionary or a file's name.
    out: files to write, by their endings: .h5 everything, .html a page, .csv states, .glb animation.
    events, forces, contacts: CSV files to write.
    keep: whether outputs, events and forces are kept in memory, for recording().
    threads: results do not depend on it. audit: "full", "sampled" or "off".
    tolerate: limits of the audit instead of the method's, {"max_penetration": 1e-4}.
    step_error: whether the length of a fixed step is judged, which is about 5 % more work.

    Raises BadInput where the method cannot run the scene or bodies overlap at the start. Calls that move time on
    raise CannotGoOn where it cannot, and leave the last good state; after a KeyboardInterrupt the state is
    somewhere within a step, and restore() goes back to what was saved.
    """

    def __init__(self, scene, *, out=(), events=None, forces=None, contacts=None, keep=False,
                 threads=1, audit="full", tolerate=None, step_error=True):
        self.scene = as_scene(scene)
        super().__init__(self.scene._document, threads, audit, step_error, tolerate or {})
        self._keeps = keep
        if keep:
            self._keep()
        for path in [out] if isinstance(out, (str, os.PathLike)) else out:
            self._add_file(path)
        for path, add in ((events, self._add_events), (forces, self._add_forces),
                          (contacts, self._add_contacts)):
            if path is not None:
                add(path)

    def recording(self):
        """What has happened so far, as a Recording; needs keep=True."""
        return Recording(self._recording())

    def resume(self, recording):
        """Goes on from a recording's last checkpoint to the scene's duration, bit for bit; gives the summary.
        Files get what came before as well."""
        return self._resume(recording._trace)

    def __reduce__(self):
        threads, audit, step_error, tolerate, saved = self._state_of_pickle()
        options = {"keep": self._keeps, "threads": threads, "audit": audit, "tolerate": tolerate,
                   "step_error": step_error}
        return _unpickle, (self.scene, options, saved)

    def _repr_html_(self):
        return self.recording()._repr_html_() if self._keeps else None

    def __repr__(self):
        return f"<carom.Simulation of {self.scene.name!r} at t = {self.time:g} s>"


def _unpickle(scene, options, saved):
    simulation = Simulation(scene, **options)
    simulation.restore(saved)
    return simulation


def run(scene, **options):
    """Simulates a scene to its duration and gives the Recording, which a notebook shows as a page.
    Options are those of Simulation."""
    simulation = Simulation(scene, keep=True, **options)
    simulation.run()
    return simulation.recording()


def resume(path, duration=None, **options):
    """Goes on with a run that was killed or is to last longer, from its file's last checkpoint, bit for bit."""
    past = open_recording(path)
    scene = past.scene if duration is None else past.scene.replace(duration=duration)
    simulation = Simulation(scene, keep=True, **options)
    simulation.resume(past)
    return simulation.recording()
