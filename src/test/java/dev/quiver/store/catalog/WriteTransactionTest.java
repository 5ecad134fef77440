package dev.quiver.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.validate.Level;
import dev.quiver.store.TestClock;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.PreconditionFailedException;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.StoredFile;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The blobs and versions that a transaction leaves, whatever happens to its commit. Failures at
/// every operation of a whole write are in `FailingStoreTest`.
class WriteTransactionTest {

  private static final DatasetName NAME = new DatasetName("flights");
  private static final WriteCondition NONE = new WriteCondition.None();

  @TempDir private Path folder;
  private final TestClock clock = new TestClock();
  private BlobStore store;

  @BeforeEach
  void open() throws IOException {
    store = FolderBlobStore.open(folder);
  }

  @AfterEach
  void leavesNoTemporaryFiles() throws IOException {
    try (var files = Files.list(store.scratchFolder())) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void keepsTheBlobsOfTheCommittedVersion() throws IOException {
    WriteTransaction.Commit commit = commit(store);

    assertThat(commit.created()).isTrue();
    assertCommittedOnce(commit);
  }

  @Test
  void closeDeletesTheBlobsOfAWriteThatWasNotCommitted() throws IOException {
    try (WriteTransaction transaction = begin(store)) {
      transaction.seal(newVersion(transaction));
      newVersion(transaction);
      assertThat(data()).hasSize(1);
    }

    assertThat(data()).isEmpty();
  }

  @Test
  void closeDeletesTheBlobsIfNothingIsToBeCommitted() throws IOException {
    try (WriteTransaction transaction = begin(store)) {
      transaction.seal(newVersion(transaction));

      assertThat(transaction.commit(_ -> null)).isNull();
    }

    assertThat(data()).isEmpty();
    assertThat(manifests()).isEmpty();
  }

  @Test
  void retriesAfterAFasterCommitAndDeletesOnlyTheBlobsOfItsFirstAttempt() throws IOException {
    List<WriteTransaction.Commit> others = new ArrayList<>();
    WriteTransaction.Commit commit;
    try (WriteTransaction transaction = begin(store)) {
      commit =
          committed(
              transaction,
              newest -> {
                NextVersion next = newVersion(transaction);
                if (newest == null) {
                  transaction.seal(next);
                  others.add(commit(store));
                }
                return next;
              });
      assertThat(data()).hasSize(3);
    }

    assertThat(commit.created()).isFalse();
    assertThat(commit.summary().version()).isEqualTo(2);
    assertThat(newest()).isEqualTo(commit.summary());
    assertThat(data()).containsExactlyInAnyOrder(key(others.getFirst()), key(commit));
  }

  @Test
  void closeDeletesTheBlobsIfTheConditionNoLongerHolds() throws IOException {
    List<WriteTransaction.Commit> others = new ArrayList<>();
    try (WriteTransaction transaction =
        catalog(store).begin(NAME, new WriteCondition.IfAbsent(), null, Writer.SERVICE)) {
      NextVersion next = newVersion(transaction);
      assertThatThrownBy(() ->
              transaction.commit(_ -> {
                others.add(commit(store));
                return next;
              }))
          .isInstanceOf(PreconditionFailedException.class);
    }

    assertCommittedOnce(others.getFirst());
  }

  /// As when a network file system repeats a link that took effect.
  @Test
  void commitsOnceIfThePutReportsItsOwnManifestAsExisting() throws IOException {
    AtomicInteger puts = new AtomicInteger();
    BlobStore repeating =
        new UnreliableStore(store) {
          @Override
          public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
            return super.putIfAbsent(key, content) && puts.getAndIncrement() > 0;
          }
        };

    assertCommittedOnce(commit(repeating));
  }

  @Test
  void commitsOnceIfTheResponseOfThePutIsLost() throws IOException {
    AtomicInteger puts = new AtomicInteger();
    BlobStore failing =
        new UnreliableStore(store) {
          @Override
          public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
            boolean put = super.putIfAbsent(key, content);
            if (puts.getAndIncrement() == 0) {
              throw new IOException("timeout");
            }
            return put;
          }
        };

    WriteTransaction.Commit commit = commit(failing);

