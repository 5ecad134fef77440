package dev.quiver.store.log;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.log.UploadStore.Owner;
import dev.quiver.store.log.UploadStore.Stored;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Uploads that several services continue.
class UploadStoreTest {

  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final ResumableUpload.Request REQUEST =
      new ResumableUpload.Request(
          "PUT",
          "/datasets/flights?expires=P1D",
          List.of(new ResumableUpload.Header("If-None-Match", "*")));

  private static final Owner ALICE = new Owner("alice", "192.0.2.1");
  private static final Owner BOB = new Owner("bob", "192.0.2.1");

  @TempDir private Path folder;

  private BlobStore blobs;
  private UploadStore store;
  private UploadStore other;

  @BeforeEach
  void open() throws IOException {
    blobs = FolderBlobStore.open(folder, /* syncs= */ false);
    store = new UploadStore(blobs);
    other = new UploadStore(blobs);
  }

  private Stored create() throws IOException {
    return store.create(ALICE, REQUEST, 6L, NOW);
  }

  private static ResumableUpload.Part part(UploadStore store, String id, String text)
      throws IOException {
    try (PartWriter writer = store.begin(id)) {
      writer.write(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
      return writer.commit();
    }
  }

  private static Stored append(UploadStore store, Stored stored, String text) throws IOException {
    ResumableUpload upload = stored.upload();
    return Objects.requireNonNull(
        store.put(upload.with(part(store, upload.id(), text), NOW), stored.revision()));
  }

  private List<String> keys() throws IOException {
    return blobs.list("upload", null, 100);
  }

  @Test
  void anotherServiceContinues() throws Exception {
    Stored first = append(store, create(), "ab");
    String id = first.upload().id();
    Stored found = Objects.requireNonNull(other.find(id));
    assertThat(found).isEqualTo(first);
    assertThat(found.upload().request()).isEqualTo(REQUEST);
    Stored second = append(other, append(other, found, ""), "cdef");
    ResumableUpload whole = second.upload().completed(NOW);
    assertThat(store.put(whole, second.revision())).isNotNull();

    ResumableUpload read = Objects.requireNonNull(store.find(id)).upload();
    assertThat(read).isEqualTo(whole);
    assertThat(read.offset()).isEqualTo(6);
    byte[] bytes = new byte[7];
    try (PartsSource content = store.open(read, /* claim= */ null)) {
      assertThat(content.readFully(MemorySegment.ofArray(bytes))).isEqualTo(6);
    }
    assertThat(new String(bytes, 0, 6, StandardCharsets.UTF_8)).isEqualTo("abcdef");
  }

  @Test
  void exactlyOneOfTwoWritersSucceeds() throws Exception {
    Stored created = create();
    Stored won = append(store, created, "ab");
    ResumableUpload late = created.upload().with(part(other, created.upload().id(), "xy"), NOW);
    assertThat(other.put(late, created.revision())).isNull();
    // Afterwards the key that the late one used is free again.
    Stored next = append(store, won, "cd");
    assertThat(other.put(late, created.revision())).isNull();
    assertThat(store.find(created.upload().id())).isEqualTo(next);
  }

  @Test
  void aDeletedUploadIsNotContinued() throws Exception {
    Stored stored = append(store, create(), "ab");
    ResumableUpload late = stored.upload().with(part(other, stored.upload().id(), "cd"), NOW);
    assertThat(store.delete(stored)).isTrue();
    assertThat(other.put(late, stored.revision())).isNull();
    assertThat(other.find(stored.upload().id())).isNull();
    assertThat(keys()).isEmpty();
  }

  @Test
  void aDeletionDoesNotEndAnUploadThatWentOn() throws Exception {
    Stored created = create();
    Stored next = append(other, created, "ab");
    assertThat(store.delete(created)).isFalse();
    assertThat(store.find(created.upload().id())).isEqualTo(next);
  }

  /// A state that is left behind, as its deletion failed, makes no earlier state current again.
  @Test
  void rejectsContinuingAnEarlierState() throws Exception {
    Stored created = create();
    Stored newest = append(store, append(store, created, "ab"), "cd");
    String former = "uploads/" + created.upload().id() + "." + Long.MAX_VALUE;
    blobs.putIfAbsent(former, MemorySegment.ofArray(UploadJson.write(created.upload())));
    ResumableUpload late = created.upload().with(part(other, created.upload().id(), "xy"), NOW);
    assertThat(other.put(late, created.revision())).isNull();
    assertThat(store.find(created.upload().id())).isEqualTo(newest);
  }

  @Test
  void oneServiceClaimsAnUpload() throws Exception {
    Stored whole = append(store, create(), "abcdef");
    String id = whole.upload().id();
    try (UploadClaim claim = Objects.requireNonNull(store.claim(whole))) {
      assertThat(claim.upload().complete()).isTrue();
      Stored claimed = Objects.requireNonNull(other.find(id));
      assertThat(claimed.upload().isClaimed(Instant.now())).isTrue();
      assertThat(other.claim(whole)).isNull();
      assertThat(other.delete(whole)).isFalse();
      // The claim of the storing service is not swept away.
      assertThat(store.sweep(NOW.plusNanos(1))).isZero();
      byte[] bytes = new byte[6];
      try (PartsSource content = claim.open()) {
        assertThat(content.readFully(MemorySegment.ofArray(bytes))).isEqualTo(6);
      }
    }
    Stored free = Objects.requireNonNull(other.find(id));
    assertThat(free.upload().claim()).isNull();
    try (UploadClaim next = Objects.requireNonNull(other.claim(free))) {
      assertThat(store.delete(next.stop())).isTrue();
    }
    assertThat(keys()).isEmpty();
  }

  @Test
  void aClaimIsRenewedUntilItIsStopped() throws Exception {
    Stored whole = append(store, create(), "abcdef");
    String id = whole.upload().id();
    try (UploadClaim claim =
        Objects.requireNonNull(UploadClaim.begin(store, whole, Duration.ofMillis(40)))) {
      long first = Objects.requireNonNull(other.find(id)).revision();
      eventually(() ->
          assertThat(Objects.requireNonNull(other.find(id)).revision()).isGreaterThan(first + 2));
      Stored last = claim.stop();
      assertThat(other.find(id)).isEqualTo(last);
      // The claim of a killed service ends by itself.
      eventually(() -> assertThat(last.upload().isClaimed(Instant.now())).isFalse());
      assertThat(other.delete(last)).isTrue();
    }
    assertThat(keys()).isEmpty();
  }

  @Test
  void checksTheClaimBeforeTheLastBytes() throws Exception {
    Stored whole = append(store, append(store, create(), "abc"), "def");
    try (UploadClaim claim = Objects.requireNonNull(store.claim(whole));
        PartsSource content = claim.open()) {
      MemorySegment read = MemorySegment.ofArray(new byte[3]);
      assertThat(content.readFully(read)).isEqualTo(3);
      content.readFully(read.asSlice(0, 2));
      // After a stall of this service, another one has deleted the upload.
      Stored claimed = Objects.requireNonNull(other.find(whole.upload().id()));
      assertThat(other.delete(claimed)).isTrue();
      assertThatThrownBy(() -> content.readFully(read))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another request has");
    }
    assertThat(keys()).isEmpty();
  }

  @Test
  void sweepsAbandonedUploads() throws Exception {
    Stored stored = append(store, create(), "ab");
    part(store, stored.upload().id(), "cut before its state");
    part(store, "0".repeat(48), "of no upload");
    assertThat(store.sweep(NOW)).isZero();
    assertThat(keys()).hasSize(3).noneMatch(key -> key.contains("0".repeat(48) + "/"));
    assertThat(store.sweep(NOW.plusNanos(1))).isOne();
    assertThat(keys()).isEmpty();
  }

  @Test
  void sweepLooksForAnUploadOnceForAllOfItsParts() throws Exception {
    Stored stored = append(store, append(store, append(store, create(), "ab"), "cd"), "ef");
    AtomicInteger lists = new AtomicInteger();
    BlobStore counted =
        (BlobStore)
            Proxy.newProxyInstance(
                BlobStore.class.getClassLoader(),
                new Class<?>[] {BlobStore.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("list")) {
                    lists.incrementAndGet();
                  }
                  return method.invoke(blobs, arguments);
                });
    assertThat(new UploadStore(counted).sweep(NOW)).isZero();
    // States, outcomes and parts are listed, and the upload is found for its state and its parts.
    assertThat(lists).hasValue(5);
    assertThat(store.find(stored.upload().id())).isEqualTo(stored);
  }

