package dev.quiver.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.SampleStreams;
import dev.quiver.store.file.BatchEntry;
import dev.quiver.store.version.DamagedBlobException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Decoding of a version's batches, large and small, in any order.
class DecodedBatchesTest {

  /// Enough rows for a body that is mapped.
  private static final int LARGE = 100_000;

  @TempDir private Path folder;
  private DatasetTestFolder data;

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  private static List<List<@Nullable Object>> values(RecordBatch batch) {
    return batch.columns().stream().map(Values::of).toList();
  }

  @ParameterizedTest
  @EnumSource
  void decodesEachBatchWithItsDictionary(Codec codec) throws IOException {
    data.put(SampleStreams.stream(codec, 3, LARGE, 0, 5));
    try (Snapshot snapshot = data.open();
        DecodedBatches batches = snapshot.decodedBatches()) {
      assertThat(batches.count()).isEqualTo(4);
      for (int index : new int[] {1, 0, 3, 2, 1}) {
        int rows = new int[] {3, LARGE, 0, 5}[index];
        assertThat(values(batches.read(index)))
            .isEqualTo(values(SampleStreams.batch(SampleStreams.builder(), rows)));
      }
      assertThatThrownBy(() -> batches.read(4)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void leavesNoScratchFileBehind() throws IOException {
    data.put(SampleStreams.stream(Codec.ZSTD, LARGE));
    try (Snapshot snapshot = data.open();
        DecodedBatches batches = snapshot.decodedBatches()) {
      batches.read(0);
    }
    try (var files = Files.list(data.store.scratchFolder())) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void reportsDamagedDataAsAStorageFailure() throws IOException {
    data.put(SampleStreams.stream(Codec.ZSTD, 1000));
    BatchEntry batch;
    try (Snapshot snapshot = data.open()) {
      batch = snapshot.batches(0, 1).getFirst();
    }
    Path file =
        Objects.requireNonNull(data.store.localPath(data.store.list("data/", null, 1).getFirst()));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(
          ByteBuffer.wrap(new byte[(int) batch.block().bodyLength()]),
          batch.block().offset() + batch.block().metaDataLength());
    }
    try (Snapshot snapshot = data.open();
        DecodedBatches batches = snapshot.decodedBatches()) {
      assertThatThrownBy(() -> batches.read(0))
          .isInstanceOf(DamagedBlobException.class)
          .hasMessageContaining("of data@1 as they were stored");
    }
  }
}
