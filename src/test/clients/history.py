"""The observations of writers and readers of a store, and whether one store can have made them all.

Each write of rows is a *piece*, which its rows name: `(writer, sequence, first row, rows)`. The contents of a
version are a tuple of pieces, or None if the dataset does not exist.
"""

import dataclasses
import threading
from collections import Counter

ABSENT = None
APPEND = "append"
UPLOAD = "upload"
COMPACTION = "compaction"
DELETE = "delete"


@dataclasses.dataclass(frozen=True)
class Write:
    """A request that writes, from its first byte to its response.

    `end` and `version` are None if no response came: the write happened once or not at all.
    `contents` are those of the dataset afterwards, if it has only this writer.
    """

    dataset: str
    kind: str
    piece: tuple | None
    start: float
    end: float | None
    version: int | None
    contents: tuple | None = ABSENT


@dataclasses.dataclass(frozen=True)
class Read:
    """A complete response to a reader.

    `version` is None if the dataset does not exist. `selection` is the requested part: "all", ("writer", n) or
    ("since", version). `is_latest` says whether the reader asked for the latest version, rather than for one by its number.
    """

    dataset: str
    start: float
    end: float
    version: int | None
    contents: tuple | None
    selection: object = "all"
    is_latest: bool = True


@dataclasses.dataclass(frozen=True)
class Version:
    """A version, read after all writes have ended."""

    number: int
    kind: str
    contents: tuple


class History:
    """Shared by threads."""

    def __init__(self):
        self.lock = threading.Lock()
        self.writes = []
        self.reads = []
        self.anomalies = []

    def add(self, event):
        with self.lock:
            (self.writes if isinstance(event, Write) else self.reads).append(event)

    def report(self, anomaly, sentence):
        """Notes something that no store may do, such as a response with status 500."""
        with self.lock:
            self.anomalies.append((anomaly, sentence))

    def check_shared(self, dataset, versions):
        """Checks a dataset that many writers append to and no writer deletes.

        `versions` are all of its versions, in order.
        """
        writes = [write for write in self.writes if write.dataset == dataset]
        reads = [read for read in self.reads if read.dataset == dataset]
        self._check_chain(dataset, versions)
        self._check_writes(dataset, versions, writes)
        self._check_contents(dataset, versions, reads)
        self._check_order(dataset, writes, reads)

    def _check_chain(self, dataset, versions):
        """Each version equals the one before it, adds a piece to it, or has one new piece."""
        before = ()
        for version in versions:
            name = f"{dataset}@{version.number}"
            if version.kind == COMPACTION:
                expected = version.contents == before
            elif version.kind == UPLOAD:
                expected = len(version.contents) == 1
            else:
                expected = version.contents[:-1] == before
            if not expected:
                self.report("broken chain", f"{name}, {version.kind}: {version.contents} follows {before}")
            for piece, count in Counter(version.contents).items():
                if count > 1:
                    self.report("repeated piece", f"{name} has {piece} {count} times")
            before = version.contents

    def _check_writes(self, dataset, versions, writes):
        """Each acknowledged write made its version, and each write at most one."""
        made = {}
        for version in versions:
            if version.kind in (APPEND, UPLOAD):
                made.setdefault(version.contents[-1], []).append(version.number)
        sent = {write.piece for write in writes}
        for piece, numbers in made.items():
            if piece not in sent:
                self.report("unknown piece", f"{dataset}@{numbers[0]} has {piece}, which no writer sent")
            if len(numbers) > 1:
                self.report("repeated write", f"{piece} made {dataset} {numbers}")
        for write in writes:
            if write.kind in (APPEND, UPLOAD) and write.version is not None:
                if made.get(write.piece) != [write.version]:
                    self.report(
                        "lost write",
                        f"{write.piece} was acknowledged as {dataset}@{write.version}, and is {made.get(write.piece)}",
                    )

    def _check_contents(self, dataset, versions, reads):
        """Each read is exactly one version."""
        known = {version.number: version for version in versions}
        for read in reads:
            name = f"{dataset}@{read.version}"
            if read.version not in known:
                if read.version is not None:
                    self.report("unknown version", f"{name} was read and does not exist")
                continue
            expected = self._selected(read, known, versions)
            if expected != read.contents:
                self.report("wrong contents", f"{name}, {read.selection}: {read.contents} is not {expected}")

    @staticmethod
    def _selected(read, known, versions):
        contents = known[read.version].contents
        match read.selection:
            case "all":
                return contents
            case "writer", writer:
                return tuple(piece for piece in contents if piece[0] == writer)
            case "since", since:
                # Only appends and compactions came after it.
                return contents[len(known[since].contents) :] if since in known else "nothing"
        raise ValueError(read.selection)

    def _check_order(self, dataset, writes, reads):
        """A read begins at the latest version that a response told before it, or at a later one."""
        told = [(write.end, write.version, "a write") for write in writes if write.version is not None]
        told += [(read.end, read.version, "a read") for read in reads if read.version is not None]
        told.sort(key=lambda each: each[0])
        begun = sorted((read for read in reads if read.is_latest), key=lambda read: read.start)
        latest, by, i = 0, "", 0
        for read in begun:
            while i < len(told) and told[i][0] < read.start:
                if told[i][1] > latest:
                    latest, by = told[i][1], told[i][2]
                i += 1
            if (read.version or 0) < latest:
                self.report(
                    "stale read", f"{dataset}@{read.version} was read after {by} had told of version {latest}"
                )

    def check_own(self, dataset):
        """Checks a dataset with one writer, which also deletes it, and sends conditions.

        A read sees the last write that was acknowledged before it, or a later one that had begun.
        """
        writes = [write for write in self.writes if write.dataset == dataset]
        for read in self.reads:
            if read.dataset != dataset:
                continue
            allowed = [ABSENT]
            for write in writes:
                if write.start > read.end:
                    break
                if write.end is not None and write.end < read.start:
                    allowed = []
                allowed.append(write.contents)
            if read.contents not in allowed:
                self.report("wrong state", f"{dataset}@{read.version}: {read.contents} is not among {allowed[-5:]}")
