"""The notebooks of docs/notebooks, cell by cell, and what they claim against closed forms."""

import json

import matplotlib
import numpy as np
import pytest

import carom
import carom.plot
from conftest import SOURCE

matplotlib.use("Agg")
NOTEBOOKS = {path.stem[2:]: path for path in sorted(SOURCE.glob("docs/notebooks/*.ipynb"))}


def cells_of(name):
    return [cell for cell in json.loads(NOTEBOOKS[name].read_text())["cells"] if cell["cell_type"] == "code"]


def execute(name):
    """What a notebook's names are after its last cell."""
    names = {}
    for i, cell in enumerate(cells_of(name)):
        exec(compile("".join(cell["source"]), f"{NOTEBOOKS[name].name}, code cell {i + 1}", "exec"), names)
    matplotlib.pyplot.close("all")
    return names


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_outputs_are_stripped(name):
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells_of(name))


def test_bounces_come_at_the_times_of_the_series_and_naive_gets_stuck():
    told = execute("bounce-and-zeno")
    assert told["error"] < 1e-12
    assert told["rest"][0] == pytest.approx(told["zeno"], abs=0.01) and "Zeno" in told["stuck"]
    assert told["run"].time[-1] == 6


def test_laws_answer_in_two_ways_that_both_keep_energy():
    told = execute("newtons-cradle")
    answers = {tuple(np.round(v, 9) + 0.0) for v in told["after"].values()}
    assert answers == {(0, 0, 0, 0, 1), (-0.6, 0.4, 0.4, 0.4, 0.4)}
    assert told["elastic"][4] > 0.95 and told["elastic"][0] < 0


def test_interfaces_carry_the_weight_above_them():
    told = execute("forces-in-a-stack")
    for up in told["found"].values():
        assert up == pytest.approx(told["weights"], rel=1e-3)
    assert told["middle"] == pytest.approx(3 * 0.45 / (5 * 2 * 9.81), abs=1e-6)


def test_the_arm_follows_the_oscillator_that_its_controller_makes_of_it():
    told = execute("a-robot-arm")
    assert np.abs(told["angles"] - told["ideal"]).max() < 0.02
    assert told["angles"][-1] == pytest.approx(told["wanted"], abs=1e-5)
    assert told["audit"]["verdict"] == "passed"


def test_a_break_grows_small_differences_and_repeats_itself():
    told = execute("chaos-in-a-break")
    assert told["same"] and told["grown"] > 3


def test_phase_parts_where_velocities_jump(bounce):
    axes = carom.plot.phase(carom.run(bounce), "ball")
    drawn = [line for line in axes.lines if line.get_linestyle() == "-" and len(line.get_xdata())]
    assert len(drawn) >= 4  # flights from 1 m under 10 m/s² with e = 0.8 end at 0.45, 1.16, 1.73 s …
    assert all(np.all(np.diff(line.get_ydata()) <= 0) for line in drawn[:3])


def test_gaps_are_those_of_the_fall(bounce):
    axes = carom.plot.gaps(carom.Simulation(bounce), [("ball", "ground")], until=0.4, every=0.1)
    assert axes.lines[0].get_ydata() == pytest.approx(1 - 5 * np.arange(5) ** 2 * 0.01, abs=1e-9)