    assertThat(puts).hasValue(2);
    assertCommittedOnce(commit);
  }

  @Test
  void closeDeletesTheBlobsIfTheManifestIsKnownToBeAbsent() throws IOException {
    BlobStore failing =
        new UnreliableStore(store) {
          @Override
          public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
            throw new IOException("timeout");
          }
        };

    assertThatThrownBy(() -> commit(failing)).hasMessage("timeout");

    assertThat(data()).isEmpty();
    assertThat(manifests()).isEmpty();
  }

  @Test
  void closeKeepsTheBlobsOfAVersionThatIsPutAlthoughTheCommitFails() throws IOException {
    BlobStore failing =
        new UnreliableStore(store) {
          @Override
          public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
            super.putIfAbsent(key, content);
            throw new IOException("timeout");
          }
        };

    assertThatThrownBy(() -> commit(failing)).hasMessage("timeout");

    assertThat(newest().version()).isEqualTo(1);
    assertThat(data()).hasSize(1);
  }

  @Test
  void closeKeepsTheBlobsIfTheFateOfTheManifestIsUnknown() throws IOException {
    BlobStore failing =
        new UnreliableStore(store) {
          @Override
          public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
            throw new IOException("timeout");
          }

          @Override
          public boolean exists(String key) throws IOException {
            throw new IOException("connection reset");
          }
        };

    assertThatThrownBy(() -> commit(failing)).hasMessage("connection reset");

    assertThat(data()).hasSize(1);
  }

  @Test
  void closeLeavesBlobsThatItCannotDelete() throws IOException {
    BlobStore failing =
        new UnreliableStore(store) {
          @Override
          public boolean delete(String key) throws IOException {
            throw new IOException("timeout");
          }
        };

    try (WriteTransaction transaction = begin(failing)) {
      transaction.seal(newVersion(transaction));
    }

    assertThat(data()).hasSize(1);
  }

  @Test
  void closeDeletesTheBlobsAndFailsIfAnUploadCannotBeClosed() throws IOException {
    WriteTransaction transaction = begin(unclosable(store));
    transaction.seal(newVersion(transaction));

    assertThatThrownBy(transaction::close).hasMessage("Input/output error");

    assertThat(data()).isEmpty();
  }

  @Test
  void commitSucceedsEvenIfAnUploadCannotBeClosed() throws IOException {
    assertCommittedOnce(commit(unclosable(store)));
  }

  @Test
  void rejectsABlobWhoseKeyExists() throws IOException {
    try (WriteTransaction transaction = begin(store)) {
      NextVersion next = newVersion(transaction);
      String key = next.extents().getFirst().key();
      assertThat(store.putIfAbsent(key, MemorySegment.NULL)).isTrue();

      assertThatThrownBy(() -> transaction.commit(_ -> next))
          .isInstanceOf(IOException.class)
          .hasMessage("Expected no blob but found one at " + key);
    }

    // It belongs to another writer.
    assertThat(data()).hasSize(1);
    assertThat(manifests()).isEmpty();
  }

  @Test
  void returnsTheEarlierCommitWithTheSameIdempotencyKey() throws IOException {
    IdempotencyKey key = new IdempotencyKey("upload-1");
    WriteTransaction.Commit first;
    try (WriteTransaction transaction = catalog(store).begin(NAME, NONE, key, Writer.SERVICE)) {
      assertThat(transaction.check()).isNull();
      NextVersion next = newVersion(transaction);
      first = committed(transaction, _ -> next);
    }

    try (WriteTransaction transaction = catalog(store).begin(NAME, NONE, key, Writer.SERVICE)) {
      assertThat(Objects.requireNonNull(transaction.check()).summary()).isEqualTo(first.summary());
      NextVersion next = newVersion(transaction);
      WriteTransaction.Commit second = committed(transaction, _ -> next);
      assertThat(second.summary()).isEqualTo(first.summary());
      assertThat(second.extents()).isEmpty();
    }

    assertCommittedOnce(first);
  }

  @Test
  void decidesAConditionByTheFirstVersionThatItSees() throws IOException {
    List<@Nullable VersionSummary> seen = new ArrayList<>();
    WriteCondition condition =
        new WriteCondition.ByLatest(latest -> {
          seen.add(latest);
          return latest == null ? new WriteCondition.IfAbsent() : NONE;
        });

    try (WriteTransaction transaction =
        catalog(store).begin(NAME, condition, null, Writer.SERVICE)) {
      assertThat(transaction.check()).isNull();
      NextVersion next = newVersion(transaction);
      commit(store);
      assertThatThrownBy(() -> transaction.commit(_ -> next))
          .isInstanceOf(PreconditionFailedException.class);
    }

    assertThat(seen).hasSize(1).containsOnlyNulls();
  }

  /// Others replace the version and delete it, so that its number is free again.
  @Test
  void commitsAgainAfterAPutThatIsStale() throws IOException {
    commit(store);
    BlobStore paused =
        new UnreliableStore(store) {

          private boolean wasPaused;

          @Override
          public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
            if (!wasPaused) {
              wasPaused = true;
              clock.advanceHours(7);
              commit(store);
              commit(store);
              assertThat(store.delete(key)).isTrue();
            }
            return super.putIfAbsent(key, content);
          }
        };

    WriteTransaction.Commit commit = commit(paused);

    assertThat(commit.summary().version()).isEqualTo(4);
    assertThat(newest()).isEqualTo(commit.summary());
    assertThat(manifests())
        .containsExactly(
            StoreKeys.manifest(NAME, 4), StoreKeys.manifest(NAME, 3), StoreKeys.manifest(NAME, 1));
    assertThat(data()).contains(key(commit));
  }

  private WriteTransaction.Commit commit(BlobStore through) throws IOException {
    try (WriteTransaction transaction = begin(through)) {
      NextVersion next = newVersion(transaction);
      return committed(transaction, _ -> next);
    }
  }

  private static WriteTransaction.Commit committed(
      WriteTransaction transaction, VersionUpdate update) throws IOException {
    return Objects.requireNonNull(transaction.commit(update));
  }

  private WriteTransaction begin(BlobStore through) {
    return catalog(through).begin(NAME, NONE, /* key= */ null, Writer.SERVICE);
  }

  @Test
  void aWriteIsForgottenByADeleteOrManyVersions() throws IOException {
    ForgottenWrites few = new ForgottenWrites(catalog(store), clock, 2);
    ForgottenWrites many = new ForgottenWrites(catalog(store), clock, 9);
    Instant start = clock.instant();
    assertThat(few.mayExist(NAME, start)).isFalse();
    commit(store);
    commit(store);
    assertThat(few.mayExist(NAME, start)).isFalse();
    commit(store);
    assertThat(few.mayExist(NAME, start)).isTrue();

    clock.advanceHours(1);
    Instant later = clock.instant();
    assertThat(few.mayExist(NAME, later)).isFalse();
    commit(store);
    commit(store);
    assertThat(few.mayExist(NAME, later)).isFalse();
    try (WriteTransaction transaction = begin(store)) {
      transaction.commit(_ -> NextVersion.DELETE);
    }
    assertThat(many.mayExist(NAME, later)).isTrue();
    commit(store);
    assertThat(many.mayExist(NAME, later)).isTrue();

    clock.advanceHours(1);
    Instant last = clock.instant();
    commit(store);
    assertThat(many.mayExist(NAME, last)).isFalse();
  }

  /// Returns the catalog of another process.
  private Catalog catalog(BlobStore through) {
    return new Catalog(through, clock, Duration.ZERO, Retention.DEFAULT);
  }

  /// Returns a version with a blob of its own.
  private static NextVersion newVersion(WriteTransaction transaction) throws IOException {
    String key = transaction.newKey();
    transaction.begin(key).write(MemorySegment.ofArray(new byte[8]));
    return new NextVersion(
        VersionKind.UPLOAD,
        new StoredFile(20, 2, 1000, Codec.NONE, false, Level.VALUES, 120, 800, 190),
        List.of(new BlobExtent(key, 0, 8)),
        MemorySegment.NULL);
  }

  /// Returns a store whose uploads fail after they are closed.
  private static BlobStore unclosable(BlobStore store) {
    return new UnreliableStore(store) {
      @Override
      public BlobUpload begin(String key) throws IOException {
        return new UnclosableUpload(super.begin(key));
      }
    };
  }

  /// Checks that a commit is the only one, and that its blob is the only one, too.
  private void assertCommittedOnce(WriteTransaction.Commit commit) throws IOException {
    assertThat(newest()).isEqualTo(commit.summary());
    assertThat(manifests()).containsExactly(StoreKeys.manifest(NAME, 1));
    assertThat(data()).containsExactly(key(commit));
  }

  private static String key(WriteTransaction.Commit commit) {
    return commit.extents().getFirst().key();
  }

  private VersionSummary newest() throws IOException {
    return Objects.requireNonNull(catalog(store).newest(NAME));
  }

  private List<String> manifests() throws IOException {
    return store.list(StoreKeys.MANIFESTS, null, 10);
  }

  private List<String> data() throws IOException {
    return store.list(StoreKeys.DATA, null, 10);
  }

  private record UnclosableUpload(BlobUpload upload) implements BlobUpload {

    @Override
    public long position() {
      return upload.position();
    }

    @Override
    public void write(MemorySegment source) throws IOException {
      upload.write(source);
    }

    @Override
    public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
      return upload.map(byteOffset, byteSize, arena);
    }

    @Override
    public boolean commit() throws IOException {
      return upload.commit();
    }

    @Override
    public void close() throws IOException {
      upload.close();
      throw new IOException("Input/output error");
    }
  }
}
