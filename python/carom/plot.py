"""Pictures of runs with Matplotlib: energy(), gaps(), phase(). Each draws into `axes`, or into new ones, and gives them back."""

import numpy as np

from . import _core


def _axes(axes, x, y):
    if axes is None:
        import matplotlib.pyplot
        axes = matplotlib.pyplot.figure().add_subplot()
    axes.set(xlabel=x, ylabel=y)
    return axes


def energy(recording, axes=None):
    """Kinetic, potential and total energy of a Recording."""
    axes = _axes(axes, "time, s", "energy, J")
    for name, values in (("kinetic", recording.kinetic), ("potential", recording.potential),
                         ("total", recording.kinetic + recording.potential)):
        axes.plot(recording.time, values, label=name, color="black" if name == "total" else None)
    axes.legend()
    return axes


def gaps(simulation, pairs, until, every, axes=None):
    """How far pairs of bodies are apart, [("ball", "ground"), …]: moves a Simulation on to `until` (s) and asks it every
    `every` (s)."""
    axes = _axes(axes, "time, s", "gap, m")
    times, found = [], []
    for t in np.arange(simulation.time, until + 0.5 * every, every):
        simulation.advance_to(t)
        times.append(t)
        found.append([simulation.nearest(*pair).distance for pair in pairs])
    for pair, values in zip(pairs, np.transpose(found)):
        axes.plot(times, values, label=" – ".join(pair))
    axes.legend()
    return axes


def phase(recording, body, axis=2, axes=None):
    """The way of a body along an axis of the world against its velocity there; impacts part the curve, dotted, where
    the velocity jumps."""
    axes = _axes(axes, f"{'xyz'[axis]}, m", f"velocity along {'xyz'[axis]}, m/s")
    i = recording.scene.index(body)
    x, v = recording.position[:, i, axis], recording.velocity[:, i, axis]
    events = recording.events
    hits = events[((events["body_a"] == i) | (events["body_b"] == i))
                  & (events["event"] == _core.EVENTS.index("impact"))]
    parts = np.unique(np.searchsorted(recording.time, hits["time"], side="right"))
    (line,) = axes.plot([], [])
    for first, end in zip([0, *parts], [*parts, len(x)]):
        axes.plot(x[first:end], v[first:end], color=line.get_color())
    for k in parts[(parts > 0) & (parts < len(x))]:
        axes.plot(x[k - 1:k + 1], v[k - 1:k + 1], color=line.get_color(), linestyle=":", linewidth=1)
    return axes
