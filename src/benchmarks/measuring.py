"""Measurements in alternation, and their table."""

import dataclasses
import os
import pathlib
import statistics
import time

# A sample should move at least this much, because the clock of CPU time is coarse.
SAMPLE_BYTES = 2 << 30
REPETITIONS_MAXIMUM = 8
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclasses.dataclass
class Sample:
    """The measurement of one side in one round."""

    byte_size: int
    seconds: float
    cpu_seconds: float


class Side:
    """One side of a comparison: its work in a round, and the processes whose CPU time counts."""

    def __init__(self, name, work, processes=(), settle=lambda: None):
        self.name = name
        self.work = work
        self.processes = processes
        self.settle = settle

    def sample(self):
        """Runs `work`, which returns the bytes it moved, or a tuple of the bytes and the seconds it measured.

        `settle` runs afterwards and is not measured.
        """
        cpu_seconds = cpu_seconds_of(self.processes)
        start = time.perf_counter()
        done = self.work()
        seconds = time.perf_counter() - start
        byte_size, seconds = done if isinstance(done, tuple) else (done, seconds)
        sample = Sample(byte_size, seconds, cpu_seconds_of(self.processes) - cpu_seconds)
        self.settle()
        return sample


def cpu_seconds_of(processes):
    """User and system CPU seconds of these processes, to the nearest tick."""
    ticks = 0
    for pid in processes:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS_PER_SECOND


def repetitions(byte_size):
    """The number of repetitions in one sample. It is limited, so that a small --size stays fast."""
    return max(1, min(REPETITIONS_MAXIMUM, SAMPLE_BYTES // byte_size))


def alternate(sides, rounds, warm_up=2):
    """The samples of each side. The order of the sides alternates between rounds."""
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


def efficiency(sample):
    """GB per CPU second of the server, or None if the time is too short for the clock."""
    return sample.byte_size / sample.cpu_seconds / 1e9 if sample.cpu_seconds > 0.05 else None


def faster(ours, theirs):
    return speed(ours) / speed(theirs)


class Table:
    """A Markdown table of comparisons, printed line by line."""

    HEADINGS = (
        "path", "against", "GB/s", "peer", "ratio", "range", "GB per CPU s", "peer", "CPU s per GB, ratio", "range",
    )  # fmt: skip

    def __init__(self):
        self.started = False

    def add(self, path, peer, ours, theirs, ratio):
        """Adds a line. Ratios compare the same round, and the result is their median."""
        ratios = [ratio(a, b) for a, b in zip(ours, theirs)]
        pairs = [(efficiency(a), efficiency(b)) for a, b in zip(ours, theirs)]
        costs = [b / a for a, b in pairs if a and b]
        self.line(
            path, peer or "–", median(map(speed, ours)), median(map(speed, theirs)),
            median(ratios), spread(ratios),
            median(filter(None, map(efficiency, ours))), median(filter(None, map(efficiency, theirs))),
            median(costs), spread(costs),
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


def spread(values):
    return f"{figure(min(values))} to {figure(max(values))}" if values else ""


def figure(value):
    """Formats with two decimals, or three for small values."""
    return f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"
