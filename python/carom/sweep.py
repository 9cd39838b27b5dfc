"""Many runs of one scene over ranges of its values, on Dask: the program carom-sweep, which `carom sweep` finds.

A run is a task that gives one row: its values, the summary without the wall time, and the chosen bodies at the end.
A run that fails is a row too, whose `error` says why. Rows are kept as they come, so that a sweep that was killed goes
on where it was; the table is the same.
"""

import argparse
import hashlib
import itertools
import json
import os
import pathlib
import sys

from ._core import BadInput, CannotGoOn, __version__
from .scene import Scene, load, plain
from .simulation import Simulation

KEYS = {"scene", "grid", "samples", "seeds", "final", "simulation"}
LOOPBACK = "127.0.0.1"
SAMPLERS = ("sobol", "latin-hypercube")


def read_spec(path):
    """A sweep's description: a JSON file whose "scene" is named from the file's folder."""
    path = pathlib.Path(path)
    try:
        spec = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None
    if not isinstance(spec, dict) or "scene" not in spec:
        raise ValueError(f'{path}: found no "scene", expected the name of a scene file')
    unknown = set(spec) - KEYS
    if unknown:
        raise ValueError(f"{path}: found {', '.join(map(repr, sorted(unknown)))}, expected {', '.join(sorted(KEYS))}")
    return {**spec, "scene": load(path.parent / spec["scene"])}


def draw(samples):
    """Points of a Sobol sequence or a Latin hypercube in the ranges, as dictionaries of values."""
    from scipy.stats import qmc
    kind, ranges = samples.get("method", "sobol"), samples["ranges"]
    if kind not in SAMPLERS:
        raise ValueError(f'samples/method: found "{kind}", expected one of {", ".join(SAMPLERS)}')
    seed = samples.get("seed", 0)
    make = qmc.Sobol if kind == "sobol" else qmc.LatinHypercube
    low, high = zip(*ranges.values())
    points = qmc.scale(make(len(ranges), rng=seed).random(samples["count"]), low, high)
    return [dict(zip(ranges, point)) for point in points.tolist()]


def plan(spec):
    """The values of every run, by JSON pointer: every point of the grid with every seed and every sample."""
    axes = {**spec.get("grid", {}), **{pointer: range(count) for pointer, count in spec.get("seeds", {}).items()}}
    grid = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
    samples = draw(spec["samples"]) if "samples" in spec else [{}]
    return [{**point, **sample} for point in grid for sample in samples]


def flatten(value, name=""):
    if not isinstance(value, dict):
        yield name, json.dumps(value) if isinstance(value, list) else value
        return
    for key, each in value.items():
        yield from flatten(each, f"{name}.{key}" if name else key)


def simulate(scene, values, final=(), options=None):
    """The row of one run."""
    row = dict(values)
    try:
        simulation = Simulation(scene.replace(set=values), **(options or {}))
        summary = simulation.run()
    except (BadInput, CannotGoOn, OSError) as error:
        return {**row, "error": str(error)}
    summary.pop("wall_seconds")
    row.update(flatten(summary))
    for body in final:
        i = simulation.scene.index(body)
        for name, vector in (("", simulation.position), ("v", simulation.velocity)):
            row.update((f"{body}.{name}{axis}", float(x)) for axis, x in zip("xyz", vector[i]))
    row["error"] = None if summary["finished"] else summary["reason"]
    return row


class Journal:
    """The rows so far, beside the table until it is written; its first line says of which sweep they are."""

    def __init__(self, path, spec):
        self.path = pathlib.Path(f"{path}.rows")
        text = json.dumps(plain({**spec, "scene": [spec["scene"].json, __version__]}), sort_keys=True)
        self.of = hashlib.sha256(text.encode()).hexdigest()

    def read(self):
        """Rows by the number of their run. A last line that was cut off is dropped."""
        if not self.path.exists():
            self.path.write_text(json.dumps({"sweep": self.of}) + "\n", encoding="utf-8")
            return {}
        whole = self.path.read_bytes()
        whole = whole[:whole.rfind(b"\n") + 1]
        first, *lines = map(json.loads, whole.splitlines()) if whole else [{}]
        if first.get("sweep") != self.of:
            raise ValueError(f"{self.path}: found rows of another sweep, scene or version; remove it to begin anew")
        os.truncate(self.path, len(whole))
        return dict(lines)

    def add(self, file, number, row):
        file.write(json.dumps([number, plain(row)]) + "\n")
        file.flush()


