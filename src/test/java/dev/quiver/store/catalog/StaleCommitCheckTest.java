package dev.quiver.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.validate.Level;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.ManifestFormat;
import dev.quiver.store.version.Manifests;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.StoredFile;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The fate of a version that was put late, by what the store holds then. How a version comes to be
/// late is in `GarbageCollectionRacesTest`.
class StaleCommitCheckTest {

  private static final DatasetName NAME = new DatasetName("flights");
  private static final Instant NOW = Instant.parse("2026-11-20T09:00:00Z");
  private static final Retention RETENTION = Retention.DEFAULT;

  @TempDir private Path folder;
  private BlobStore store;

  @BeforeEach
  void open() throws IOException {
    store = FolderBlobStore.open(folder);
  }

  @Test
  void keepsTheLatestVersion() throws IOException {
    put(manifest(1, "first", null));
    Manifest late = put(manifest(2, "late", "first"));

    assertThat(stillValid(late)).isTrue();

    assertThat(versions()).containsExactly(2L, 1L);
  }

  @Test
  void keepsAVersionThatALaterOneBuildsOn() throws IOException {
    Manifest late = put(manifest(2, "late", "first"));
    put(manifest(3, "third", "late"));
    put(manifest(4, "fourth", "third"));

    assertThat(stillValid(late)).isTrue();

    assertThat(versions()).containsExactly(4L, 3L, 2L);
  }

  /// Its number was that of another version, which was deleted.
  @Test
  void deletesAVersionThatTheNextOneDoesNotBuildOn() throws IOException {
    Manifest late = put(manifest(2, "late", "first"));
    put(manifest(3, "third", "second"));

    assertThat(stillValid(late)).isFalse();

    assertThat(versions()).containsExactly(3L);
  }

  @Test
  void deletesAVersionWhoseSuccessorWasDeleted() throws IOException {
    Manifest late = put(manifest(2, "late", "first"));
    put(manifest(4, "fourth", "third"));

    assertThat(stillValid(late)).isFalse();

    assertThat(versions()).containsExactly(4L);
  }

  @Test
  void failsIfTheVersionWasDeletedMeanwhile() throws IOException {
    put(manifest(3, "third", "second"));

    assertThatThrownBy(() -> stillValid(manifest(2, "late", "first")))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Expected version 2 but found it deleted before its commit was confirmed at flights");
  }

  @Test
  void acceptsDataOfHalfTheGracePeriod() throws IOException {
    Manifest late = put(manifest(2, "late", "first"));

    assertThat(stillValid(store, late, Set.of(data(Duration.ofHours(12))))).isTrue();
  }

  @Test
  void deletesTheLatestVersionIfItsDataMayHaveBeenDeleted() throws IOException {
    put(manifest(1, "first", null));
    Manifest late = put(manifest(2, "late", "first"));
    Set<String> newData = Set.of(data(Duration.ofHours(11)), data(Duration.ofHours(13)));

    assertThatThrownBy(() -> stillValid(store, late, newData))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("half of the grace period, but found one begun PT13H ago");

    assertThat(versions()).containsExactly(1L);
  }

  /// Without it, the versions would have a gap.
  @Test
  void keepsAVersionWithOldDataThatALaterOneBuildsOn() throws IOException {
    Manifest late = put(manifest(2, "late", "first"));
    put(manifest(3, "third", "late"));

    assertThatThrownBy(() -> stillValid(store, late, Set.of(data(Duration.ofHours(13)))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("half of the grace period");

    assertThat(versions()).containsExactly(3L, 2L);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void retriesAFailedCheckOnce(int failures) throws IOException {
    Manifest late = put(manifest(2, "late", "first"));
    BlobStore failing =
        new UnreliableStore(store) {

          private int lists;

          @Override
          public List<String> list(String prefix, @Nullable String after, int limit)
              throws IOException {
            if (lists++ < failures) {
              throw new IOException("timeout");
            }
            return super.list(prefix, after, limit);
          }
        };

    if (failures == 1) {
      assertThat(stillValid(failing, late, Set.of())).isTrue();
    } else {
      assertThatThrownBy(() -> stillValid(failing, late, Set.of())).hasMessage("timeout");
    }

    assertThat(versions()).containsExactly(2L);
  }

  private boolean stillValid(Manifest late) throws IOException {
    return stillValid(store, late, Set.of());
  }

  private static boolean stillValid(BlobStore store, Manifest late, Set<String> newData)
      throws IOException {
    return new StaleCommitCheck(store, RETENTION, late, newData).stillValid(NOW);
  }

  private static String data(Duration age) {
    return StoreKeys.newData(NAME, NOW.minus(age));
  }

  private List<Long> versions() throws IOException {
    return store.list(StoreKeys.manifests(NAME), null, 10).stream()
        .map(key -> Long.MAX_VALUE - Long.parseLong(key.substring(key.lastIndexOf('/') + 1)))
        .toList();
  }

  private Manifest put(Manifest manifest) throws IOException {
    String key = StoreKeys.manifest(NAME, manifest.summary().version());
    MemorySegment content = ManifestFormat.write(manifest, MemorySegment.NULL);
    assertThat(store.putIfAbsent(key, content)).isTrue();
    return manifest;
  }

  private static Manifest manifest(long version, String commitId, @Nullable String parentCommitId) {
    VersionSummary summary =
        new VersionSummary(
            NAME,
            version,
            commitId,
            VersionKind.UPLOAD,
            /* firstVersion= */ 1,
            NOW,
            new StoredFile(20, 2, 1000, Codec.ZSTD, false, Level.VALUES, 120, 800, 190),
            /* source= */ null);
    return Manifests.of(summary, parentCommitId, List.of(), List.of());
  }
}
