package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.LegacyFraming;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.arrow.ipc.Version4;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.arrow.validate.Rule;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The stored form of uploads, and their rejection. Canonical bytes are stored unchanged, others
/// are rewritten. `IngestLimitsTest` covers limits, `StoredGoldenFilesTest` real files.
@Tag("random")
class IngestTest {

  private static final Schema NUMBERS = Schema.of(Field.of("n", true, SampleStreams.INT32));

  @TempDir private Path folder;
  private DatasetTestFolder data;

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void storesACanonicalStreamByteForByte(Codec codec) throws IOException {
    byte[] stream = SampleStreams.stream(codec, 3, 0, 20);
    VersionSummary summary = data.put(stream);
    assertThat(data.stream()).isEqualTo(stream);
    assertThat(summary.file().codec()).isEqualTo(codec);
    assertThat(summary.file().rows()).isEqualTo(23);
    assertThat(summary.file().batches()).isEqualTo(3);
    byte[] file = data.file();
    assertThat(summary.file().byteSize()).isEqualTo(file.length);
    assertThat(Arrays.copyOf(file, 8)).containsExactly('A', 'R', 'R', 'O', 'W', '1', 0, 0);
    assertThat(data.store.localPath(data.store.list("data/", null, 1).getFirst()))
        .isNotNull()
        .hasBinaryContent(file);
    try (Arena arena = Arena.ofConfined()) {
      FileReader reader = new FileReader(MemorySegment.ofArray(file), Limits.DEFAULT, arena);
      assertThat(reader.footer().version()).isEqualTo(MetadataVersion.V5);
      assertThat(reader.footer().dictionaries()).hasSize(1);
      assertThat(reader.schema()).isEqualTo(SampleStreams.SCHEMA);
      ArrayBuilder builder = SampleStreams.builder();
      for (int i = 0; i < 3; i++) {
        RecordBatch expected = SampleStreams.batch(builder, List.of(3, 0, 20).get(i));
        assertThat(values(reader.batch(i))).isEqualTo(values(expected));
      }
      assertThat(reader.footer().customMetadata())
          .isEqualTo(
              Metadata.of(
                  KeyValue.of("__POLARS_IPC_METADATA", "{\"record_batch_cum_len\":[3,3,23]}")));
    }
  }

  /// Bodies larger than one buffer take another code path.
  @ParameterizedTest
  @EnumSource(Codec.class)
  void storesLargeBodiesByteForByte(Codec codec) throws IOException {
    byte[] stream = numbers(codec, 1 << 20, 5, 1 << 20);
    data.put(stream);
    assertThat(data.stream()).isEqualTo(stream);
  }

  @Test
  void acceptsAStreamThatArrivesInSmallParts() throws IOException {
    byte[] stream = SampleStreams.stream(3, 4);
    Bytes bytes = new Bytes().bytes(stream);
    data.datasets.put(
        DatasetTestFolder.NAME, bytes.slowSource(), BodyFormat.STREAM, new WriteCondition.None());
    assertThat(data.stream()).isEqualTo(stream);
  }

  @Test
  void acceptsAStreamWithoutBatches() throws IOException {
    byte[] stream = SampleStreams.stream();
    VersionSummary summary = data.put(stream);
    assertThat(data.stream()).isEqualTo(stream);
    assertThat(summary.file().batches()).isZero();
  }

  @Test
  void addsAMissingEndOfStreamAndWarns() throws IOException {
    byte[] stream = SampleStreams.stream(3);
    int end = stream.length - 8;
    assertThat(warnings(Arrays.copyOf(stream, end)))
        .containsExactly(
            "Expected the end-of-stream marker but found the end of the body at byte offset "
                + end);
    assertThat(data.stream()).isEqualTo(stream);
  }

  @Test
  void dropsZerosAfterTheEndAndWarns() throws IOException {
    byte[] stream = SampleStreams.stream(3);
    assertThat(warnings(stream)).isEmpty();
    assertThat(warnings(Arrays.copyOf(stream, stream.length + 57)))
        .containsExactly(
            "Expected the end of the body after the end-of-stream marker but found 57 bytes of"
                + " zero at byte offset "
                + stream.length);
    assertThat(data.stream()).isEqualTo(stream);
  }

