package dev.quiver.store.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The writers of a version, by those of the version before.
class BlobWritersTest {

  private static final List<BlobExtent> BEFORE =
      List.of(
          new BlobExtent("head", 0, 100),
          new BlobExtent("a", 0, 40),
          new BlobExtent("b", 0, 30),
          new BlobExtent("c", 0, 20),
          new BlobExtent("b", 50, 30),
          new BlobExtent("old", 0, 1));

  private static final BlobWriters WRITERS =
      new BlobWriters(Map.of("head", "alice", "a", "alice", "b", "bob", "c", "alice"));

  @Test
  void blobsKeepTheirWriters() {
    List<BlobExtent> next =
        List.of(BEFORE.get(0), BEFORE.get(2), BEFORE.get(5), new BlobExtent("new", 0, 1));
    assertThat(WRITERS.next(BEFORE, next, "carol").byBlob())
        .isEqualTo(Map.of("head", "alice", "b", "bob", "new", "carol"));
    assertThat(WRITERS.next(BEFORE, next, BlobWriters.UNKNOWN).byBlob())
        .isEqualTo(Map.of("head", "alice", "b", "bob"));
    assertThat(BlobWriters.NONE.next(List.of(), next, "carol").byBlob())
        .containsOnlyKeys("head", "b", "old", "new");
  }

  /// The head stays, and so does not count.
  @Test
  void aCompactionHasTheWriterOfMostOfWhatItReplaces() {
    BlobExtent compacted = new BlobExtent("compacted", 0, 121);
    assertThat(WRITERS.ofCompacted(BEFORE, List.of(BEFORE.get(0), compacted))).isEqualTo("bob");
    assertThat(WRITERS.ofCompacted(BEFORE, List.of(compacted))).isEqualTo("alice");
    assertThat(WRITERS.ofCompacted(BEFORE, List.of(BEFORE.get(0), BEFORE.get(4), compacted)))
        .isEqualTo("alice");
    assertThat(WRITERS.ofCompacted(BEFORE, BEFORE.subList(0, 5))).isEqualTo(BlobWriters.UNKNOWN);
    assertThat(WRITERS.ofCompacted(BEFORE, BEFORE)).isEqualTo(BlobWriters.UNKNOWN);
  }
}
