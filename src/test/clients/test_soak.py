"""Two services on one bucket lose nothing and show nothing else than committed versions, whatever breaks.

An hour of it: src/test/clients/run -k soak --soak-seconds 3600 --soak-seed 1
"""

import pytest

from conftest import REQUIRE_ALL
from history import History
from soak import READERS, SHARED, WRITERS, OwnWriter, Reader, SharedWriter, Soak

pytestmark = pytest.mark.soak

ROUND_SECONDS = 50
PLANTED_SECONDS = 2


@pytest.fixture
def soaks(folder):
    """Starts services on an empty bucket."""
    started = []

    def start(seed, **settings):
        started.append(Soak(folder / f"soak-{seed}", seed, **settings))
        return started[-1]

    yield start
    for soak in started:
        soak.close()


@pytest.fixture(scope="module")
def calm(folder):
    """Services on a bucket that are never disturbed. Each run has datasets of its own."""
    soak = Soak(folder / "soak-calm", "calm")
    yield soak
    soak.close()


def actors(soak, prefix):
    """Eight writers and eight readers of datasets whose names begin with a prefix."""
    shared = [f"{prefix}shared-{i}" for i in range(SHARED)]
    own = [f"{prefix}own-{i}" for i in range(WRITERS // 2)]
    writers = [SharedWriter(soak, i, shared, prefix) for i in range(WRITERS // 2)]
    writers += [OwnWriter(soak, WRITERS // 2 + i, name, prefix) for i, name in enumerate(own)]
    readers = [Reader(soak, f"{prefix}{i}", shared, own) for i in range(READERS)]
    return writers + readers, shared, own


def test_soak_shows_one_history(soaks, pytestconfig):
    seconds = pytestconfig.getoption("--soak-seconds")
    soak = soaks(pytestconfig.getoption("--soak-seed"))
    rounds = max(1, seconds // ROUND_SECONDS)
    for number in range(rounds):
        everybody, shared, own = actors(soak, f"round-{number}-")
        soak.run(min(seconds, ROUND_SECONDS), everybody)
        found = soak.check(shared, own)
        # A comparison with the list would be cut.
        assert not found, "\n".join([*map(str, found), soak.logged_errors()])
        if number == rounds - 1:
            soak.await_background()
        # The disk is small.
        soak.bucket.remove(f"round-{number}-")
    history = soak.history
    acknowledged = sum(write.end is not None for write in history.writes)
    print(
        f"{acknowledged} of {len(history.writes)} writes acknowledged, {len(history.reads)} reads, "
        f"{soak.resumed} uploads resumed, {soak.kills} kills, {soak.fillings} full disks, bucket {soak.network.faults}, "
        f"clients {[proxy.faults for proxy in soak.proxies]}"
    )
    assert acknowledged > 2 * WRITERS
    assert len(history.reads) > 10 * READERS
    assert any(soak.network.faults.values())
    assert soak.kills
    assert soak.resumed
    if REQUIRE_ALL or soak.disk.mounted:
        assert soak.fillings, "the disk cannot be filled without the right to mount one"


def planted(soak, act, prefix):
    """Runs writers and readers without faults, and something that no service does after half of the time.

    Returns the anomalies of this run alone.
    """
    soak.history = History()
    everybody, shared, own = actors(soak, prefix)
    soak.run(PLANTED_SECONDS / 2, everybody, calm=True)
    act(everybody[0], shared[0])
    soak.run(PLANTED_SECONDS / 2, everybody, calm=True)
    return {anomaly for anomaly, _ in soak.check(shared, own)}


def test_lost_commit_and_doubled_append_are_found(calm):
    def append_twice(writer, dataset):
        write = writer.write(dataset, "append")
        status, _, _ = calm.send(0, "POST", f"/datasets/{dataset}", writer.body(write.piece))
        assert status == 200

    assert "repeated write" in planted(calm, append_twice, "doubled-")

    def lose_commit(writer, dataset):
        # A compaction could be lost without any loss of rows.
        write = writer.write(dataset, "append")
        calm.bucket.manifest(dataset, write.version).unlink()

    found = planted(calm, lose_commit, "lost-")
    assert "lost write" in found
    assert "repeated write" not in found


def test_damage_is_found(calm):
    def flip_bit(writer, dataset):
        write = writer.write(dataset, "append")
        manifest = calm.bucket.manifest(dataset, write.version)
        content = bytearray(manifest.read_bytes())
        content[len(content) // 2] ^= 1
        manifest.write_bytes(content)

    assert "damage" in planted(calm, flip_bit, "damage-")


def test_stale_read_is_found(soaks):
    soak = soaks("stale", **{"quiver.storage.max-staleness": "60s"})
    # On a busy machine, a few seconds may have no stale read.
    assert any("stale read" in planted(soak, lambda *_: None, f"stale-{i}-") for i in range(10))
