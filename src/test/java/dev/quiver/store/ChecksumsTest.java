package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlockChecksums;
import dev.quiver.store.blob.MemoryBlobStore;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.ByteRange;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.CompactionPolicy;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
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
      datasets.compact(DatasetTestFolder.NAME, new WriteCondition.None());
      requireChecksums(datasets, 2);
    }
  }

  /// Without checksums, nothing tells whether the data is whole: only bytes that nothing reads here
  /// are still sent.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readsNoDataWhoseSidecarIsLostOrBroken(boolean broken) throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    data.put(AppendCostTest.stream(0, 3));
    String sidecar = StoreKeys.sidecar(data.dataKeys().getFirst());
    data.store.delete(sidecar);
    if (broken) {
      data.store.putIfAbsent(sidecar, MemorySegment.ofArray(new byte[100]));
    }
    assertThatThrownBy(data::file)
        .isInstanceOf(DamagedBlobException.class)
        .hasMessage(
            "Expected the bytes of data@1 as they were stored but found damaged ones at byte offset 0 of blob "
                + sidecar);
    assertThatThrownBy(() -> append(data.datasets, 3)).hasMessageEndingWith(sidecar);
    assertThatThrownBy(
            () -> data.datasets.compact(DatasetTestFolder.NAME, new WriteCondition.None()))
        .hasMessageEndingWith(sidecar);
    data.put(AppendCostTest.stream(0, 3));
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
      String message =
          "Expected the bytes of data@2 as they were stored but found damaged ones at byte offset .* of blob "
              + manifest;
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
        UploadData.Source.of(
            ByteSource.of(MemorySegment.ofArray(AppendCostTest.stream(first, 3))),
            BodyFormat.STREAM),
        new WriteCondition.None(),
        UploadOptions.DEFAULT,
        null);
  }

  @Test
  void blocksEndAtEdgesAndFindEveryFlippedBit() {
    byte[] bytes = new byte[3 << 20];
    new Random(2).nextBytes(bytes);
    BlockChecksums checksums = of(bytes);
    assertThat(blocks(checksums)).hasSize(1 + (3 << 4));
    assertThat(checksums.of(0, 100)).isEqualTo(checksum(Arrays.copyOf(bytes, 100)));
    assertThat(checksums.of(100, bytes.length - 100))
        .isEqualTo(checksum(Arrays.copyOfRange(bytes, 100, bytes.length)));
    assertThat(checksums.of(1, 99)).isNull();
    assertThat(checksums.of(0, 99)).isNull();
    for (int position : new int[] {0, 99, 100, 1 << 20, bytes.length - 1}) {
      bytes[position] ^= 4;
      assertThat(blocks(of(bytes)).stream().filter(block -> !blocks(checksums).contains(block)))
          .singleElement()
          .satisfies(block ->
              assertThat((long) position)
                  .isBetween(block.byteOffset(), block.byteOffset() + block.byteSize() - 1));
      bytes[position] ^= 4;
    }
  }

  /// Small messages share a block, and the blocks of a large blob take little memory.
  @Test
  void blocksAreNeitherSmallNorMany() {
    BlockChecksums.Builder builder = new BlockChecksums.Builder();
    MemorySegment message = MemorySegment.ofArray(new byte[5000]);
    for (int i = 0; i < 100; i++) {
      builder.boundary();
      builder.update(message);
    }
    assertThat(builder.build().count()).isEqualTo(25);
    builder.moveTo(5L << 30);
    MemorySegment large = MemorySegment.ofArray(new byte[1 << 20]);
    builder.update(large);
    builder.update(large);
    assertThat(blocks(builder.build()).reversed().get(1).byteSize()).isEqualTo(256 << 10);
  }

  /// A message starts and ends anywhere in its blocks.
  @Test
  void findsTheChecksumOfARangeWhileBlocksEnd() {
    byte[] bytes = new byte[1 << 20];
    Random random = new Random(3);
    random.nextBytes(bytes);
    BlockChecksums.Builder builder = new BlockChecksums.Builder();
    int marked = 0;
    for (int position = 0; position < bytes.length; ) {
      int count = Math.min(random.nextInt(100_000), bytes.length - position);
      if (random.nextBoolean()) {
        builder.mark();
        marked = position;
      }
      builder.update(MemorySegment.ofArray(bytes).asSlice(position, count));
      position += count;
      if (random.nextInt(4) == 0) {
        builder.edge();
      }
      byte[] range = Arrays.copyOfRange(bytes, marked, position);
      assertThat(builder.sinceMark()).isEqualTo(checksum(range));
    }
  }

  private static List<BlockChecksums.Block> blocks(BlockChecksums checksums) {
    return IntStream.range(0, checksums.count()).mapToObj(checksums::block).toList();
  }

  private static BlockChecksums of(byte[] bytes) {
    BlockChecksums.Builder builder = new BlockChecksums.Builder();
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