  @Test
  void rejectsOtherBytesAfterZeros() throws IOException {
    byte[] stream = SampleStreams.stream(3);
    assertRejected(
        new Bytes().bytes(stream).bytes(new byte[20]).bytes((byte) 1).toByteArray(),
        MalformedInputException.class,
        "Expected the end of the input after the end of the stream but found more bytes at"
            + " byte offset "
            + (stream.length + 20));
  }

  @Test
  void rejectsEveryTruncationWithinAMessage() throws IOException {
    byte[] stream = SampleStreams.stream(3, 4);
    int accepted = 0;
    for (int length = 0; length < stream.length; length++) {
      try {
        data.put(Arrays.copyOf(stream, length), BodyFormat.STREAM);
        accepted++;
        data = new DatasetTestFolder(folder.resolve("next" + length));
      } catch (TruncatedInputException e) {
        data.assertEmpty();
      }
    }
    assertThat(accepted).as("after the schema, the dictionary and each batch").isEqualTo(4);
  }

  /// A rejected upload leaves nothing behind.
  @Test
  void storesOrRejectsEveryMutation() throws IOException {
    byte[] stream = SampleStreams.stream(Codec.LZ4, 3, 4);
    int accepted = 0;
    for (int i = 0; i < stream.length; i += Trials.stride()) {
      byte[] mutated = stream.clone();
      mutated[i] ^= (byte) (i % 2 == 0 ? 0xFF : 0x01);
      try {
        data.put(mutated, BodyFormat.STREAM);
        accepted++;
        try (Snapshot snapshot = data.open()) {
          snapshot.batches(0, 10);
          snapshot.dictionaries();
        }
      } catch (InputException | InvalidDataException | UnsupportedFormatException e) {
        data.assertNoTemporaryFiles();
      }
    }
    assertThat(accepted).isLessThan(stream.length / 2);
    assertThat(data.dataKeys()).hasSize(accepted);
  }

  @Test
  void rejectsASecondStream() throws IOException {
    byte[] stream = SampleStreams.stream(3);
    byte[] twice = new Bytes().bytes(stream).bytes(stream).toByteArray();
    assertRejected(
        twice,
        UnsupportedInputException.class,
        "Expected the end of the input after the end of the stream but found a second stream at"
            + " byte offset "
            + stream.length);
  }

