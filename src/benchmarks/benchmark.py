"""Runs one benchmark; see `run` for its usage."""

import argparse
import contextlib
import datetime
import os
import pathlib
import shutil
import signal
import sys
import tempfile

import data
import files
import growing
import guarding
import ingesting
import kernels
import memory
import querying
import serving
import transforming
import turns
from measuring import Table, alternate, faster
from peers import Missing

TOP = pathlib.Path(__file__).resolve().parents[2]
OUTPUT = TOP / "target" / "benchmarks"
# Default sizes of the data in MiB. A round takes about a second with them.
SIZE = {"put": 256, "jsonl": 64, "csv": 64, "growth": 20_000, "memory": 20_000, "files": 1000}
REQUIRE_ALL = os.environ.get("QUIVER_REQUIRE") == "all"
BENCHMARKS = {
    "get": serving.get,
    "range": serving.range_,
    "batch": serving.batch,
    "flight": serving.flight,
    "put": ingesting.put,
    "project": transforming.project,
    "recompress": transforming.recompress,
    "jsonl": transforming.jsonl,
    "csv": transforming.csv,
    "growth": growing.growth,
    "memory": memory.memory,
    "where": querying.where,
    "search": querying.search,
    "sql": querying.sql,
    "statistics": querying.profile,
    "files": files.files,
    "kernels": kernels.kernels,
    "turns": turns.turns,
    "guard": guarding.guard,
}


class Bench:
    """The context of a benchmark: its arguments, a folder, and a stack of resources to close."""

    def __init__(self, arguments, folder, stack):
        self.rounds = arguments.rounds
        self.byte_size = (arguments.size or SIZE.get(arguments.name, 512)) << 20
        self.only = arguments.only
        self.folder = folder
        self.data = OUTPUT / "data"
        self.stack = stack
        self.table = Table()

    def enter(self, context):
        return self.stack.enter_context(context)

    def peer(self, start):
        """Returns the result of `start`, or None if the peer is not installed."""
        try:
            return start()
        except Missing as missing:
            if REQUIRE_ALL:
                raise
            print(f"skipped: {missing}", file=sys.stderr)
            return None

    def stream(self, name, make, batch_rows=data.BATCH_ROWS):
        return data.stream(self.data, name, make, self.byte_size, batch_rows)

    def selects(self, path):
        return self.only in path

    def compare(self, path, sides, warm_up=2, ratio=faster):
        """Adds a line to the table: the first side, compared with the second if present."""
        if self.selects(path):
            ours, *theirs = alternate(sides, self.rounds, warm_up)
            self.table.add(path, sides[-1].name if theirs else "", ours, theirs[0] if theirs else [], ratio)


def main():
    listed = "\n".join(f"  {name:12}{benchmark.__doc__}" for name, benchmark in BENCHMARKS.items())
    parser = argparse.ArgumentParser(
        prog="src/benchmarks/run",
        epilog=f"benchmarks:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", choices=[*BENCHMARKS, "build"], metavar="benchmark")
    parser.add_argument("--rounds", type=int, default=5, help="measured rounds, after the warm-up")
    parser.add_argument("--size", type=int, help="size of the data in MiB")
    parser.add_argument("--only", default="", help="only the lines whose path contains this text")
    arguments = parser.parse_args()
    if arguments.name == "build":
        return
    # SIGTERM also stops the processes that the benchmark has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    OUTPUT.mkdir(parents=True, exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(dir=OUTPUT, prefix="run-"))
    try:
        with contextlib.ExitStack() as stack:
            print(f"{arguments.name}, {machine()}, {datetime.date.today()}\n")
            BENCHMARKS[arguments.name](Bench(arguments, folder, stack))
    finally:
        shutil.rmtree(folder)


def machine():
    """The number of processors and their model."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} × {models[0] if models else 'unknown'}"


if __name__ == "__main__":
    main()