def connect(address, workers):
    """A client of a Dask cluster: at an address, or of this machine, which hears nothing but itself."""
    from dask.distributed import Client
    if address:
        return Client(address)
    return Client(n_workers=workers, threads_per_worker=1, host=LOOPBACK, dashboard_address=f"{LOOPBACK}:0",
                  worker_dashboard_address=f"{LOOPBACK}:0")


def run(spec, out, address=None, workers=None, progress=False):
    """Makes the runs that are missing and writes the table, a Parquet file; gives it as pandas' DataFrame.

    spec: a dictionary as of read_spec(). address: of a Dask cluster; without one, workers on this machine.
    """
    import pandas
    from dask.distributed import as_completed
    from tqdm import tqdm
    scene = spec["scene"] if isinstance(spec["scene"], Scene) else load(spec["scene"])
    spec = {**spec, "scene": scene}
    values = plan(spec)
    journal = Journal(out, spec)
    rows = journal.read()
    missing = [number for number in range(len(values)) if number not in rows]
    if missing:
        with connect(address, workers) as client, open(journal.path, "a", encoding="utf-8") as file:
            [shared] = client.scatter([scene], broadcast=True)
            futures = {client.submit(simulate, shared, values[number], spec.get("final", ()),
                                     spec.get("simulation"), pure=False): number for number in missing}
            for future in tqdm(as_completed(futures), total=len(values), initial=len(rows), unit="run",
                               disable=not progress):
                number = futures[future]
                error = future.exception()
                row = future.result() if error is None else {**values[number], "error": repr(error)}
                rows[number] = row
                journal.add(file, number, row)
    table = pandas.DataFrame([{"run": number, **rows[number]} for number in range(len(values))])
    for column in table.columns[table.dtypes == object]:
        if table[column].map(type).nunique() > 1:  # a column of texts and numbers, say
            table[column] = table[column].map(lambda each: each if each is None else str(each))
    table.to_parquet(f"{out}.partial", index=False)
    os.replace(f"{out}.partial", out)
    journal.path.unlink()
    return table


def report(table, out):
    failed = table[table["error"].notna()] if "error" in table else table[:0]
    print(f"{len(table)} runs, {len(table) - len(failed)} finished, {len(failed)} failed")
    if "audit.verdict" in table:
        counts = table["audit.verdict"].value_counts().to_dict()
        print("audit: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    for number, error in failed[["run", "error"]].head(5).itertuples(index=False):
        print(f"  run {number}: {error.splitlines()[0]}")
    print(f"table: {out}")


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="carom sweep", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Many runs of one scene over ranges of its values, on Dask; one Parquet table.",
        epilog='SPEC is JSON: "scene" (a file, from SPEC\'s folder), "grid" {pointer: [values]}, "seeds" {pointer: '
               'count},\n"samples" {"method": "sobol" or "latin-hypercube", "count", "seed", "ranges": {pointer: [low, '
               'high]}},\n"final" [bodies whose last position and velocity are wanted], "simulation" {options}.\n'
               "A sweep that was killed goes on. Exit status: 0 done, failed runs being rows; 2 bad input.")
    parser.add_argument("spec", metavar="SPEC")
    parser.add_argument("--out", metavar="FILE", help="the table; SPEC with the ending .parquet if left out")
    parser.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler; else workers on this machine")
    parser.add_argument("--workers", type=int, help="how many, on this machine")
    asked = parser.parse_args(arguments)
    out = asked.out or str(pathlib.Path(asked.spec).with_suffix(".parquet"))
    try:
        table = run(read_spec(asked.spec), out, asked.cluster, asked.workers, sys.stderr.isatty())
    except (BadInput, ValueError, KeyError, OSError, ImportError) as error:
        print(f"carom: {error}", file=sys.stderr)
        return 2
    report(table, out)
    return 0
