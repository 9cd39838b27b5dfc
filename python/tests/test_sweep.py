import json

import pytest

import carom

pytest.importorskip("distributed")
pandas = pytest.importorskip("pandas")
from carom import sweep  # noqa: E402

SPEC = {"grid": {"/pairs/0/restitution": [0.5, 0.8], "/method/name": ["zeno-free", "analytic"]},
        "samples": {"method": "latin-hypercube", "count": 3, "seed": 1,
                    "ranges": {"/bodies/1/mass": [1, 2], "/bodies/1/position/2": [0.2, 2]}},
        "final": ["ball"]}


@pytest.fixture
def spec(bounce):
    return {**SPEC, "scene": bounce.replace(duration=0.1)}


def test_a_sweep_is_every_point_of_the_grid_with_every_sample(spec):
    values = sweep.plan({**spec, "seeds": {"/bodies/1/grid/seed": 2}})
    assert len(values) == 2 * 2 * 2 * 3
    assert {run["/bodies/1/grid/seed"] for run in values} == {0, 1}
    assert all(1 <= run["/bodies/1/mass"] <= 2 and 0.2 <= run["/bodies/1/position/2"] <= 2 for run in values)
    assert sorted(int((run["/bodies/1/mass"] - 1) * 3) for run in sweep.plan({"samples": SPEC["samples"]})) == [0, 1, 2]


def test_rows_are_what_the_runs_say(spec):
    values = {"/bodies/1/position/2": 2, "/pairs/0/restitution": 0.8}
    row = sweep.simulate(spec["scene"], values, ["ball"])
    assert row["ball.z"] == pytest.approx(2 - 5 * 0.1**2) and row["ball.vz"] == pytest.approx(-1)
    assert row["audit.verdict"] == "passed" and row["error"] is None and "wall_seconds" not in row


def test_a_run_that_fails_is_a_row(spec):
    overlapping = sweep.simulate(spec["scene"], {"/bodies/1/position/2": 0})
    assert "overlapping" in overlapping["error"] and overlapping["/bodies/1/position/2"] == 0
    frozen = sweep.simulate(spec["scene"], {"/method/name": "naive", "/duration": 9})
    assert "t = " in frozen["error"] and frozen["finished"] is False


def test_a_sweep_that_was_killed_goes_on_to_the_same_table(spec, tmp_path):
    out = tmp_path / "whole.parquet"
    whole = sweep.run(spec, out, workers=1)
    assert len(whole) == 12 and whole["error"].isna().all()
    pandas.testing.assert_frame_equal(pandas.read_parquet(out), whole)
    values = sweep.plan(spec)
    journal = sweep.Journal(tmp_path / "again.parquet", spec)
    journal.read()
    with open(journal.path, "a", encoding="utf-8") as file:
        for number in range(9, 2, -1):  # as they came, marked, and the last one cut off
            row = sweep.simulate(spec["scene"], values[number], spec["final"])
            journal.add(file, number, {**row, "scene": "kept"})
        file.write('[2, {"/pairs/0/rest')
    again = sweep.run(spec, tmp_path / "again.parquet", workers=1)
    assert list(again["scene"] == "kept") == [3 <= number <= 9 for number in range(12)]
    pandas.testing.assert_frame_equal(again.drop(columns="scene"), whole.drop(columns="scene"), check_exact=True)
    assert not journal.path.exists()


def test_workers_on_this_machine_hear_nothing_but_itself():
    psutil = pytest.importorskip("psutil")

    def listening():
        processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
        return {each.laddr for process in processes for each in process.net_connections()
                if each.status == psutil.CONN_LISTEN}

    before = listening()
    with sweep.connect(None, 1):
        opened = listening() - before
    assert opened and {address.ip for address in opened} == {"127.0.0.1"}


def test_rows_of_another_sweep_are_refused(spec, tmp_path):
    sweep.Journal(tmp_path / "table.parquet", spec).read()
    other = {**spec, "final": []}
    with pytest.raises(ValueError, match="another sweep"):
        sweep.Journal(tmp_path / "table.parquet", other).read()


def test_the_program_writes_the_table_and_names_mistakes(bounce, tmp_path, capsys):
    bounce.replace(duration=0.1).save(tmp_path / "bounce.json")
    (tmp_path / "spec.json").write_text(json.dumps(
        {"scene": "bounce.json", "grid": {"/bodies/1/position/2": [0, 1]}}))
    assert sweep.main([str(tmp_path / "spec.json"), "--workers=1"]) == 0
    told = capsys.readouterr().out
    assert "2 runs, 1 finished, 1 failed" in told and "run 0: /bodies" in told
    assert len(pandas.read_parquet(tmp_path / "spec.parquet")) == 2
    (tmp_path / "wrong.json").write_text('{"scene": "bounce.json", "grids": {}}')
    assert sweep.main([str(tmp_path / "wrong.json")]) == 2
    assert "'grids'" in capsys.readouterr().err
    (tmp_path / "wrong.json").write_text('{"scene": "bounce.json", "samples": {"method": "sobel", "ranges": {}}}')
    assert sweep.main([str(tmp_path / "wrong.json")]) == 2
    assert "sobel" in capsys.readouterr().err