  @Test
  void storedUploadIsNotOpen() throws Exception {
    Stored stored = append(store, create(), "ab");
    assertThat(store.openCount(2)).isOne();
    ResumableUpload ended =
        stored.upload().ended(new ResumableUpload.Outcome(201, List.of(), "{}"), NOW);
    store.end(ended);
    other.end(ended);
    assertThat(store.openCount(2)).isZero();
    assertThat(keys()).containsExactly("upload-outcomes/" + ended.id());
    Stored found = Objects.requireNonNull(other.find(ended.id()));
    assertThat(found.upload()).isEqualTo(ended);
    assertThat(store.sweep(NOW)).isZero();
    assertThat(store.find(ended.id())).isEqualTo(found);
    assertThat(store.delete(found)).isTrue();
    assertThat(store.find(ended.id())).isNull();
    store.end(ended);
    store.sweep(NOW.plusNanos(1));
    assertThat(keys()).isEmpty();
  }

  @Test
  void outcomeCountsDespiteLeftovers() throws Exception {
    Stored stored = append(store, create(), "ab");
    Stored whole =
        Objects.requireNonNull(store.put(stored.upload().completed(NOW), stored.revision()));
    ResumableUpload ended =
        whole.upload().ended(new ResumableUpload.Outcome(201, List.of(), "{}"), NOW);
    // A service that is killed before it deletes the rest.
    blobs.putIfAbsent(
        "upload-outcomes/" + ended.id(), MemorySegment.ofArray(UploadJson.write(ended)));
    assertThat(Objects.requireNonNull(store.find(ended.id())).upload()).isEqualTo(ended);
    assertThat(store.sweep(NOW)).isZero();
    assertThat(keys()).containsExactly("upload-outcomes/" + ended.id());
  }

