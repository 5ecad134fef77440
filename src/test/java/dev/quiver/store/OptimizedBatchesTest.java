package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Level;
import dev.quiver.store.file.BatchEntry;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The batches of uploads: large ones are split, small ones are coalesced, and the others are kept.
final class OptimizedBatchesTest {

  private static final Field FIELD = Field.of("number", false, new ArrowType.Int(64, true));
  private static final Schema SCHEMA = Schema.of(FIELD);

  /// The number of rows in a body of 64 KiB.
  private static final int SMALL = 8 << 10;

  /// The number of rows in a body of 64 MiB.
  private static final int LARGE = 8 << 20;

  @TempDir private Path folder;
  private DatasetTestFolder data;

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  @Test
  void coalescesSmallBatchesInOrder() throws IOException {
    data.put(stream(Codec.NONE, 3, 0, SMALL - 8, SMALL, 5, 6), UploadOptions.DEFAULT);
    assertRows(3 + SMALL - 8, SMALL, 11);
  }

  @Test
  void preservesBatchesOnRequest() throws IOException {
    byte[] stream = stream(Codec.NONE, 3, 0, 4);
    data.put(stream, UploadOptions.KEEP);
    assertThat(data.stream()).isEqualTo(stream);
  }

  @Test
  void coalescedBatchKeepsItsCodec() throws IOException {
    data.put(stream(Codec.ZSTD, 3, 4), UploadOptions.DEFAULT);
    assertRows(7);
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.batches(0, 1).getFirst().codec()).isEqualTo(Codec.ZSTD);
    }
  }

  @Test
  void coalescesUpToTheConfiguredSize() throws IOException {
    DatasetOptions options =
        new DatasetOptions(
            Limits.DEFAULT,
            DatasetOptions.DEFAULT.requestBytes(),
            DatasetOptions.DEFAULT.inFlight(),
            DatasetOptions.DEFAULT.uploadDictionaryBytes(),
            80,
            Level.VALUES);
    data = new DatasetTestFolder(folder, options);
    data.put(stream(Codec.NONE, 4, 6, 1, 9, 3), UploadOptions.DEFAULT);
    assertRows(10, 10, 3);
  }

  @Test
  void doesNotCoalesceBatchesWithCustomMetadata() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(SCHEMA);
    Metadata metadata = Metadata.of(KeyValue.of("key", "value"));
    for (Metadata each : List.of(metadata, Metadata.EMPTY, metadata)) {
      EncodedBody body = EncodedBody.of(1, List.of(numbers(0, 1)), Codec.NONE, Arena.ofAuto());
      writer.writeRecordBatch(body, each);
    }
    writer.writeEndOfStream();
    byte[] stream = bytes.toByteArray();
    data.put(stream, UploadOptions.DEFAULT);
    assertThat(data.stream()).isEqualTo(stream);
  }

  @Test
  void splitsLargeBatches() throws IOException {
    data.put(stream(Codec.NONE, LARGE), UploadOptions.DEFAULT);
    assertRows(LARGE);
    data.put(stream(Codec.NONE, LARGE + 8), UploadOptions.DEFAULT);
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.summary().file().rows()).isEqualTo(LARGE + 8);
      assertThat(snapshot.batches(0, 100))
          .hasSizeBetween(8, 9)
          .allSatisfy(
              batch -> assertThat(batch.block().bodyLength()).isBetween(4L << 20, 12L << 20));
    }
    assertNumbers();
    data.assertNoTemporaryFiles();
  }

  @Test
  void neitherCoalescesNorSplitsOverlappingBuffers() throws IOException {
    assertThat(data.put(pairs(2, 3, true), UploadOptions.DEFAULT).file().batches()).isEqualTo(2);
    assertThat(data.put(pairs(2, 3, false), UploadOptions.DEFAULT).file().batches()).isEqualTo(1);

    assertThat(data.put(pairs(1, LARGE, true), UploadOptions.DEFAULT).file().batches())
        .isEqualTo(1);
    assertThat(data.put(pairs(1, LARGE / 2 + 8, false), UploadOptions.DEFAULT).file().batches())
        .isGreaterThan(1);
  }

  @Test
  void coalescesBatchesBetweenReplacedDictionaries() throws IOException {
    Field field =
        Field.of("color", false, new ArrowType.Utf8())
            .withDictionary(new DictionaryEncoding(1, new ArrowType.Int(8, true), false));
    Schema schema = Schema.of(field);
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(schema);
    for (String color : List.of("red", "green", "blue")) {
      ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto(), Map.of(1L, List.of(color)));
      RecordBatch batch = builder.recordBatch(schema, 2, List.of(List.of(color, color)));
      ArrayData values = Objects.requireNonNull(batch.columns().getFirst().dictionary());
      writer.writeDictionary(1, EncodedBody.of(1, List.of(values), Codec.NONE, Arena.ofAuto()));
      writer.writeRecordBatch(
          EncodedBody.of(2, batch.columns(), Codec.NONE, Arena.ofAuto()), Metadata.EMPTY);
    }
    writer.writeEndOfStream();
    data.put(bytes.toByteArray(), UploadOptions.DEFAULT);
    FileReader reader =
        new FileReader(MemorySegment.ofArray(data.file()), Limits.DEFAULT, Arena.ofAuto());
    assertThat(reader.batchCount()).isEqualTo(1);
    assertThat(Values.of(reader.batch(0).columns().getFirst()))
        .containsExactly("red", "red", "green", "green", "blue", "blue");
  }

  private void assertRows(long... rows) throws IOException {
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.batches(0, 100)).extracting(BatchEntry::rows).containsExactly(box(rows));
    }
    assertNumbers();
  }

  /// Checks that the numbers count up from 0, over all batches.
  private void assertNumbers() throws IOException {
    FileReader reader =
        new FileReader(MemorySegment.ofArray(data.file()), Limits.DEFAULT, Arena.ofAuto());
    long expected = 0;
    for (int i = 0; i < reader.batchCount(); i++) {
      RecordBatch batch = reader.batch(i);
      Array.FixedWidth numbers = (Array.FixedWidth) Array.of(batch.columns().getFirst());
      for (long row = 0; row < batch.length(); row++, expected++) {
        if (numbers.integer(row) != expected) {
          assertThat(numbers.integer(row)).as("row " + row + " of batch " + i).isEqualTo(expected);
        }
      }
    }
    try (Snapshot snapshot = data.open()) {
      assertThat(expected).isEqualTo(snapshot.summary().file().rows());
    }
  }

  private static Long[] box(long... values) {
    return LongStream.of(values).boxed().toArray(Long[]::new);
  }

  private static byte[] stream(Codec codec, int... rows) throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, SCHEMA, codec);
    long start = 0;
    for (int count : rows) {
      writer.write(new RecordBatch(SCHEMA, count, List.of(numbers(start, count))));
      start += count;
    }
    writer.close();
    return bytes.toByteArray();
  }

  /// Returns a stream of batches with two columns of zeros.
  private static byte[] pairs(int batchCount, int rows, boolean overlapping) throws IOException {
    Schema schema = Schema.of(FIELD, FIELD);
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(schema);
    long byteSize = 8L * rows;
    // The second column overlaps the first, or follows it.
    Buffer second = new Buffer(overlapping ? 8 : byteSize, byteSize);
    MemorySegment body = MemorySegment.ofArray(new byte[(int) (second.offset() + byteSize)]);
    RecordBatchHeader header =
        new RecordBatchHeader(
            rows,
            List.of(new FieldNode(rows, 0), new FieldNode(rows, 0)),
            List.of(new Buffer(0, 0), new Buffer(0, byteSize), new Buffer(0, 0), second),
            null,
            List.of());
    for (int i = 0; i < batchCount; i++) {
      writer.write(header, Metadata.EMPTY, body.byteSize());
      writer.write(body);
    }
    writer.writeEndOfStream();
    return bytes.toByteArray();
  }

  private static ArrayData numbers(long start, int count) {
    if (count == 0) {
      return new ArrayBuilder(Arena.ofAuto()).array(FIELD, List.of());
    }
    MemorySegment values = Arena.ofAuto().allocate(8L * count, 8);
    for (int i = 0; i < count; i++) {
      LittleEndian.setInt64(values, 8L * i, start + i);
    }
    return new ArrayData(FIELD, count, 0, List.of(MemorySegment.NULL, values), List.of(), null);
  }
}
