package dev.quiver.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.dataset.catalog.Retention;
import dev.quiver.dataset.ingest.DatasetOptions;
import dev.quiver.dataset.ingest.UploadOptions;
import dev.quiver.dataset.manifest.BlobChecksums;
import dev.quiver.dataset.manifest.StoreKeys;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.version.ByteRange;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.WriteCondition;
import dev.quiver.dataset.write.CompactionPolicy;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.Crc32c;
import dev.quiver.storage.MemoryBlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checksums that are combined from those of parts, against the CRC-32C of the JDK over the whole.
class ChecksumsTest {

  private static final int COUNT = 256;

  @TempDir private Path folder;

  @Test
  void joinsAndSplitsChecksumsOfAnyLengths() {
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      byte[] bytes = new byte[random.nextInt(5000)];
      random.nextBytes(bytes);
      int split = random.nextInt(bytes.length + 1);
      int first = checksum(Arrays.copyOf(bytes, split));
      int second = checksum(Arrays.copyOfRange(bytes, split, bytes.length));
      int joined = checksum(bytes);
      assertThat(Crc32c.joined(first, second, bytes.length - split)).isEqualTo(joined);
      assertThat(Crc32c.second(first, joined, bytes.length - split)).isEqualTo(second);
    }
  }

  @Test
  void versionsOfOneToManyExtentsHaveTheChecksumsOfTheirBytes() throws IOException {
    StoragePolicy policy =
        new StoragePolicy(Retention.DEFAULT, CompactionPolicy.NEVER, Duration.ZERO);
    MemoryBlobStore store = new MemoryBlobStore(folder);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT, policy)) {
      for (int i = 0; i < COUNT; i++) {
        append(datasets, 3L * i);
        if (i < 3 || i == COUNT - 1) {
          requireChecksums(datasets, i == 0 ? 1 : i + 2);
        }
      }
      datasets.compact(DatasetTestFolder.NAME);
      requireChecksums(datasets, 2);
    }
  }

  /// The data may be whole, so its dataset goes on without a checksum.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void appendsToDataWhoseSidecarIsLostOrBroken(boolean broken) throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    data.put(AppendCostTest.stream(0, 3));
    String sidecar = StoreKeys.sidecar(data.dataKeys().getFirst());
    data.store.delete(sidecar);
    if (broken) {
      data.store.putIfAbsent(sidecar, MemorySegment.ofArray(new byte[100]));
    }
    append(data.datasets, 3);
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.summary().file().rows()).isEqualTo(6);
      assertThat(snapshot.checksums().file()).isNull();
      assertThat(snapshot.checksums().stream()).isNull();
      // It is not looked for again.
      assertThat(snapshot.checksums().extent(0).hasSidecar()).isFalse();
    }
    data.datasets.compact(DatasetTestFolder.NAME);
    data.file();
  }

  /// The end of the file, which has the positions of its batches, is in the manifest itself.
  @Test
  void aDamagedManifestIsNeitherReadNorAppendedTo() throws IOException {
    DatasetTestFolder written = new DatasetTestFolder(folder);
    written.put(AppendCostTest.stream(0, 3));
    append(written.datasets, 3);
    String manifest = StoreKeys.manifest(DatasetTestFolder.NAME, 2);
    Path path = folder.resolve(manifest);
    byte[] whole = Files.readAllBytes(path);
    for (int fromEnd : new int[] {1, 20, 100, 200, 300}) {
      byte[] damaged = whole.clone();
      damaged[whole.length - fromEnd] ^= 1;
      Files.write(path, damaged);
      DatasetTestFolder reopened = new DatasetTestFolder(folder);
      String message = "Expected bytes with CRC-32C .* but found .* at the end of blob " + manifest;
      try (Snapshot snapshot = reopened.open()) {
        assertThatThrownBy(snapshot::schema)
            .isInstanceOf(IOException.class)
            .hasMessageMatching(message);
      }
      assertThatThrownBy(() -> append(reopened.datasets, 6))
          .isInstanceOf(IOException.class)
          .hasMessageMatching(message);
    }
    Files.write(path, whole);
    append(new DatasetTestFolder(folder).datasets, 6);
  }

  private static void append(Datasets datasets, long first) throws IOException {
    datasets.append(
        DatasetTestFolder.NAME,
        ByteSource.of(MemorySegment.ofArray(AppendCostTest.stream(first, 3))),
        BodyFormat.STREAM,
        new WriteCondition.None(),
        UploadOptions.DEFAULT,
        null);
  }

  @Test
  void blocksEndAtEdgesAndFindEveryFlippedBit() {
    byte[] bytes = new byte[3 << 20];
    new Random(2).nextBytes(bytes);
    BlobChecksums checksums = of(bytes);
    assertThat(checksums.blocks()).hasSize(4);
    assertThat(checksums.of(0, 100)).isEqualTo(checksum(Arrays.copyOf(bytes, 100)));
    assertThat(checksums.of(100, bytes.length - 100))
        .isEqualTo(checksum(Arrays.copyOfRange(bytes, 100, bytes.length)));
    assertThat(checksums.of(1, 99)).isNull();
    assertThat(checksums.of(0, 99)).isNull();
    for (int position : new int[] {0, 99, 100, 1 << 20, bytes.length - 1}) {
      bytes[position] ^= 4;
      assertThat(of(bytes).blocks().stream().filter(block -> !checksums.blocks().contains(block)))
          .singleElement()
          .satisfies(block ->
              assertThat((long) position)
                  .isBetween(block.byteOffset(), block.byteOffset() + block.byteSize() - 1));
      bytes[position] ^= 4;
    }
  }

  private static BlobChecksums of(byte[] bytes) {
    BlobChecksums.Builder builder = new BlobChecksums.Builder();
    builder.update(MemorySegment.ofArray(bytes).asSlice(0, 100));
    builder.edge();
    builder.update(MemorySegment.ofArray(bytes).asSlice(100, 70_000));
    builder.update(MemorySegment.ofArray(bytes).asSlice(70_100));
    return builder.build();
  }

  private static void requireChecksums(Datasets datasets, int extentCount) throws IOException {
    try (Snapshot snapshot = datasets.open(new DatasetReference(DatasetTestFolder.NAME, null))) {
      assertThat(snapshot.extents()).hasSize(extentCount);
      assertThat(snapshot.checksums().file()).isEqualTo(checksum(snapshot, snapshot.file()));
      assertThat(snapshot.checksums().stream()).isEqualTo(checksum(snapshot, snapshot.stream()));
    }
  }

  private static int checksum(Snapshot snapshot, ByteRange range) throws IOException {
    return checksum(DatasetTestFolder.read(snapshot, range));
  }

  private static int checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return (int) checksum.getValue();
  }
}
