package dev.quiver.store.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract of every blob store. The test of each store covers its own behavior.
public abstract class BlobStoreContract {

  /// Returns the store under test, empty at the start of each test.
  protected abstract BlobStore store();

  /// Returns the maximum length of a key segment in the test environment.
  protected int maximumSegmentLength() {
    return 255;
  }

  @Test
  void returnsThePutContent() throws IOException {
    assertThat(store().putIfAbsent("data/a", bytes("hello"))).isTrue();
    assertThat(read("data/a")).isEqualTo("hello");
  }

  @Test
  void storesEmptyBlobs() throws IOException {
    assertThat(store().putIfAbsent("data/a", MemorySegment.NULL)).isTrue();
    assertThat(read("data/a")).isEmpty();
  }

  @Test
  void keepsTheFirstOfTwoPuts() throws IOException {
    store().putIfAbsent("data/a", bytes("first"));
    assertThat(store().putIfAbsent("data/a", bytes("second"))).isFalse();
    assertThat(read("data/a")).isEqualTo("first");
  }

  @Test
  void exactlyOneOfManyConcurrentPutsWins() throws Exception {
    for (int round = 0; round < 20; round++) {
      String key = "manifests/_race_/" + round;
      List<Callable<Boolean>> puts = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        MemorySegment content = bytes("writer " + i);
        puts.add(() -> store().putIfAbsent(key, content));
      }
      int winner = -1;
      try (var threads = Executors.newFixedThreadPool(16)) {
        List<Future<Boolean>> results = threads.invokeAll(puts);
        for (int i = 0; i < results.size(); i++) {
          if (results.get(i).get()) {
            assertThat(winner).isEqualTo(-1);
            winner = i;
          }
        }
      }
      assertThat(read(key)).isEqualTo("writer " + winner);
    }
  }

  @Test
  void readsRangesOfABlob() throws IOException {
    store().putIfAbsent("data/a", bytes("0123456789"));
    try (Blob blob = store().open("data/a")) {
      assertThat(blob.byteSize()).isEqualTo(10);
      assertThat(read(blob, 3, 4)).isEqualTo("3456");
      assertThat(read(blob, 8, 4)).isEqualTo("89");
      assertThat(read(blob, 10, 4)).isEmpty();
      assertThat(read(blob, 99, 4)).isEmpty();
    }
  }

  /// A store may respond instead that the range must be read; reading must work then.
  @Test
  void transfersRangesToAChannel() throws IOException {
    store().putIfAbsent("data/a", bytes("0123456789"));
    try (Blob blob = store().open("data/a")) {
      assertThat(transferred(blob, 3, 4)).isEqualTo("3456");
      assertThat(transferred(blob, 0, 10)).isEqualTo("0123456789");
      assertThat(transferred(blob, 9, 1)).isEqualTo("9");
    }
  }

  private static String transferred(Blob blob, int byteOffset, int byteSize) throws IOException {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    WritableByteChannel channel = Channels.newChannel(target);
    while (target.size() < byteSize) {
      int done = target.size();
      long count = blob.transferTo(byteOffset + done, byteSize - done, channel);
      if (count < 0) {
        assertThat(target.size()).isEqualTo(done);
        return target + read(blob, byteOffset + done, byteSize - done);
      }
      assertThat(count).isPositive().isEqualTo(target.size() - done);
    }
    return target.toString();
  }

  @Test
  void mapsRangesForTheLifetimeOfTheArena() throws IOException {
    store().putIfAbsent("data/a", bytes("0123456789"));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mapped;
      try (Blob blob = store().open("data/a")) {
        mapped = blob.map(3, 4, arena);
        assertThatThrownBy(() -> blob.map(8, 3, arena))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      assertThat(mapped.toArray(ValueLayout.JAVA_BYTE)).asString().isEqualTo("3456");
      assertThat(mapped.isReadOnly()).isTrue();
    }
  }

  @Test
  void openReaderSurvivesDeletion() throws IOException {
    store().putIfAbsent("data/a", bytes("hello"));
    try (Blob blob = store().open("data/a")) {
      assertThat(store().delete("data/a")).isTrue();
      assertThat(read(blob, 0, 5)).isEqualTo("hello");
    }
    assertThat(store().delete("data/a")).isFalse();
  }

  @Test
  void errorNamesTheKeyOfAMissingBlob() {
    assertThatThrownBy(() -> store().open("data/none"))
        .isInstanceOf(NoSuchBlobException.class)
        .hasMessage("Expected a blob but found none at key data/none");
  }

  @Test
  void prefixOfAKeyIsNotABlob() throws IOException {
    store().putIfAbsent("data/a/b", bytes("x"));
    assertThatThrownBy(() -> store().open("data/a")).isInstanceOf(NoSuchBlobException.class);
    assertThat(store().delete("data/a")).isFalse();
  }

  @Test
  void uploadBecomesVisibleOnCommit() throws IOException {
    try (BlobUpload upload = store().begin("data/a")) {
      upload.write(bytes("hel"));
      assertThat(store().list("", null, 10)).isEmpty();
      upload.write(bytes("lo"));
      assertThat(upload.position()).isEqualTo(5);
      assertThat(upload.commit()).isTrue();
    }
    assertThat(read("data/a")).isEqualTo("hello");
  }

  @Test
  void closingDiscardsAnUpload() throws IOException {
    try (BlobUpload upload = store().begin("data/a")) {
      upload.write(bytes("hello"));
    }
    assertThat(store().list("", null, 10)).isEmpty();
    assertThatThrownBy(() -> store().open("data/a")).isInstanceOf(NoSuchBlobException.class);
  }

  @Test
  void rejectsACommitUnderAnExistingKey() throws IOException {
    store().putIfAbsent("data/a", bytes("first"));
    try (BlobUpload upload = store().begin("data/a")) {
      upload.write(bytes("second"));
      assertThat(upload.commit()).isFalse();
    }
    assertThat(read("data/a")).isEqualTo("first");
  }

  @Test
  void rejectsWritesAfterTheEndOfAnUpload() throws IOException {
    try (BlobUpload upload = store().begin("data/a")) {
      upload.commit();
      assertThatThrownBy(() -> upload.write(bytes("x"))).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(upload::commit).isInstanceOf(IllegalStateException.class);
    }
  }

  /// Writes have all sizes around that of any buffer, from the heap and from native memory.
  @Test
  void writesBytesInOrder() throws IOException {
    Random random = new Random(1);
    byte[] expected = new byte[3 << 20];
    random.nextBytes(expected);
    try (Arena arena = Arena.ofConfined();
        BlobUpload upload = store().begin("data/a")) {
      MemorySegment nativeCopy = arena.allocate(expected.length);
      nativeCopy.copyFrom(MemorySegment.ofArray(expected));
      int position = 0;
      for (int round = 0; position < expected.length; round++) {
        int byteSize = 1 + random.nextInt(round % 8 == 0 ? 400_000 : 5_000);
        byteSize = Math.min(byteSize, expected.length - position);
        MemorySegment source = round % 2 == 0 ? nativeCopy : MemorySegment.ofArray(expected);
        upload.write(source.asSlice(position, byteSize));
        position += byteSize;
        assertThat(upload.position()).isEqualTo(position);
      }
      MemorySegment middle = upload.map(12_345, 1 << 20, arena);
      assertThat(middle.mismatch(nativeCopy.asSlice(12_345, 1 << 20))).isEqualTo(-1);
      upload.commit();
      try (Blob blob = store().open("data/a")) {
        MemorySegment heap = MemorySegment.ofArray(new byte[expected.length]);
        assertThat(blob.read(0, heap)).isEqualTo(expected.length);
        assertThat(heap.mismatch(nativeCopy)).isEqualTo(-1);
      }
      // Mapped bytes outlive the upload.
      assertThat(middle.mismatch(nativeCopy.asSlice(12_345, 1 << 20))).isEqualTo(-1);
    }
  }

  @Test
  void mapsOnlyWrittenBytes() throws IOException {
    try (Arena arena = Arena.ofConfined();
        BlobUpload upload = store().begin("data/a")) {
      upload.write(bytes("hello"));
      MemorySegment mapped = upload.map(1, 4, arena);
      assertThat(text(mapped)).isEqualTo("ello");
      assertThat(mapped.isReadOnly()).isTrue();
      assertThatThrownBy(() -> upload.map(1, 5, arena))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void mapsACommittedUploadUntilItIsClosed() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      BlobUpload upload = store().begin("data/a");
      upload.write(bytes("hello"));
      upload.commit();
      assertThat(text(upload.map(1, 4, arena))).isEqualTo("ello");
      upload.close();
      assertThatThrownBy(() -> upload.map(1, 4, arena)).isInstanceOf(IllegalStateException.class);
      upload.close();
    }
  }

  @Test
  void spooledBytesNeverBecomeABlob() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mapped;
      try (BlobSpool spool = store().spool()) {
        spool.write(bytes("hel"));
        spool.write(bytes("lo"));
        assertThat(spool.position()).isEqualTo(5);
        mapped = spool.map(1, 4, arena);
        assertThat(mapped.isReadOnly()).isTrue();
        assertThatThrownBy(() -> spool.map(1, 5, arena))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(store().list("", null, 10)).isEmpty();
      }
      // Mapped bytes outlive the spool.
      assertThat(text(mapped)).isEqualTo("ello");
    }
  }

  @Test
  void listsInByteOrderAcrossFolders() throws IOException {
    // The characters that sort before and after "/" decide whether a file or a folder comes first.
    List<String> keys =
        List.of(
            "a!", "a-b", "a-c/d", "a.b", "a/b", "a/b-c", "a/b/c", "a0", "a_", "ab/c", "b/!", "b/_");
    List<String> shuffled =
        keys.stream().filter(key -> !key.equals("a/b") && !key.equals("a/b-c")).toList().reversed();
    for (String key : shuffled) {
      store().putIfAbsent(key, bytes(key));
    }
    store().putIfAbsent("a/b-c", bytes("x"));
    List<String> expected = keys.stream().filter(key -> !key.equals("a/b")).toList();
    assertThat(store().list("", null, 100)).isEqualTo(expected);
    for (int limit = 1; limit <= expected.size(); limit++) {
      assertThat(pages("", limit)).isEqualTo(expected);
    }
  }

  @Test
  void listsBelowAPrefix() throws IOException {
    for (String key : List.of("a", "d/aa/1", "d/aa/2", "d/ab/1", "d/b/1", "e/1")) {
      store().putIfAbsent(key, bytes(key));
    }
    assertThat(store().list("d/aa/", null, 9)).containsExactly("d/aa/1", "d/aa/2");
    assertThat(store().list("d/a", null, 9)).containsExactly("d/aa/1", "d/aa/2", "d/ab/1");
    assertThat(store().list("d/a", null, 1)).containsExactly("d/aa/1");
    assertThat(store().list("d/a", "d/aa/1", 9)).containsExactly("d/aa/2", "d/ab/1");
    assertThat(store().list("d/", "d/aa0", 9)).containsExactly("d/ab/1", "d/b/1");
    assertThat(store().list("d/a", "d/zz", 9)).isEmpty();
    assertThat(store().list("d/ab", "a", 9)).containsExactly("d/ab/1");
    assertThat(store().list("none/", null, 9)).isEmpty();
    assertThat(store().list("a/", null, 9)).isEmpty();
    assertThat(store().list("../", null, 9)).isEmpty();
  }

  @Test
  void listsFoldersBelowAPrefix() throws IOException {
    for (String key :
        List.of("m/_a_/1", "m/_a_/2", "m/_a_-_/1", "m/_a_b_/1", "m/_b_/1", "n/_c_/1")) {
      store().putIfAbsent(key, bytes(key));
    }
    List<String> all = List.of("m/_a_-_/", "m/_a_/", "m/_a_b_/", "m/_b_/");
    assertThat(store().listFolders("m/", null, 10)).isEqualTo(all);
    assertThat(store().listFolders("m/_a_", null, 10)).isEqualTo(all.subList(0, 3));
    assertThat(store().listFolders("m/_x", null, 10)).isEmpty();
    for (int i = 0; i < all.size(); i++) {
      String folder = all.get(i);
      assertThat(store().listFolders("m/_", folder, 10)).isEqualTo(all.subList(i + 1, 4));
      String end = folder.substring(0, folder.length() - 1) + "0";
      assertThat(store().listFolders("m/_", end, 10)).isEqualTo(all.subList(i + 1, 4));
      assertThat(store().listFolders("m/_", null, i + 1)).isEqualTo(all.subList(0, i + 1));
    }
  }

  @Test
  void reportsBlobSizes() throws IOException {
    store().putIfAbsent("d/a", bytes("hello"));
    store().putIfAbsent("d/ab", MemorySegment.NULL);
    assertThat(store().byteSizes("d/", null, 9))
        .containsExactly(Map.entry("d/a", 5L), Map.entry("d/ab", 0L));
    assertThat(store().byteSizes("d/", "d/a", 9)).containsExactly(Map.entry("d/ab", 0L));
    assertThat(store().byteSize("d/a")).isEqualTo(5);
    assertThat(store().byteSize("d")).isZero();
  }

  @Test
  void pagesThroughManyKeys() throws IOException {
    List<String> expected = IntStream.range(0, 300).mapToObj("d/%03d/a"::formatted).toList();
    for (String key : expected) {
      store().putIfAbsent(key, bytes(key));
    }
    assertThat(pages("d/", 7)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/a",
        "a/",
        "a//b",
        ".",
        "..",
        "a/../b",
        "../a",
        "a/./b",
        ".a",
        "a.",
        "A",
        "a b",
        "a\\b",
        "a\u0000b",
        "ä",
        "c:a",
        "a/b\n"
      })
  void rejectsUnsafeKeys(String key) {
    String message =
        "Expected segments of a-z 0-9 ! . _ - without dots at their ends but found \"%s\" at the"
            + " key of a blob";
    for (Callable<?> use : uses(key)) {
      assertThatThrownBy(use::call)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(message.formatted(key));
    }
  }

  @Test
  void rejectsLongKeys() throws IOException {
    int length = maximumSegmentLength();
    String longest =
        String.join("/", List.of("a".repeat(length), "b".repeat(length), "c".repeat(length)));
    assertThat(store().putIfAbsent(longest, bytes("x"))).isTrue();
    for (Callable<?> use : uses("a".repeat(256))) {
      assertThatThrownBy(use::call).isInstanceOf(IllegalArgumentException.class);
    }
    for (Callable<?> use : uses("a/".repeat(512) + "a")) {
      assertThatThrownBy(use::call)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Expected at most 1024 characters but found ");
    }
  }

  private List<Callable<?>> uses(String key) {
    return List.of(
        () -> store().putIfAbsent(key, bytes("x")),
        () -> store().begin(key),
        () -> store().open(key),
        () -> store().delete(key),
        () -> String.valueOf(store().localPath(key)));
  }

  private List<String> pages(String prefix, int limit) throws IOException {
    List<String> all = new ArrayList<>();
    String after = null;
    for (; ; ) {
      List<String> page = store().list(prefix, after, limit);
      assertThat(page).hasSizeLessThanOrEqualTo(limit);
      if (page.isEmpty()) {
        return all;
      }
      all.addAll(page);
      after = page.getLast();
    }
  }

  protected final String read(String key) throws IOException {
    try (Blob blob = store().open(key)) {
      return read(blob, 0, (int) blob.byteSize());
    }
  }

  private static String read(Blob blob, long byteOffset, int byteSize) throws IOException {
    MemorySegment destination = MemorySegment.ofArray(new byte[byteSize]);
    long count = blob.read(byteOffset, destination);
    return text(destination.asSlice(0, count));
  }

  protected static MemorySegment bytes(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)).asReadOnly();
  }

  private static String text(MemorySegment segment) {
    return new String(
        segment.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }
}
