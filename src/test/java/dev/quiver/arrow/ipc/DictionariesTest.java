package dev.quiver.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Tests that each batch keeps its dictionary, whether dictionaries are extended, replaced, late,
/// nested or in a file. `SpecificationMessagesTest` covers the examples of the specification.
class DictionariesTest {

  private static final Field TEXT = encoded(Field.of("c", true, new ArrowType.Utf8()), 1, 8, true);
  private static final Field NESTED =
      encoded(
          Field.of(
              "c",
              true,
              new ArrowType.List(),
              encoded(Field.of("item", true, new ArrowType.Utf8()), 2, 16, true)),
          1,
          32,
          true);

  @Test
  void laterDictionariesDoNotChangeEarlierBatches() throws IOException {
    DictionaryStream stream = new DictionaryStream(TEXT);
    stream.dictionary(1, false, List.of("a", "b"));
    stream.batch(0, 1, -1);
    stream.dictionary(1, true, List.of("c"));
    stream.batch(2, 1);
    stream.dictionary(1, false, List.of("x"));
    stream.batch(0);
    stream.dictionary(1, true, Arrays.asList("y", null));
    stream.dictionary(1, true, List.of());
    stream.batch(0, 1, 2);
    List<RecordBatch> all = new ArrayList<>();
    MessageReader messages =
        new MessageReader(ByteSource.of(MemorySegment.ofArray(stream.stream())), Limits.DEFAULT);
    RecordBatchReader batches =
        new RecordBatchReader(MessageReader.schemaOf(messages.readSchema()), Limits.DEFAULT);
    for (EncapsulatedMessage message = messages.next();
        message != null;
        message = messages.next()) {
      MemorySegment body = GrowingBody.read(messages, Arena.ofAuto());
      if (message.message().header()
          instanceof dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader) {
        all.add(batches.readBatch(message, body, Arena.ofAuto()));
      } else {
        batches.readDictionary(message, body, Arena.ofAuto());
      }
    }
    assertThat(all.stream().map(batch -> Values.of(batch.columns().getFirst())))
        .containsExactly(
            Arrays.asList("a", "b", null),
            List.of("c", "b"),
            List.of("x"),
            Arrays.asList("x", "y", null));
    assertThat(stream.read()).hasSize(4);
  }

  @Test
  void readsIndicesOfAnyTypeAndDuplicateValues() throws IOException {
    for (int bitWidth : new int[] {8, 16, 32, 64}) {
      for (boolean signed : new boolean[] {true, false}) {
        DictionaryStream stream = new DictionaryStream(encoded(TEXT, -7, bitWidth, signed));
        stream.dictionary(-7, false, Arrays.asList("a", null, "a"));
        stream.batch(0, 1, 2, -1);
        assertThat(stream.read()).containsExactly(Arrays.asList("a", null, "a", null));
        assertThat(stream.readFile()).containsExactly(Arrays.asList("a", null, "a", null));
      }
    }
  }

  @Test
  void columnsOfNullsNeedNoDictionary() throws IOException {
    DictionaryStream stream = new DictionaryStream(TEXT);
    stream.batch(-1, -1);
    stream.dictionary(1, false, List.of());
    stream.batch(-1);
    stream.dictionary(1, true, List.of("a"));
    stream.batch(0);
    assertThat(stream.read())
        .containsExactly(Arrays.asList(null, null), Arrays.asList((Object) null), List.of("a"));
  }

  @Test
  void innerDictionariesMayFollowOuterOnes() throws IOException {
    Map<Long, List<?>> inner = Map.of(2L, List.of("a", "b"));
    DictionaryStream stream = new DictionaryStream(NESTED);
    stream.dictionary(1, false, List.of(List.of("a"), List.of("b", "a")), inner);
    stream.dictionary(2, false, List.of("a", "b"));
    stream.batch(1, 0);
    assertThat(stream.read()).containsExactly(List.of(List.of("b", "a"), List.of("a")));
  }

  @Test
  void nestedDictionariesAreExtendedTogether() throws IOException {
    DictionaryStream stream = new DictionaryStream(NESTED);
    stream.dictionary(2, false, List.of("a"));
    stream.dictionary(1, false, List.of(List.of("a")), Map.of(2L, List.of("a")));
    stream.dictionary(2, true, List.of("b"));
    stream.dictionary(1, true, List.of(List.of("b", "a")), Map.of(2L, List.of("a", "b")));
    stream.batch(1, 0);
    assertThat(stream.read()).containsExactly(List.of(List.of("b", "a"), List.of("a")));
  }