  @Test
  void sweepEndsWhenAsked() throws Exception {
    append(store, create(), "ab");
    assertThat(Cancellation.when(() -> true).call(() -> store.sweep(NOW.plusNanos(1)))).isZero();
    assertThat(keys()).hasSize(2);
  }

  @Test
  void unreadableStateKeepsNoOtherUpload() throws Exception {
    String key = "uploads/" + "0".repeat(48) + "." + Long.MAX_VALUE;
    blobs.putIfAbsent(key, MemorySegment.ofArray(new byte[] {'{'}));
    append(store, create(), "ab");
    assertThatThrownBy(() -> store.sweep(NOW.plusNanos(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(key);
    assertThat(keys()).containsExactly(key);
  }

  @Test
  void damagedPartIsFound() throws Exception {
    Stored stored = append(store, append(store, create(), "ab"), "cd");
    ResumableUpload.Part last = stored.upload().parts().getLast();
    blobs.delete(last.key());
    blobs.putIfAbsent(last.key(), MemorySegment.ofArray(new byte[] {'c', 'f'}));
    try (PartsSource content = store.open(stored.upload(), /* claim= */ null)) {
      MemorySegment read = MemorySegment.ofArray(new byte[2]);
      assertThat(content.readFully(read)).isEqualTo(2);
      assertThatThrownBy(() -> content.readFully(read))
          .isInstanceOf(DamagedPartException.class)
          .hasMessageContaining(last.key());
    }
  }

  @Test
  void uploadsOfAPrincipalAreCountedAlone() throws Exception {
    append(store, append(store, create(), "ab"), "cd");
    append(store, store.create(BOB, REQUEST, null, NOW), "efg");
    create();
    assertThat(store.hasManyOf("alice", 2)).isTrue();
    assertThat(store.hasManyOf("alice", 3)).isFalse();
    assertThat(store.hasManyOf("bob", 1)).isTrue();
    assertThat(store.hasManyOf("bob", 2)).isFalse();
    assertThat(store.hasManyOf("carol", 1)).isFalse();
    assertThat(store.partsByteSizeOf("alice")).isEqualTo(4);
    assertThat(store.partsByteSizeOf("bob")).isEqualTo(3);
    assertThat(store.open()).isEqualTo(new UploadStore.Open(3, 7));
  }

  /// The limits of a principal hold for all of its clients, places for each of them.
  @Test
  void uploadsOfAClientAreCountedAlone() throws Exception {
    Owner elsewhere = new Owner("alice", "192.0.2.2");
    append(store, create(), "ab");
    Stored empty = create();
    append(store, store.create(elsewhere, REQUEST, null, NOW), "efg");
    assertThat(store.openCountOf(ALICE, 2)).isEqualTo(2);
    assertThat(store.openCountOf(ALICE, 1)).isOne();
    assertThat(store.openCountOf(elsewhere, 3)).isOne();
    assertThat(store.openCountOf(BOB, 3)).isZero();
    assertThat(store.openCount(4)).isEqualTo(3);
    assertThat(store.hasManyOf("alice", 3)).isTrue();
    assertThat(store.partsByteSizeOf("alice")).isEqualTo(5);
    assertThat(store.deleteEmpty(elsewhere, LATER, _ -> true)).isFalse();
    assertThat(store.deleteEmpty(ALICE, LATER, _ -> true)).isTrue();
    assertThat(store.find(empty.upload().id())).isNull();
  }

  @Test
  void invalidIdIsNotFound() throws Exception {
    create();
    assertThat(store.find("")).isNull();
    assertThat(store.find("../jobs")).isNull();
    assertThat(store.find("A".repeat(48))).isNull();
  }

  private static final Instant LATER = NOW.plusSeconds(60);

  @Test
  void oldestUploadWithoutAByteMakesRoom() throws Exception {
    Stored begun = append(store, create(), "ab");
    Stored young = store.create(ALICE, REQUEST, 6L, LATER);
    Stored old = create();
    Stored older = store.create(ALICE, REQUEST, 6L, NOW.minusSeconds(1));
    assertThat(store.deleteEmpty(null, LATER, _ -> true)).isTrue();
    assertThat(store.find(older.upload().id())).isNull();
    assertThat(store.deleteEmpty(null, LATER, id -> !id.equals(old.upload().id()))).isFalse();
    assertThat(store.deleteEmpty(BOB, LATER, _ -> true)).isFalse();
    assertThat(store.deleteEmpty(ALICE, LATER, _ -> true)).isTrue();
    assertThat(store.find(old.upload().id())).isNull();
    assertThat(store.deleteEmpty(null, LATER, _ -> true)).isFalse();
    assertThat(store.find(young.upload().id())).isEqualTo(young);
    assertThat(store.find(begun.upload().id())).isEqualTo(begun);
  }

  /// Of one client only a sample is read, so that others are reached as well.
  @Test
  void uploadsOfAllClientsMakeRoom() throws Exception {
    for (int i = 0; i < 70; i++) {
      append(store, create(), "a");
    }
    Stored empty = store.create(new Owner("alice", "192.0.2.2"), REQUEST, 6L, NOW);
    assertThat(store.deleteEmpty(ALICE, LATER, _ -> true)).isFalse();
    assertThat(store.deleteEmpty(null, LATER, _ -> true)).isTrue();
    assertThat(store.find(empty.upload().id())).isNull();
  }
}
