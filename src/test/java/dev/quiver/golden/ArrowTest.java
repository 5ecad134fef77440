package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.Arrow;
import dev.quiver.arrow.Arrow.Compression;
import dev.quiver.arrow.ArrowFile;
import dev.quiver.arrow.ArrowReader;
import dev.quiver.arrow.ArrowWriter;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.DictionaryStream;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.Version4;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.validate.Finding;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Rule;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The façade of the tier `arrow`.
class ArrowTest {

  private static final Field TEXT = Field.of("text", true, new ArrowType.Utf8());
  private static final Field NUMBER = Field.of("number", true, new ArrowType.Int(32, true));
  private static final Field ENCODED =
      TEXT.withDictionary(new DictionaryEncoding(7, new ArrowType.Int(8, true), false));

  @TempDir private Path folder;

  private static byte[] stream(Schema schema, List<RecordBatch> batches, Compression compression)
      throws IOException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (ArrowWriter writer = Arrow.writeStream(output, schema, compression)) {
      write(writer, batches);
    }
    return output.toByteArray();
  }

  private Path file(Schema schema, List<RecordBatch> batches, Compression compression)
      throws IOException {
    Path path = folder.resolve("data.arrow");
    try (ArrowWriter writer = Arrow.writeFile(Files.newOutputStream(path), schema, compression)) {
      write(writer, batches);
    }
    return path;
  }

  private static void write(ArrowWriter writer, List<RecordBatch> batches) throws IOException {
    for (RecordBatch batch : batches) {
      writer.write(batch);
    }
    writer.finish();
  }

  private static ArrowReader read(byte[] stream) throws IOException {
    return Arrow.read(new ByteArrayInputStream(stream));
  }

  private static Decoded decoded(ArrowReader reader) {
    List<List<List<@Nullable Object>>> batches = new ArrayList<>();
    reader.forEach(batch -> {
      assertThat(batch.schema().fields()).isEqualTo(reader.schema().fields());
      batches.add(Decoded.values(batch));
    });
    return new Decoded(reader.schema(), batches);
  }

  private static byte[] bytes(MemorySegment segment) {
    return segment.toArray(LittleEndian.INT8);
  }

  private static RecordBatch batch(Schema schema, List<?>... columns) {
    return new ArrayBuilder(Arena.ofAuto(), Map.of(7L, List.of("x", "y", "z")))
        .recordBatch(schema, columns[0].size(), List.of(columns));
  }

  /// Returns a batch whose text is not UTF-8.
  private static RecordBatch invalid() {
    Schema schema = Schema.of(NUMBER, TEXT);
    RecordBatch batch = batch(schema, List.of(1, 2), List.of("a", "b"));
    batch.columns().get(1).buffers().get(2).set(LittleEndian.INT8, 1, (byte) 0xFF);
    return batch;
  }

  @Test
  @Tag("random")
  void readsWhatItWrites() throws IOException {
    for (int seed : Trials.seeds(300)) {
      try (Arena arena = Arena.ofConfined()) {
        Written written = Written.random(seed, 4, arena);
        Compression compression = Compression.values()[seed % 3];
        Schema schema = written.schema();
        decoded(read(stream(schema, written.batches(), compression)))
            .assertHolds(written.expected(), "stream " + seed);
        try (ArrowFile file = Arrow.open(file(schema, written.batches(), compression))) {
          assertThat(file.batchCount()).isEqualTo(written.batches().size());
          assertThat(file.metadata()).isEqualTo(Metadata.EMPTY);
          for (int i = file.batchCount() - 1; i >= 0; i--) {
            assertThat(Decoded.values(file.batch(i)))
                .isEqualTo(written.expected().batches().get(i));
          }
          decoded(file).assertHolds(written.expected(), "file " + seed);
        }
      }
    }
  }

  @Test
  void readsAndWritesEveryKindOfArray() throws IOException {
    for (ArrayKind kind : ArrayKind.ALL) {
      try (Arena arena = Arena.ofConfined()) {
        RandomData data = new RandomData(1);
        Schema schema = Schema.of(kind.field("a", true, data), kind.field("b", true, data));
        Written written = Written.of(schema, data, new int[] {9, 0, 3}, arena);
        Decoded stream = decoded(read(stream(schema, written.batches(), Compression.ZSTD)));
        stream.assertHolds(written.expected(), kind.name());
        byte[] bigEndian = bytes(BigEndian.stream(schema, written.batches(), Codec.LZ4));
        decoded(read(bigEndian)).assertHolds(written.expected(), "big-endian " + kind.name());
        byte[] version4 = Version4.of(bytes(written.stream(Codec.LZ4)));
        ArrowReader selected = read(version4).select("b");
        assertThat(decoded(selected).batches())
            .as("V4 %s", kind.name())
            .isEqualTo(written.expected().batches().stream().map(b -> b.subList(1, 2)).toList());
      }
    }
  }

  @Test
  @Tag("random")
  void selectsColumnsOfStreamsAndFiles() throws IOException {
    for (int seed : Trials.seeds(300)) {
      try (Arena arena = Arena.ofConfined()) {
        Written written = Written.random(seed, 3, arena);
        int count = written.schema().fields().size();
        List<Integer> columns =
            new Random(seed).ints(2, 0, Math.max(count, 1)).boxed().distinct().toList();
        String[] tokens = columns.stream().map(i -> "[" + i + "]").toArray(String[]::new);
        if (count == 0) {
          continue;
        }
        List<List<List<@Nullable Object>>> expected = new ArrayList<>();
        for (List<List<@Nullable Object>> batch : written.expected().batches()) {
          expected.add(columns.stream().map(batch::get).toList());
        }
        Codec codec = Codec.values()[seed % 3];
        byte[] bigEndian = bytes(BigEndian.stream(written.schema(), written.batches(), codec));
        for (byte[] stream : List.of(bytes(written.stream(codec)), bigEndian)) {
          assertThat(decoded(read(stream).select(tokens)).batches())
              .as("stream %d", seed)
              .isEqualTo(expected);
        }
        Path path = Files.write(folder.resolve("data.arrow"), bytes(written.file(codec)));
        try (ArrowFile file = Arrow.open(path).select(tokens)) {
          assertThat(decoded(file).batches()).as("file %d", seed).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void selectsFieldsOfStructsAndNamesTheNearestColumn() throws IOException {
    Schema schema = Schema.of(Field.of("a,b", true, new ArrowType.Struct(), NUMBER, TEXT), NUMBER);
    List<RecordBatch> batches = List.of(batch(schema, List.of(List.of(1, "x")), List.of(3)));
    ArrowReader reader =
        read(stream(schema, batches, Compression.LZ4)).select("number", "\"a,b\".text");
    assertThat(reader.schema().fields().get(1).children()).containsExactly(TEXT);
    assertThat(decoded(reader).batches())
        .isEqualTo(List.of(List.of(List.of(3L), List.of(List.of("x")))));
    assertThatThrownBy(() -> reader.select("number")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> read(stream(schema, batches, Compression.LZ4)).select("numbr"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the nearest is \"number\"");
  }

  @Test
  void keepsReplacedAndExtendedDictionariesOfStreams() throws IOException {
    DictionaryStream data = new DictionaryStream(ENCODED);
    data.dictionary(7, false, List.of("a", "b"));
    data.batch(0, 1);
    data.dictionary(7, true, List.of("c"));
    data.batch(2, 0);
    data.dictionary(7, false, List.of("d"));
    data.batch(0);
    List<List<List<Object>>> expected =
        List.of(List.of(List.of("a", "b")), List.of(List.of("c", "a")), List.of(List.of("d")));
    List<RecordBatch> batches = new ArrayList<>();
    byte[] stream = data.stream();
    byte[] ended = Arrays.copyOf(stream, stream.length + 8);
    Arrays.fill(ended, stream.length, stream.length + 4, (byte) 0xFF);
    ArrowReader reader = read(ended);
    reader.forEach(batches::add);
    assertThat(batches.stream().map(Decoded::values).toList()).isEqualTo(expected);
    // Batches outlive their reader and later dictionaries.
    assertThat(decoded(read(stream(reader.schema(), batches, Compression.NONE))).batches())
        .isEqualTo(expected);
    assertThatThrownBy(() -> file(reader.schema(), batches, Compression.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void rejectsInvalidBatchesWithTheirPlace() throws IOException {
    RecordBatch invalid = invalid();
    byte[] stream = stream(invalid.schema(), List.of(invalid), Compression.NONE);
    assertThatThrownBy(() -> decoded(read(stream)))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining("message 1, byte offset ")
        .hasMessageContaining("field text")
        .extracting(e -> ((InvalidDataException) e).findings().getFirst().rule())
        .isEqualTo(Rule.UTF8);
    assertThat(read(stream).validate(Level.OFFSETS)).hasSize(1);
    assertThat(read(stream).select("number")).hasSize(1);
    Path file = file(invalid.schema(), List.of(invalid), Compression.LZ4);
    try (ArrowFile reader = Arrow.open(file)) {
      assertThatThrownBy(() -> reader.batch(0)).isInstanceOf(InvalidDataException.class);
    }
    try (ArrowFile reader = Arrow.open(file).validate(Level.LAYOUT)) {
      assertThat(reader.batch(0).length()).isEqualTo(2);
    }
    assertThat(Arrow.validate(invalid, Level.VALUES))
        .extracting(Finding::rule)
        .containsExactly(Rule.UTF8);
    assertThat(Arrow.validate(invalid, Level.OFFSETS)).isEmpty();
  }

  @Test
  void validatesDictionariesAndSchemas() throws IOException {
    Schema schema = Schema.of(ENCODED);
    RecordBatch batch = batch(schema, List.of("x", "z"));
    byte[] valid = stream(schema, List.of(batch), Compression.NONE);
    ArrayData dictionary = Objects.requireNonNull(batch.columns().getFirst().dictionary());
    dictionary.buffers().get(2).set(LittleEndian.INT8, 2, (byte) 0xFF);
    assertThat(Arrow.validate(batch, Level.VALUES))
        .extracting(Finding::rule)
        .containsExactly(Rule.UTF8);
    assertThat(decoded(read(valid)).batches()).hasSize(1);
    byte[] invalid = stream(schema, List.of(batch), Compression.NONE);
    assertThatThrownBy(() -> decoded(read(invalid)))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining("dictionary 7");

    Schema zone =
        Schema.of(
            NUMBER.withMetadata(Metadata.EMPTY),
            Field.of("at", true, new ArrowType.Timestamp(TimeUnit.SECOND, "Nowhere/At_All")));
    assertThat(Arrow.validate(zone, Level.DOMAIN))
        .extracting(Finding::rule)
        .containsExactly(Rule.TIMEZONE);
    byte[] empty = stream(zone, List.of(), Compression.NONE);
    assertThat(decoded(read(empty)).batches()).isEmpty();
    assertThatThrownBy(() -> decoded(read(empty).validate(Level.DOMAIN)))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining("field at");
    assertThat(decoded(read(empty).validate(Level.DOMAIN).select("number")).batches()).isEmpty();
  }

  @Test
  void reportsEveryTruncation() throws IOException {
    Schema schema = Schema.of(NUMBER, ENCODED);
    RecordBatch batch = batch(schema, List.of(1, 2), List.of("y", "x"));
    byte[] stream = stream(schema, List.of(batch, batch), Compression.NONE);
    for (int length = 0; length < stream.length; length++) {
      byte[] truncated = Arrays.copyOf(stream, length);
      assertThatThrownBy(() -> decoded(read(truncated)))
          .as("%d bytes", length)
          .isInstanceOf(InputException.class);
    }
    byte[] file = Files.readAllBytes(file(schema, List.of(batch), Compression.NONE));
    for (int length = 0; length < file.length; length++) {
      Path truncated = Files.write(folder.resolve("cut.arrow"), Arrays.copyOf(file, length));
      assertThatThrownBy(() -> Arrow.open(truncated))
          .as("%d bytes", length)
          .isInstanceOf(InputException.class);
    }
  }

  @Test
  void allocatesNothingForABodyThatOnlyItsLengthDeclares() throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    MessageWriter messages = new MessageWriter(sink);
    messages.writeSchema(Schema.of());
    var header = new RecordBatchHeader(0, List.of(), List.of(), null, List.of());
    messages.write(header, Metadata.EMPTY, 8L << 30);
    assertThatThrownBy(() -> decoded(read(bytes(sink.written()))))
        .isInstanceOf(TruncatedInputException.class)
        .hasMessageContaining("message 1");
  }

  @Test
  void readsBodiesThatAreLargerThanTheFirstAllocation() throws IOException {
    Schema schema = Schema.of(Field.of("large", false, new ArrowType.Binary()));
    byte[] large = new byte[40 << 20];
    new Random(3).nextBytes(large);
    RecordBatch batch = batch(schema, List.of(ByteString.of(large)));
    byte[] stream = stream(schema, List.of(batch), Compression.NONE);
    RecordBatch read = read(stream).iterator().next();
    assertThat(bytes(read.columns().getFirst().buffers().get(2))).isEqualTo(large);
  }

  @Test
  void keepsToLimits() throws IOException {
    Schema schema = Schema.of(NUMBER);
    byte[] stream = stream(schema, List.of(batch(schema, List.of(1, 2, 3))), Compression.NONE);
    Limits limits = Limits.of(1 << 20, 1 << 20, 2, 10, 3, 1 << 20, 10, 10);
    assertThatThrownBy(() -> decoded(Arrow.read(new ByteArrayInputStream(stream), limits)))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("batch-rows");
    Path file = file(schema, List.of(batch(schema, List.of(1, 2, 3))), Compression.NONE);
    try (ArrowFile reader = Arrow.open(file, limits)) {
      assertThatThrownBy(() -> reader.batch(0)).isInstanceOf(TooLargeInputException.class);
    }
  }

  @Test
  void rejectsOtherFormats() throws IOException {
    byte[] file = Files.readAllBytes(file(Schema.of(NUMBER), List.of(), Compression.NONE));
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(UnsupportedInputException.class)
        .hasMessageContaining("opened by its path");
    assertThatThrownBy(() -> read("PAR1 and so on".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(UnsupportedInputException.class)
        .hasMessageContaining("a Parquet file");
  }

  @Test
  void rejectsASecondDictionaryInAFile() throws IOException {
    DictionaryStream data = new DictionaryStream(ENCODED);
    data.dictionary(7, false, List.of("a"));
    data.dictionary(7, false, List.of("b"));
    data.batch(0);
    Path path = Files.write(folder.resolve("twice.arrow"), data.file());
    try (ArrowFile file = Arrow.open(path)) {
      for (int attempt = 1; attempt <= 2; attempt++) {
        assertThatThrownBy(() -> file.batch(0))
            .isInstanceOf(MalformedInputException.class)
            .hasMessageContaining("a second one at message 2,");
      }
    }
  }

  @Test
  void tellsUnfinishedFromFinishedData() throws IOException {
    Schema schema = Schema.of(NUMBER);
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (ArrowWriter writer = Arrow.writeStream(output, schema, Compression.NONE)) {
      writer.write(batch(schema, List.of(1)));
    }
    assertThatThrownBy(() -> decoded(read(output.toByteArray())))
        .isInstanceOf(TruncatedInputException.class)
        .hasMessageContaining("end-of-stream marker");
    try (ArrowWriter writer = Arrow.writeStream(output, schema, Compression.NONE)) {
      RecordBatch other = batch(Schema.of(TEXT), List.of("a"));
      assertThatThrownBy(() -> writer.write(other)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void closesItsInput() throws IOException {
    Schema schema = Schema.of(NUMBER);
    AtomicBoolean closed = new AtomicBoolean();
    byte[] stream = stream(schema, List.of(), Compression.NONE);
    ArrowReader reader =
        Arrow.read(
            new ByteArrayInputStream(stream) {
              @Override
              public void close() {
                closed.set(true);
              }
            });
    var batches = reader.iterator();
    assertThat(batches.hasNext()).isFalse();
    assertThatThrownBy(batches::next).isInstanceOf(NoSuchElementException.class);
    reader.close();
    assertThat(closed).isTrue();

    ArrowFile file = Arrow.open(file(schema, List.of(batch(schema, List.of(1))), Compression.NONE));
    RecordBatch batch = file.batch(0);
    assertThatThrownBy(() -> file.batch(1)).isInstanceOf(IndexOutOfBoundsException.class);
    file.close();
    file.close();
    assertThatThrownBy(() -> Decoded.values(batch)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void passesOnFailuresOfTheInput() throws IOException {
    Schema schema = Schema.of(NUMBER);
    byte[] stream = stream(schema, List.of(batch(schema, List.of(1))), Compression.NONE);
    ArrowReader reader =
        Arrow.read(
            new ByteArrayInputStream(stream) {
              @Override
              public int read(byte[] bytes, int offset, int length) {
                int read = super.read(bytes, offset, Math.min(length, 1));
                if (pos > stream.length / 2) {
                  throw new UncheckedIOException(new IOException("broken"));
                }
                return read;
              }
            });
    assertThatThrownBy(() -> decoded(reader)).hasMessageContaining("broken");
  }
}