  @Test
  void rejectsADeltaAfterItsInnerDictionaryWasReplaced() throws IOException {
    DictionaryStream stream = new DictionaryStream(NESTED);
    stream.dictionary(2, false, List.of("a"));
    stream.dictionary(1, false, List.of(List.of("a")), Map.of(2L, List.of("a")));
    stream.dictionary(2, false, List.of("b"));
    stream.batch(0);
    assertThat(stream.read()).containsExactly(List.of(List.of("a")));
    stream.dictionary(1, true, List.of(List.of("b")), Map.of(2L, List.of("b")));
    assertThatThrownBy(stream::read)
        .isInstanceOf(UnsupportedInputException.class)
        .hasMessageMatching(
            "Expected a delta to dictionary 1 whose values refer to the same dictionary 2 but found"
                + " dictionary 2 replaced in between at message 5, byte offset [0-9]+, dictionary"
                + " 1");
  }

  @Test
  void rejectsADeltaWithoutADictionary() throws IOException {
    DictionaryStream stream = new DictionaryStream(TEXT);
    stream.dictionary(1, true, List.of("a"));
    assertThatThrownBy(stream::read)
        .isInstanceOf(MalformedInputException.class)
        .hasMessageMatching(
            "Expected dictionary 1 before a delta to it but found only the delta at message 1, byte"
                + " offset [0-9]+, DictionaryBatch.id");
  }

  @Test
  void readsAllDictionariesOfAFileBeforeItsFirstBatch() throws IOException {
    DictionaryStream file = new DictionaryStream(TEXT);
    file.batch(2, 0);
    file.dictionary(1, false, List.of("a", "b"));
    file.dictionary(1, true, List.of("c"));
    file.batch(3);
    file.dictionary(1, true, List.of("d"));
    assertThat(file.readFile()).containsExactly(List.of("c", "a"), List.of("d"));
  }

  @Test
  void rejectsAReplacedDictionaryInAFile() throws IOException {
    DictionaryStream file = new DictionaryStream(TEXT);
    file.dictionary(1, false, List.of("a"));
    file.dictionary(1, false, List.of("b"));
    file.batch(0);
    FileReader reader =
        new FileReader(MemorySegment.ofArray(file.file()), Limits.DEFAULT, Arena.ofAuto());
    for (int attempt = 1; attempt <= 2; attempt++) {
      assertThatThrownBy(() -> reader.batch(0))
          .isInstanceOf(MalformedInputException.class)
          .hasMessageMatching(
              "Expected one non-delta batch of dictionary 1 in a file but found a second one at message 2, byte"
                  + " offset [0-9]+, DictionaryBatch.id");
    }
  }

  @Test
  void limitsTheSizeOfAnExtendedDictionary() throws IOException {
    DictionaryStream stream = new DictionaryStream(TEXT);
    stream.dictionary(1, false, List.of("1234567"));
    stream.dictionary(1, true, List.of("1234567"));
    stream.batch(1);
    assertThat(readLimited(stream, 30)).isEqualTo(List.of("1234567"));
    assertThatThrownBy(() -> readLimited(stream, 29))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageMatching(
            "Expected at most 29 bytes of a dictionary \\(dictionary-bytes\\) but"
                + " found 30 at message 2, byte offset [0-9]+, dictionary 1");
  }

  /// Slots of a struct without children take no bytes until one is null, and a bit each from then
  /// on. The buffers of both messages have one byte in total.
  @Test
  void limitsTheValidityThatOneNullAddsToSlotsWithoutBytes() throws IOException {
    for (ArrowType type :
        List.of(
            new ArrowType.Struct(),
            new ArrowType.FixedSizeList(0),
            new ArrowType.FixedSizeBinary(0))) {
      assertThat(extendedByOneNull(type, 7_992).read().getFirst().getLast()).isNull();
      assertThatThrownBy(() -> extendedByOneNull(type, 7_993).read())
          .isInstanceOf(TooLargeInputException.class)
          .hasMessageMatching(
              "Expected at most 1000 bytes of validity per byte of an extended dictionary"
                  + " \\(decompression-ratio\\) but found 1001 at message 2, byte"
                  + " offset [0-9]+, dictionary 1");
    }
  }

