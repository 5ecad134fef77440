package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.RecordedLog;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.S3ProxyServer;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.blob.s3.S3BlobStore;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.file.Verification;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.Damage;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.CompactionPolicy;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.logging.Logger;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Single bits that are flipped anywhere in a store, one at a time. Each is found by the read that
/// meets it, or else by a pass over the store, which names the blob and the range. Other datasets
/// go on.
class FlippedBitsTest {

  private static final DatasetName NAME = DatasetTestFolder.NAME;
  private static final DatasetReference LATEST = new DatasetReference(NAME, null);
  private static final DatasetReference OTHER =
      new DatasetReference(new DatasetName("other"), null);

  /// Each damage is logged.
  private static final Logger LOG = Logger.getLogger(Damage.class.getName());

  @TempDir private Path folder;

  /// The checksums of all buffers of the first read, before any bit was flipped.
  private final Map<DatasetReference, Long> checksums = new HashMap<>();

  private final RecordedLog log = new RecordedLog(Damage.class);

  @BeforeEach
  void hideMessages() {
    LOG.setUseParentHandlers(false);
  }

  @AfterEach
  void showMessages() {
    log.close();
    LOG.setUseParentHandlers(true);
  }

  /// Has small and large batches, dictionaries, deltas of them, a compaction, and idempotency keys
  /// in a blob of their own.
  private void fill(BlobStore store) throws IOException {
    StoragePolicy policy =
        new StoragePolicy(Retention.DEFAULT, CompactionPolicy.NEVER, Duration.ZERO);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT, policy)) {
      datasets.put(
          OTHER.name(),
          body(SampleStreams.stream(10)),
          BodyFormat.STREAM,
          new WriteCondition.None());
      datasets.put(
          NAME,
          body(SampleStreams.stream(70_000, 3)),
          BodyFormat.STREAM,
          new WriteCondition.None());
      for (int i = 0; i < 18; i++) {
        datasets.append(
            NAME,
            UploadData.Source.of(body(SampleStreams.stream(20 + i)), BodyFormat.STREAM),
            new WriteCondition.None(),
            UploadOptions.KEEP,
            new IdempotencyKey("key-" + i));
        if (i == 5) {
          datasets.compact(NAME, new WriteCondition.None());
        }
      }
      assertThat(read(datasets, LATEST)).isNull();
      assertThat(read(datasets, OTHER)).isNull();
    }
  }

  private static ByteSource body(byte[] stream) {
    return ByteSource.of(MemorySegment.ofArray(stream));
  }

  @Tag("long")
  @Test
  void everyFlippedBitInAFolderIsFound() throws IOException {
    fill(FolderBlobStore.open(folder));
    Random random = new Random(1);
    int met = 0;
    for (int i = 0; i < 1900; i++) {
      FolderBlobStore store = FolderBlobStore.open(folder);
      List<String> keys = keys(store);
      met +=
          flip(store, store, keys.get(random.nextInt(keys.size())), folder::resolve, random)
              ? 1
              : 0;
    }
    assertThat(met).isGreaterThan(150);
    try (Datasets datasets = new Datasets(FolderBlobStore.open(folder), DatasetOptions.DEFAULT)) {
      assertThat(read(datasets, LATEST)).isNull();
      assertThat(datasets.checks().verify(LATEST, _ -> {}).damaged()).isEmpty();
    }
  }

  @Tag("long")
  @Test
  void everyFlippedBitInABucketIsFound() throws IOException {
    String bucket = S3ProxyServer.newBucket();
    try (S3BlobStore store = open(bucket, folder.resolve("first"))) {
      fill(store);
    }
    Random random = new Random(2);
    int met = 0;
    for (int i = 0; i < 100; i++) {
      // Without a cache, and with one that has the bytes as they were.
      try (S3BlobStore store = open(bucket, folder.resolve(String.valueOf(i)));
          S3BlobStore cached = open(bucket, folder.resolve("first"))) {
        List<String> keys = keys(store);
        String key = keys.get(random.nextInt(keys.size()));
        met += flip(store, cached, key, each -> S3ProxyServer.file(bucket, each), random) ? 1 : 0;
      }
    }
    assertThat(met).isGreaterThan(5);
  }

  /// The operating system moves no byte that was damaged in the bucket.
  @Tag("long")
  @Test
  void flippedBitsInABucketAreFoundBeforeTheyAreMoved() throws IOException {
    String bucket = S3ProxyServer.newBucket();
    try (S3BlobStore store = open(bucket, folder.resolve("first"))) {
      fill(store);
    }
    byte[] whole;
    try (S3BlobStore store = open(bucket, folder.resolve("first"))) {
      whole = moved(store);
    }
    Random random = new Random(3);
    int found = 0;
    for (int i = 0; i < 30; i++) {
      try (S3BlobStore store = open(bucket, folder.resolve("moved-" + i))) {
        List<String> keys = store.list("data/_data_/", null, 1000);
        // Each second flip is in the many blocks of the largest blob, which the latest version has.
        String key = i % 2 == 0 ? largest(store) : keys.get(random.nextInt(keys.size()));
        Path file = S3ProxyServer.file(bucket, key);
        byte[] bytes = Files.readAllBytes(file);
        byte[] damaged = bytes.clone();
        damaged[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, damaged);
        long before = Damage.PROCESS.count();
        try {
          assertThat(moved(store)).isEqualTo(whole);
        } catch (DamagedBlobException e) {
          found++;
          assertThat(Damage.PROCESS.count()).isEqualTo(before + 1);
        }
        Files.write(file, bytes);
      }
    }
    // Most blobs are of earlier versions.
    assertThat(found).isGreaterThan(15);
  }

  /// Returns the key of the largest blob of the dataset, the newest of several.
  private static String largest(BlobStore store) throws IOException {
    return store.byteSizes("data/_data_/", null, 1000).entrySet().stream()
        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .orElseThrow()
        .getKey();
  }

  /// Returns the file of the latest version as a response sends it: moved by the operating system,
  /// or else read.
  private static byte[] moved(S3BlobStore store) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    WritableByteChannel channel = Channels.newChannel(bytes);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT);
        Snapshot snapshot = datasets.open(LATEST)) {
      snapshot.write(
          0,
          snapshot.file().byteSize(),
          new BlobSink() {
            @Override
            public void write(MemorySegment source) throws IOException {
              channel.write(source.asByteBuffer());
            }

            @Override
            public void write(Blob blob, long byteOffset, long byteSize) throws IOException {
              for (long done = 0; done < byteSize; ) {
                long count = blob.transferTo(byteOffset + done, byteSize - done, channel);
                if (count < 0) {
                  MemorySegment rest = MemorySegment.ofArray(new byte[(int) (byteSize - done)]);
                  blob.readFully(byteOffset + done, rest);
                  write(rest);
                  count = rest.byteSize();
                }
                done += count;
              }
            }
          });
    }
    return bytes.toByteArray();
  }

  /// Damage in the cache alone is fetched again.
  @Test
  void flippedBitsInACacheAreReplaced() throws IOException {
    String bucket = S3ProxyServer.newBucket();
    Path cache = folder.resolve("cache");
    byte[] whole;
    try (S3BlobStore store = open(bucket, cache)) {
      fill(store);
      whole = moved(store);
    }
    List<Path> files;
    try (Stream<Path> found = Files.walk(cache)) {
      files =
          found
              .filter(file -> file.toString().contains("whole") && Files.isRegularFile(file))
              .toList();
    }
    assertThat(files).hasSizeGreaterThan(20);
    for (Path file : files) {
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length / 2] ^= 1;
      // The file may share its bytes with another name.
      Files.delete(file);
      Files.write(file, bytes);
    }
    long before = Damage.PROCESS.count();
    try (S3BlobStore store = open(bucket, cache)) {
      assertThat(moved(store)).isEqualTo(whole);
      try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
        assertThat(read(datasets, LATEST)).isNull();
        assertThat(read(datasets, OTHER)).isNull();
      }
    }
    assertThat(Damage.PROCESS.count()).isEqualTo(before);
  }

  /// Finds the file of a blob.
  private interface KeyFiles {
    Path of(String key);
  }

  private static S3BlobStore open(String bucket, Path cache) throws IOException {
    return S3BlobStore.open(S3ProxyServer.options(bucket, cache, 1 << 30));
  }

  /// Returns the keys of the blobs of the dataset.
  private static List<String> keys(BlobStore store) throws IOException {
    return Stream.concat(
            store.list("data/_data_/", null, 1000).stream(),
            store.list("manifests/_data_/", null, 1000).stream())
        .toList();
  }

  /// Flips a bit, reads, and flips it back.
  ///
  /// @param scrubbed a store with the same blobs
  /// @return whether a read of the latest version met it
  private boolean flip(
      BlobStore store, BlobStore scrubbed, String key, KeyFiles files, Random random)
      throws IOException {
    Path file = files.of(key);
    byte[] whole = Files.readAllBytes(file);
    int position = random.nextInt(whole.length);
    byte[] flipped = whole.clone();
    flipped[position] ^= (byte) (1 << random.nextInt(8));
    overwrite(file, flipped, position);
    long before = Damage.PROCESS.count();
    log.clear();
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      String name = "byte %d of %s".formatted(position, key);
      DamagedBlobException met = read(datasets, LATEST);
      if (met != null) {
        requireNamed(met, key, position, name);
        assertThat(log.messages()).endsWith(met.getMessage());
        assertThat(Damage.PROCESS.count()).isGreaterThan(before);
      }
      assertThat(read(datasets, OTHER)).as(name).isNull();
      Verification pass = new Verification(scrubbed, _ -> {});
      for (String manifest : store.list("manifests/_data_/", null, 1000)) {
        pass.check(manifest);
      }
      assertThat(pass.result().damaged()).as(name).isNotEmpty();
      requireNamed(pass.result().damaged().getFirst(), key, position, name);
      return met != null;
    } finally {
      overwrite(file, whole, position);
    }
  }

  private static void overwrite(Path file, byte[] bytes, int position) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes, position, 1), position);
    }
  }

  private static void requireNamed(
      DamagedBlobException damage, String key, long position, String name) {
    assertThat(damage.blob()).as(name).isEqualTo(key);
    assertThat(damage.version()).as(name).startsWith("data@");
    // A sidecar or a manifest is checked by sections, data by blocks.
    assertThat(position - damage.byteOffset()).as(name).isBetween(0L, 65_535L);
    assertThat(StoreKeys.reference(key)).as(name).startsWith("data");
  }

  /// Reads all of a version.
  ///
  /// @return the damage that the read meets, or null if the values are those that were written
  private @Nullable DamagedBlobException read(Datasets datasets, DatasetReference reference)
      throws IOException {
    CRC32C values = new CRC32C();
    try (Snapshot snapshot = datasets.open(reference);
        DecodedBatches batches = snapshot.decodedBatches()) {
      for (int i = 0; i < batches.count(); i++) {
        batches.read(i).columns().forEach(column -> update(values, column));
        snapshot.statistics(i);
      }
      snapshot.batches(0, Integer.MAX_VALUE);
    } catch (DamagedBlobException e) {
      return e;
    }
    assertThat(values.getValue())
        .isEqualTo(checksums.computeIfAbsent(reference, _ -> values.getValue()));
    return null;
  }

  private static void update(CRC32C values, ArrayData data) {
    data.buffers().forEach(buffer -> Crc32c.update(values, buffer));
    data.children().forEach(child -> update(values, child));
    if (data.dictionary() != null) {
      update(values, data.dictionary());
    }
  }
}
