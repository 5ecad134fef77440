package dev.quiver.store;

import static dev.quiver.store.AgingDatasets.NAME;
import static dev.quiver.store.AgingDatasets.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.formats.UploadData;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.GarbageStatistics;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.Expiry;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Versions with an end, by a clock that the test advances.
class ExpiryTest {

  private static final Expiry UNSTATED = new Expiry.Unstated();
  private static final Expiry NEVER = new Expiry.Never();
  private static final DatasetReference LATEST = new DatasetReference(NAME, null);

  @TempDir private Path folder;
  private AgingDatasets aging;
  private Instant start;

  @BeforeEach
  void open() throws IOException {
    aging = new AgingDatasets(folder);
    start = aging.clock.instant();
  }

  private static Expiry hours(int hours) {
    return new Expiry.After(Duration.ofHours(hours));
  }

  private WriteResult put(Expiry expiry) throws IOException {
    return put(expiry, new WriteCondition.None());
  }

  private WriteResult put(Expiry expiry, WriteCondition condition) throws IOException {
    UploadOptions options = UploadOptions.DEFAULT.withExpiry(expiry);
    return aging.datasets.put(
        NAME,
        UploadData.Source.of(body(3), BodyFormat.STREAM),
        condition,
        options,
        /* key= */ null);
  }

  private WriteResult append(Expiry expiry) throws IOException {
    return append(expiry, null);
  }

  private WriteResult append(Expiry expiry, @Nullable IdempotencyKey key) throws IOException {
    UploadOptions options = UploadOptions.DEFAULT.withExpiry(expiry);
    return aging.datasets.append(
        NAME,
        UploadData.Source.of(body(2), BodyFormat.STREAM),
        new WriteCondition.None(),
        options,
        key);
  }

  private @Nullable Instant end(WriteResult result) throws IOException {
    // From the store, by another process.
    VersionSummary stored = aging.on(aging.store).summary(LATEST);
    assertThat(stored).isEqualTo(result.summary());
    return stored.expiresAt();
  }

  private static DatasetReference pinned(long version) {
    return new DatasetReference(NAME, version);
  }

  private void assertExpired(DatasetReference reference, Instant end) {
    assertThatThrownBy(() -> aging.datasets.open(reference))
        .isInstanceOf(DatasetGoneException.class)
        .hasMessage(
            "Expected a version that has not expired but found one that did at %s at %s"
                .formatted(end, reference))
        .asInstanceOf(type(DatasetGoneException.class))
        .extracting(DatasetGoneException::expiredAt)
        .isEqualTo(end);
  }

  private void assertReadable(DatasetReference reference) throws IOException {
    try (Snapshot snapshot = aging.datasets.open(reference)) {
      DatasetTestFolder.read(snapshot, snapshot.file());
    }
  }

  @Test
  void datasetIsReadableUpToTheEndOfItsLatestVersion() throws IOException {
    put(NEVER);
    put(hours(2));
    aging.clock.advance(Duration.ofHours(2).minusMillis(1));
    assertReadable(LATEST);
    assertThat(aging.versions()).containsExactly(2L, 1L);
    assertThat(DatasetLists.list(aging.datasets, null, 9)).hasSize(1);
    try (Snapshot open = aging.datasets.open(LATEST)) {
      aging.clock.advance(Duration.ofMillis(1));
      Instant end = start.plus(Duration.ofHours(2));
      assertExpired(LATEST, end);
      assertExpired(pinned(2), end);
      // An earlier version does not outlast the dataset.
      assertExpired(pinned(1), end);
      assertThatThrownBy(aging::versions).isInstanceOf(DatasetGoneException.class);
      assertThatThrownBy(() -> aging.datasets.delete(NAME, new WriteCondition.None()))
          .isInstanceOf(DatasetGoneException.class);
      assertThatThrownBy(() -> aging.datasets.compact(NAME, new WriteCondition.None()))
          .isInstanceOf(DatasetGoneException.class);
      assertThat(DatasetLists.list(aging.datasets, null, 9)).isEmpty();
      DatasetTestFolder.read(open, open.file());
    }
  }