  /// Returns a dictionary of `count` slots without bytes, a delta of one null, and a batch of the
  /// last two.
  private static DictionaryStream extendedByOneNull(ArrowType type, int count) throws IOException {
    Field[] children =
        type instanceof ArrowType.FixedSizeList
            ? new Field[] {Field.of("item", true, new ArrowType.Bool())}
            : new Field[0];
    Object empty = type instanceof ArrowType.FixedSizeBinary ? ByteString.EMPTY : List.of();
    DictionaryStream stream =
        new DictionaryStream(encoded(Field.of("c", true, type, children), 1, 32, true));
    stream.dictionary(1, false, Collections.nCopies(count, empty));
    stream.dictionary(1, true, Arrays.asList((Object) null));
    stream.batch(count - 1, count);
    return stream;
  }

  @Test
  void columnsWithTheSameIdShareADictionary() throws IOException {
    DictionaryEncoding narrow = new DictionaryEncoding(1, new ArrowType.Int(8, true), false);
    DictionaryEncoding wide = new DictionaryEncoding(1, new ArrowType.Int(64, false), true);
    Field text = Field.of("a", true, new ArrowType.Utf8());
    Schema schema =
        Schema.of(
            text.withDictionary(narrow),
            Field.of("b", true, new ArrowType.List(), text.withDictionary(wide)));
    List<List<?>> columns =
        List.of(Arrays.asList("x", null), List.of(List.of("y", "x"), List.of()));
    RecordBatch batch =
        new ArrayBuilder(Arena.ofAuto(), Map.of(1L, List.of("x", "y")))
            .recordBatch(schema, 2, columns);
    Bytes stream = new Bytes();
    StreamWriter writer = new StreamWriter(stream, schema, Codec.NONE);
    writer.write(batch);
    writer.close();
    Bytes file = new Bytes();
    FileWriter fileWriter = new FileWriter(file, schema, Codec.NONE);
    fileWriter.write(batch);
    fileWriter.close(Metadata.EMPTY);

    FileReader fileReader = new FileReader(file.segment(), Limits.DEFAULT, Arena.ofAuto());
    assertThat(fileReader.footer().dictionaries()).hasSize(1);
    try (StreamReader reader = new StreamReader(stream.source(), Limits.DEFAULT)) {
      for (RecordBatch read : List.of(Objects.requireNonNull(reader.next()), fileReader.batch(0))) {
        ArrayData first = read.columns().getFirst();
        ArrayData second = read.columns().getLast().children().getFirst();
        assertThat(first.dictionary()).isSameAs(second.dictionary());
        assertThat(Values.of(first)).isEqualTo(columns.getFirst());
        assertThat(Values.of(read.columns().getLast())).isEqualTo(columns.getLast());
      }
    }
  }

  /// Some writers omit the index type if it is signed 32-bit.
  @Test
  void absentIndexTypeMeansInt32() throws IOException {
    Field column = encoded(TEXT, 1, 32, true);
    DictionaryStream written = new DictionaryStream(column);
    written.dictionary(1, false, List.of("a", "b"));
    written.batch(1, -1, 0);
    byte[] stream = AbsentIndexType.of(written.stream(), column);
    try (StreamReader reader =
        new StreamReader(ByteSource.of(MemorySegment.ofArray(stream)), Limits.DEFAULT)) {
      assertThat(reader.schema().fields().getFirst()).isEqualTo(encoded(TEXT, 1, 32, true));
      assertThat(Values.of(Objects.requireNonNull(reader.next()).columns().getFirst()))
          .isEqualTo(Arrays.asList("b", null, "a"));
    }
  }

  private static List<?> readLimited(DictionaryStream stream, long dictionaryBytes)
      throws IOException {
    Limits limits = Limits.of(1 << 20, 1 << 20, 1 << 20, 100, 64, dictionaryBytes, 1_000, 100);
    try (StreamReader reader =
        new StreamReader(ByteSource.of(MemorySegment.ofArray(stream.stream())), limits)) {
      return Values.of(Objects.requireNonNull(reader.next()).columns().getFirst());
    }
  }

  private static Field encoded(Field field, long id, int bitWidth, boolean signed) {
    return field.withDictionary(
        new DictionaryEncoding(id, new ArrowType.Int(bitWidth, signed), false));
  }
}
