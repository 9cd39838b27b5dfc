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
        self._law = None
        if keep:
            self._keep()
        for path in [out] if isinstance(out, (str, os.PathLike)) else out:
            self._add_file(path)
        for path, add in ((events, self._add_events), (forces, self._add_forces),
                          (contacts, self._add_contacts)):
            if path is not None:
                add(path)

    def apply_wrench(self, body, force=(0, 0, 0), torque=(0, 0, 0), point=None, *, lasting=False):
        """Pushes a dynamic body, named or numbered: force (N) and torque (N m) in world axes. The force acts at
        `point`, which is in the world now (m) and goes with the body, or at the centre of mass. It ends with the next
        call that moves time on, and what is applied for one call adds up; a lasting one stays until another lasting
        one of that body takes its place."""
        self._apply_wrench(self.scene.index(body), force, torque, point, lasting)

    def apply_joint_force(self, joint, force):
        """What an ideal motor does: a torque (N m) about a hinge's axis or a force (N) along a slider's, in the sense
        of joint_position, on the first body, and the opposite on the second. The axis is the one of now; it ends with
        the next call that moves time on, and adds up."""
        self._apply_joint_force(self.scene.joint_index(joint), force)

    def set_force_law(self, bodies, law):
        """Has law(body, state) asked for what acts on each of these bodies, named or numbered: a force (N) at the
        centre of mass, or that and a torque (N m) about it as two rows; world axes. `body` is a number, `state` a
        State. Asked at every evaluation under `analytic` and `elastic`, else for the middle of a step. It must depend
        on its arguments alone, for methods ask for states that they only try. None ends it."""
        self._set_force_law([self.scene.index(body) for body in bodies], law)
        self._law = (list(bodies), law)  # keeps it alive: the extension does not

    def nearest(self, a, b):
        """How far two bodies are apart now and where they are nearest, as a Nearest; None where one of them has no
        shape that collides."""
        return self._nearest(self.scene.index(a), self.scene.index(b))

    def overlap(self, a, b):
        """Whether two bodies overlap now."""
        return self._overlap(self.scene.index(a), self.scene.index(b))

    def sweep(self, body, velocity, angular_velocity=(0, 0, 0), *, duration):
        """The first body that `body` would come to touch within `duration` (s), moving with these velocities (m/s,
        rad/s) while all others stand still, as a SweepHit; None where there is none."""
        return self._sweep(self.scene.index(body), velocity, angular_velocity, duration)

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
        return _unpickle, (self.scene, options, self._law, saved)

    def _repr_html_(self):
        return self.recording()._repr_html_() if self._keeps else None

    def __repr__(self):
        return f"<carom.Simulation of {self.scene.name!r} at t = {self.time:g} s>"


def _unpickle(scene, options, law, saved):
    simulation = Simulation(scene, **options)
    if law is not None:
        simulation.set_force_law(*law)
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