  @Test
  void appendKeepsTheEndUnlessItStatesAnother() throws IOException {
    Instant end = start.plus(Duration.ofHours(5));
    assertThat(end(put(hours(5)))).isEqualTo(end);
    aging.clock.advanceHours(1);
    assertThat(end(append(UNSTATED))).isEqualTo(end);
    assertThat(end(append(new Expiry.At(end.plusMillis(7))))).isEqualTo(end.plusMillis(7));
    assertThat(end(append(hours(1)))).isEqualTo(start.plus(Duration.ofHours(2)));
    assertThat(end(append(NEVER))).isNull();
    assertThat(end(append(UNSTATED))).isNull();
    assertThat(end(append(hours(1)))).isNotNull();
    assertThat(end(put(UNSTATED))).isNull();
  }

  @Test
  void compactionEndsWithTheVersionItCompacts() throws IOException {
    put(hours(5));
    append(hours(6));
    WriteResult compacted = aging.datasets.compact(NAME, new WriteCondition.None());
    assertThat(compacted.summary().kind()).isEqualTo(VersionKind.COMPACTION);
    assertThat(end(compacted)).isEqualTo(start.plus(Duration.ofHours(6)));
  }

  @Test
  void replacedVersionEndsAloneAndIsNotListed() throws IOException {
    put(NEVER);
    put(hours(1));
    put(NEVER);
    assertThat(aging.versions()).containsExactly(3L, 2L, 1L);
    aging.clock.advanceHours(1);
    assertExpired(pinned(2), start.plus(Duration.ofHours(1)));
    assertReadable(pinned(1));
    assertReadable(LATEST);
    assertThat(aging.versions()).containsExactly(3L, 1L);
  }

  @Test
  void writeAfterTheEndCreatesTheDatasetAgain() throws IOException {
    IdempotencyKey key = new IdempotencyKey("key");
    put(NEVER);
    append(hours(1), key);
    aging.clock.advanceHours(1);
    WriteResult appended = append(UNSTATED, key);
    assertThat(appended.created()).isTrue();
    assertThat(appended.summary().version()).isEqualTo(3);
    assertThat(appended.summary().firstVersion()).isEqualTo(3);
    assertThat(appended.summary().kind()).isEqualTo(VersionKind.UPLOAD);
    assertThat(appended.summary().file().rows()).isEqualTo(2);
    assertThat(end(appended)).isNull();
    assertThatThrownBy(() -> aging.datasets.open(pinned(1)))
        .isInstanceOf(DatasetGoneException.class);
    assertThat(aging.versions()).containsExactly(3L);
    put(hours(1));
    aging.clock.advanceHours(1);
    assertThat(put(UNSTATED, new WriteCondition.IfAbsent()).created()).isTrue();
    assertReadable(LATEST);
  }

  @Test
  void collectorDeletesWhatHasExpiredAndThenItsData() throws IOException {
    put(hours(30));
    aging.clock.advanceHours(29);
    assertThat(aging.collectGarbage()).isEqualTo(new GarbageStatistics(0, 0));
    assertThat(aging.versions()).containsExactly(1L);
    aging.clock.advanceHours(1);
    aging.collectGarbage();
    assertThatThrownBy(() -> aging.datasets.open(LATEST))
        .isInstanceOf(DatasetGoneException.class)
        .hasMessage("Expected a dataset but found a deleted one at " + NAME);
    // Another run deletes nothing twice.
    aging.collectGarbage();
    assertThat(aging.blobs()).isNotEmpty();
    aging.clock.advanceHours(25);
    assertThat(aging.collectGarbage().versions()).isOne();
    assertThat(aging.blobs()).isEmpty();
    assertThat(put(NEVER).summary().version()).isEqualTo(3);
  }

  @Test
  void collectorKeepsBlobsWrittenAgain() throws IOException {
    put(hours(1));
    aging.clock.advanceHours(30);
    put(NEVER);
    Catalog catalog = new Catalog(aging.store, aging.clock, Duration.ZERO, Retention.DEFAULT);
    // A collector saw it expired before it was written again.
    new ExpiredDatasets(catalog, new OwnWrites()).delete(NAME);
    aging.collectGarbage();
    assertReadable(LATEST);
    assertThat(aging.versions()).isEqualTo(List.of(2L));
  }
}