  @Test
  void rejectsASecondSchema() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    Block schema = writer.writeSchema(NUMBERS);
    writer.writeSchema(NUMBERS);
    assertRejected(
        bytes.toByteArray(),
        MalformedInputException.class,
        "Expected a dictionary batch or record batch but found a second schema at message 1, byte"
            + " offset "
            + schema.end());
  }

  @Test
  void storesLegacyFramingInTheCurrentForm() throws IOException {
    byte[] stream = SampleStreams.stream(3, 4);
    data.put(LegacyFraming.of(stream));
    assertThat(data.stream()).isEqualTo(stream);
  }

  @Test
  void rejectsUnknownDictionariesAndDeltasWithoutABase() throws IOException {
    assertRejected(
        dictionaries(7, true, 7, true),
        MalformedInputException.class,
        "Expected dictionary 7 before a delta to it but found only the delta");
    assertRejected(
        dictionaries(8, false, 7, false),
        MalformedInputException.class,
        "Expected the id of a dictionary of the schema, one of [7] but found 8");
  }

  @Test
  void writesAnEmptyDictionaryForABatchOfNulls() throws IOException {
    data.put(dictionaries(null, false, null, false));
    try (Arena arena = Arena.ofConfined();
        Snapshot snapshot = data.open()) {
      assertThat(snapshot.dictionaries().keySet()).containsExactly(7L);
      MemorySegment file = MemorySegment.ofArray(data.file());
      RecordBatch batch = new FileReader(file, Limits.DEFAULT, arena).batch(0);
      assertThat(Values.of(batch.columns().get(1))).isEqualTo(Collections.nCopies(2, null));
    }
  }

  @Test
  void realignsMisalignedBuffers() throws IOException {
    for (int gap : new int[] {1, 4, 12}) {
      data.put(misaligned(3, gap));
      assertThat(storedNumbers()).containsExactly(0L, 1L, 2L);
      try (Snapshot snapshot = data.open()) {
        for (Block block : snapshot.footer().recordBatches()) {
          assertThat(block.offset() % 8).isZero();
          assertThat(block.metaDataLength() % 8).isZero();
          assertThat(block.bodyLength() % 64).isZero();
        }
      }
      data.assertNoTemporaryFiles();
    }
  }

  @Test
  void realignsLargeBodies() throws IOException {
    int rows = 1 << 19;
    data.put(misaligned(rows, 4));
    List<@Nullable Object> stored = storedNumbers();
    assertThat(stored).hasSize(rows);
    assertThat(stored.getLast()).isEqualTo((long) rows - 1);
    data.assertNoTemporaryFiles();
  }

  /// Otherwise stored data could grow when it is written in another codec.
  @Test
  void separatesOverlappingBuffers() throws IOException {
    Field field = NUMBERS.fields().getFirst();
    RecordBatchHeader header =
        new RecordBatchHeader(
            1,
            List.of(new FieldNode(1, 0), new FieldNode(1, 0)),
            List.of(new Buffer(0, 0), new Buffer(0, 64), new Buffer(0, 0), new Buffer(8, 56)),
            null,
            List.of());
    byte[] body = new byte[64];
    body[0] = 1;
    body[8] = 2;
    data.put(stream(Schema.of(field, field), header, body));
    try (Arena arena = Arena.ofConfined()) {
      FileReader reader = new FileReader(MemorySegment.ofArray(data.file()), Limits.DEFAULT, arena);
      assertThat(values(reader.batch(0))).containsExactly(List.of(1L), List.of(2L));
      assertThat(reader.footer().recordBatches().getFirst().bodyLength()).isEqualTo(128);
    }
  }

  @Test
  void rejectsBuffersOutsideTheBody() throws IOException {
    for (long offset : new long[] {1, 8, 64, 1L << 62}) {
      RecordBatchHeader header =
          new RecordBatchHeader(
              1,
              List.of(new FieldNode(1, 0)),
              List.of(new Buffer(0, 0), new Buffer(offset, 64)),
              null,
              List.of());
      assertThatThrownBy(() -> data.put(stream(NUMBERS, header, new byte[64])))
          .isInstanceOf(MalformedInputException.class)
          .hasMessageStartingWith(
              "Expected a buffer within the body of 64 bytes but found offset %d and length 64 at"
                  .formatted(offset));
      data.assertEmpty();
    }
  }

  @Test
  void storesMetadataAsV5() throws IOException {
    byte[] v5 = numbers(Codec.NONE, 3);
    byte[] v4 = Version4.of(v5);
    data.put(v4);
    assertThat(storedNumbers()).containsExactly(0L, 1L, 2L);
    // The same encoder wrote the original messages, so rewriting them restores their bytes.
    assertThat(data.stream()).isEqualTo(v5);
  }

  @Test
  void rejectsDataThatViolatesARule() throws IOException {
    byte[] stream = SampleStreams.stream(3, 4);
    // The first "green" is the value of the dictionary.
    int green = new String(stream, StandardCharsets.ISO_8859_1).indexOf("green");
    stream[green + 1] = (byte) 0xFF;
    assertThatThrownBy(() -> data.put(stream))
        .isInstanceOfSatisfying(
            InvalidDataException.class,
            e -> {
              assertThat(e)
                  .hasMessage(
                      "Expected UTF-8 but found 0xff in byte 1 at slots[1], message 1, byte offset"
                          + " 240, field color, dictionary 7");
              assertThat(e.findings().getFirst().rule()).isEqualTo(Rule.UTF8);
              assertThat(e.place().messageIndex()).isEqualTo(1);
              assertThat(e.place().field()).isEqualTo("color");
            });
    data.assertEmpty();
  }

  @Test
  void rejectsIndicesIntoAMissingDictionary() throws IOException {
    byte[] stream = SampleStreams.stream(3);
    byte[] without;
    try (Snapshot snapshot = snapshotOf(stream)) {
      Block dictionary = snapshot.dictionaries().values().iterator().next();
      // Messages start 8 bytes earlier in the stream than in the file.
      int start = (int) dictionary.offset() - 8;
      without =
          new Bytes()
              .bytes(Arrays.copyOf(stream, start))
              .bytes(Arrays.copyOfRange(stream, start + (int) dictionary.byteSize(), stream.length))
              .toByteArray();
    }
    assertThatThrownBy(() -> data.put(without))
        .isInstanceOf(InvalidDataException.class)
        .hasMessage(
            "Expected a dictionary for 3 slots that are not null but found none at dictionary,"
                + " message 1, byte offset 240, field color, record batch 0");
  }

  @Test
  void keepsFooterMetadataExceptRowCounts() throws IOException {
    byte[] file = file(Metadata.of(KeyValue.of("a", "1"), KeyValue.of("a", "2")), 3, 4);
    byte[] wrongCounts =
        file(
            Metadata.of(
                KeyValue.of("__POLARS_IPC_METADATA", "{\"record_batch_cum_len\":[1,2]}"),
                KeyValue.of("quiver.record_batch_cum_len", "x"),
                KeyValue.of("b", "3")),
            3,
            4);
    KeyValue rows = KeyValue.of("__POLARS_IPC_METADATA", "{\"record_batch_cum_len\":[3,7]}");
    data.put(file);
    assertThat(storedFooterMetadata())
        .isEqualTo(Metadata.of(KeyValue.of("a", "1"), KeyValue.of("a", "2"), rows));
    data.put(wrongCounts, BodyFormat.FILE);
    assertThat(storedFooterMetadata()).isEqualTo(Metadata.of(KeyValue.of("b", "3"), rows));
  }

  @Test
  void storesTheStreamWithinAFileByteForByte() throws IOException {
    byte[] file = file(Metadata.EMPTY, 3, 4);
    byte[] stream = SampleStreams.stream(3, 4);
    data.put(file);
    assertThat(data.stream()).isEqualTo(stream);
    data.assertNoTemporaryFiles();
  }

  @Test
  void findsTheBatchesOfAFileByItsFooter() throws IOException {
    data.put(unusualFile(1));
    assertThat(data.stream()).isEqualTo(numbers(Codec.NONE, 3, 2));
  }

  @Test
  void rejectsRepeatedBlocks() throws IOException {
    byte[] file = unusualFile(3);
    assertRejected(
        file,
        MalformedInputException.class,
        "Expected Blocks of at most the "
            + file.length
            + " bytes of the file in total but found more, so some overlap at"
            + " Footer.recordBatches");
  }

  @Test
  void rejectsATruncatedFile() throws IOException {
    byte[] file = file(Metadata.EMPTY, 3);
    byte[] truncated = Arrays.copyOf(file, file.length - 1);
    assertRejected(
        truncated,
        TruncatedInputException.class,
        "Expected ARROW1 at the end of a file but found other bytes at byte offset "
            + (truncated.length - 6));
  }

  @Test
  void detectsTheFormatOfAMislabeledBody() throws IOException {
    data.put(file(Metadata.EMPTY, 3), BodyFormat.STREAM);
    data.put(SampleStreams.stream(3), BodyFormat.FILE);
    assertThat(data.stream()).isEqualTo(SampleStreams.stream(3));
  }

  /// Returns a file of two misaligned batches without a schema message. Its footer lists the
  /// batches in reverse.
  ///
  /// @param repetitions how often the footer lists each batch
  private static byte[] unusualFile(int repetitions) throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeFileHeader();
    writer.write(MemorySegment.ofArray(new byte[3]));
    ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto());
    List<Block> blocks = new ArrayList<>();
    for (int rows : new int[] {2, 3}) {
      RecordBatch batch = numberBatch(builder, rows);
      EncodedBody body = EncodedBody.of(rows, batch.columns(), Codec.NONE, Arena.ofAuto());
      blocks.addFirst(writer.writeRecordBatch(body, Metadata.EMPTY));
    }
    List<Block> repeated = new ArrayList<>();
    for (int i = 0; i < repetitions; i++) {
      repeated.addAll(blocks);
    }
    writer.writeFooter(
        new Footer(MetadataVersion.V5, NUMBERS, List.of(), repeated, Metadata.EMPTY));
    return bytes.toByteArray();
  }

  private static byte[] file(Metadata footerMetadata, int... rows) throws IOException {
    Bytes bytes = new Bytes();
    FileWriter writer = new FileWriter(bytes, SampleStreams.SCHEMA, Codec.NONE);
    ArrayBuilder builder = SampleStreams.builder();
    for (int count : rows) {
      writer.write(SampleStreams.batch(builder, count));
    }
    writer.close(footerMetadata);
    return bytes.toByteArray();
  }

  private static byte[] numbers(Codec codec, int... rows) throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, NUMBERS, codec);
    for (int count : rows) {
      writer.write(numberBatch(new ArrayBuilder(Arena.ofAuto()), count));
    }
    writer.close();
    return bytes.toByteArray();
  }

  private static RecordBatch numberBatch(ArrayBuilder builder, int rows) {
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      values.add(i);
    }
    return builder.recordBatch(NUMBERS, rows, List.of(values));
  }

  /// Returns a stream of numbers that start `gap` bytes into a body. The body's length is not a
  /// multiple of 8.
  private static byte[] misaligned(int rows, int gap) throws IOException {
    byte[] body = new byte[gap + 4 * rows + 1];
    MemorySegment source =
        numberBatch(new ArrayBuilder(Arena.ofAuto()), rows).columns().getFirst().buffers().get(1);
    MemorySegment.copy(source, 0, MemorySegment.ofArray(body), gap, 4L * rows);
    RecordBatchHeader header =
        new RecordBatchHeader(
            rows,
            List.of(new FieldNode(rows, 0)),
            List.of(new Buffer(3, 0), new Buffer(gap, 4L * rows)),
            null,
            List.of());
    return stream(NUMBERS, header, body);
  }

  private static byte[] stream(Schema schema, RecordBatchHeader header, byte[] body)
      throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(schema);
    writer.write(header, Metadata.EMPTY, body.length);
    writer.write(MemorySegment.ofArray(body));
    writer.writeEndOfStream();
    return bytes.toByteArray();
  }

  /// Returns a stream of a batch of two nulls after up to two dictionaries.
  private static byte[] dictionaries(
      @Nullable Integer firstId,
      boolean firstDelta,
      @Nullable Integer secondId,
      boolean secondDelta)
      throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(SampleStreams.SCHEMA);
    if (firstId != null) {
      writeDictionary(writer, firstId, firstDelta);
    }
    if (secondId != null) {
      writeDictionary(writer, secondId, secondDelta);
    }
    RecordBatch batch =
        SampleStreams.builder()
            .recordBatch(
                SampleStreams.SCHEMA,
                2,
                List.of(Collections.nCopies(2, null), Collections.nCopies(2, null)));
    EncodedBody body = EncodedBody.of(2, batch.columns(), Codec.NONE, Arena.ofAuto());
    writer.writeRecordBatch(body, Metadata.EMPTY);
    writer.writeEndOfStream();
    return bytes.toByteArray();
  }

  private static void writeDictionary(MessageWriter writer, long id, boolean delta)
      throws IOException {
    ArrayData values =
        new ArrayBuilder(Arena.ofAuto())
            .array(Field.of("", true, new ArrowType.Utf8()), List.of("red", "green"));
    EncodedBody body = EncodedBody.of(2, List.of(values), Codec.NONE, Arena.ofAuto());
    writer.write(
        new DictionaryBatchHeader(id, body.header(), delta), Metadata.EMPTY, body.byteSize());
    body.writeTo(writer);
  }

  private List<String> warnings(byte[] body) throws IOException {
    ByteSource source = ByteSource.of(MemorySegment.ofArray(body));
    return data.datasets
        .put(DatasetTestFolder.NAME, source, BodyFormat.STREAM, new WriteCondition.None())
        .warnings();
  }

  private Snapshot snapshotOf(byte[] body) throws IOException {
    data.put(body);
    return data.open();
  }

  private Metadata storedFooterMetadata() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment file = MemorySegment.ofArray(data.file());
      return new FileReader(file, Limits.DEFAULT, arena).footer().customMetadata();
    }
  }

  private List<@Nullable Object> storedNumbers() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment file = MemorySegment.ofArray(data.file());
      RecordBatch batch = new FileReader(file, Limits.DEFAULT, arena).batch(0);
      return Values.of(batch.columns().getFirst());
    }
  }

  private static List<List<@Nullable Object>> values(RecordBatch batch) {
    return batch.columns().stream().map(Values::of).toList();
  }

  private void assertRejected(byte[] body, Class<? extends InputException> type, String message)
      throws IOException {
    assertThatThrownBy(() -> data.put(body))
        .isInstanceOf(type)
        .message()
        .startsWith(message)
        .satisfies(
            found -> assertThat(found.substring(message.length())).doesNotContain("Expected"));
    data.assertEmpty();
  }
}
