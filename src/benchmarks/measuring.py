"""Rounds in alternation, and what is said about them."""

import dataclasses
import os
import pathlib
import statistics
import time

# What a sample should move at least, so that ticks of the clock of CPU time are fine enough.
SAMPLE_BYTES = 2 << 30
REPETITIONS_MAXIMUM = 8
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclasses.dataclass
class Sample:
    """One side of one round."""

    byte_size: int
    seconds: float
    cpu_seconds: float


class Side:
    """One of those that are compared: what it does in a round, and the processes that serve it."""

    def __init__(self, name, work, processes=(), settle=lambda: None):
        self.name = name
        self.work = work
        self.processes = processes
        self.settle = settle

    def sample(self):
        """`work` returns the bytes it moved, or these and the seconds, where it kept the time.

        What `settle` does after it is not counted.
        """
        cpu_seconds = used(self.processes)
        start = time.perf_counter()
        done = self.work()
        seconds = time.perf_counter() - start
        byte_size, seconds = done if isinstance(done, tuple) else (done, seconds)
        sample = Sample(byte_size, seconds, used(self.processes) - cpu_seconds)
        self.settle()
        return sample


def used(processes):
    """CPU seconds that these processes have taken, of user and system, to the nearest tick."""
    ticks = 0
    for pid in processes:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS_PER_SECOND


def repetitions(byte_size):
    """How often something is done for one sample; with --size, tiny ones stay short."""
    return max(1, min(REPETITIONS_MAXIMUM, SAMPLE_BYTES // byte_size))


def alternate(sides, rounds, warm_up=2):
    """The samples of each side. Who comes first changes from round to round."""
    samples = [[] for _ in sides]
    for round_ in range(-warm_up, rounds):
        order = list(zip(sides, samples))
        for side, found in order if round_ % 2 == 0 else reversed(order):
            sample = side.sample()
            if round_ >= 0:
                found.append(sample)
    return samples


def speed(sample):
    return sample.byte_size / sample.seconds / 1e9


def thrift(sample):
    """GB per CPU second of the server; none where ticks are too coarse to tell."""
    return sample.byte_size / sample.cpu_seconds / 1e9 if sample.cpu_seconds > 0.05 else None


def faster(ours, theirs):
    return speed(ours) / speed(theirs)


class Table:
    """What was compared, printed line by line as a table of Markdown."""

    HEADINGS = (
        "path", "against", "GB/s", "peer", "ratio", "range", "GB per CPU s", "peer", "CPU s per GB, ratio", "range",
    )  # fmt: skip

    def __init__(self):
        self.started = False

    def add(self, path, peer, ours, theirs, ratio):
        """A line; ratios are of the same round, and their median is what counts."""
        ratios = [ratio(a, b) for a, b in zip(ours, theirs)]
        pairs = [(thrift(a), thrift(b)) for a, b in zip(ours, theirs)]
        costs = [b / a for a, b in pairs if a and b]
        self.line(
            path, peer or "–", median(map(speed, ours)), median(map(speed, theirs)), median(ratios), extent(ratios),
            median(filter(None, map(thrift, ours))), median(filter(None, map(thrift, theirs))),
            median(costs), extent(costs),
        )  # fmt: skip

    def line(self, *cells):
        if not self.started:
            self.started = True
            print("| " + " | ".join(self.HEADINGS) + " |")
            print("|" + " --- |" * len(self.HEADINGS))
        print("| " + " | ".join(cells) + " |", flush=True)


def median(values):
    values = list(values)
    return figure(statistics.median(values)) if values else ""


def extent(values):
    return f"{figure(min(values))} to {figure(max(values))}" if values else ""


def figure(value):
    """Two digits behind the point, three where there is nothing else."""
    return f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"
