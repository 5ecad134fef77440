package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.arrow.validate.Level;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import dev.quiver.store.write.UploadOptions.BatchSizes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Dictionaries that change within an upload and are stored as one. The values are read back from
/// `.arrow`, from `.arrows`, and from the blob on disk.
final class DictionaryUploadsTest {

  private static final ArrowType.Int INT8 = new ArrowType.Int(8, true);
  private static final Field COLOR = encoded("color", INT8, 7);
  private static final Schema SCHEMA = Schema.of(COLOR);

  @TempDir private Path folder;
  private DatasetTestFolder data;

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  @ParameterizedTest
  @EnumSource
  void unifiesReplacedDictionaries(BatchSizes batches) throws IOException {
    Upload upload = new Upload(SCHEMA, Codec.NONE);
    upload.dictionary(7, false, List.of("red", "green")).batch(0, 1, null);
    upload.dictionary(7, false, List.of("blue", "red")).batch(0, 1);
    upload.dictionary(7, false, List.of("red", "green", "blue")).batch(0, 1, 2);
    data.put(upload.stream(), new UploadOptions(batches, RequestedCodec.PRESERVE));
    assertStored(
        SCHEMA, Arrays.asList("red", "green", null, "blue", "red", "red", "green", "blue"));
  }

  @ParameterizedTest
  @EnumSource
  void unifiesDeltaDictionaries(BatchSizes batches) throws IOException {
    Upload upload = new Upload(SCHEMA, Codec.ZSTD);
    upload.dictionary(7, false, List.of("red")).batch(0);
    upload.dictionary(7, true, List.of("green", "blue")).batch(0, 1, 2);
    upload.dictionary(7, true, List.of()).batch(2);
    data.put(upload.stream(), new UploadOptions(batches, RequestedCodec.PRESERVE));
    assertStored(SCHEMA, List.of("red", "red", "green", "blue", "blue"));
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.dictionaries()).hasSize(1);
      assertThat(snapshot.summary().file().codec()).isEqualTo(Codec.ZSTD);
    }
  }

  /// For this check, only the null slots of the current dictionary are kept, not its values.
  @Test
  void warnsOfANullValueForARequiredField() throws IOException {
    Schema schema =
        Schema.of(
            Field.of("color", false, new ArrowType.Utf8()).withDictionary(COLOR.dictionary()));
    List<@Nullable String> more = new ArrayList<>(Collections.nCopies(20, "red"));
    more.set(14, null);
    Upload upload = new Upload(schema, Codec.NONE);
    upload.dictionary(7, false, Collections.nCopies(9, "blue")).batch(8);
    upload.dictionary(7, true, more).batch(22, 24);
    upload.dictionary(7, true, List.of("green")).batch(29, 8, 23);
    upload.dictionary(7, false, Collections.nCopies(29, "blue")).batch(23);
    upload.dictionary(7, false, Collections.singletonList(null)).batch(0);
    WriteResult result =
        data.datasets.put(
            DatasetTestFolder.NAME,
            ByteSource.of(MemorySegment.ofArray(upload.stream())),
            BodyFormat.STREAM,
            new WriteCondition.None());
    assertThat(result.warnings())
        .singleElement()
        .asString()
        .matches(
            "Expected a value, since the field is not nullable, but found null at slots\\[2\\],"
                + " message 6, byte offset \\d+, field color, record batch 2");
    assertThat(result.summary().file().level()).isEqualTo(Level.VALUES);
  }

  @ParameterizedTest
  @EnumSource
  void acceptsADictionaryAfterABatchOfNulls(BatchSizes batches) throws IOException {
    Upload upload = new Upload(SCHEMA, Codec.NONE);
    upload.batch((Integer) null).dictionary(7, false, List.of("red")).batch(0);
    data.put(upload.stream(), new UploadOptions(batches, new RequestedCodec(Codec.LZ4)));
    assertStored(SCHEMA, Arrays.asList(null, "red"));
  }

  @Test
  void keepsIndexTypesAndRepeatedValues() throws IOException {
    for (int bitWidth = 8; bitWidth <= 64; bitWidth *= 2) {
      for (boolean signed : new boolean[] {false, true}) {
        Schema schema = Schema.of(encoded("color", new ArrowType.Int(bitWidth, signed), -7));
        Upload upload = new Upload(schema, Codec.NONE);
        upload.dictionary(-7, false, Arrays.asList("a", null, "a")).batch(0, 1, 2, null);
        data.put(upload.stream());
        assertStored(schema, Arrays.asList("a", null, "a", null));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void orderedDictionariesMayOnlyBeExtended(BatchSizes batches) throws IOException {
    ArrowType.Int indexType = new ArrowType.Int(64, true);
    Schema schema =
        Schema.of(
            Field.of("size", true, new ArrowType.Utf8())
                .withDictionary(new DictionaryEncoding(7, indexType, true)));
    Upload upload = new Upload(schema, Codec.NONE);
    upload.dictionary(7, false, List.of("small")).batch(0);
    upload.dictionary(7, false, List.of("small", "medium")).batch(1, 0);
    upload.dictionary(7, true, List.of("large")).batch(2);
    upload.dictionary(7, false, List.of("small")).batch(0);
    data.put(upload.stream(), new UploadOptions(batches, RequestedCodec.PRESERVE));
    assertStored(schema, List.of("small", "medium", "small", "large", "small"));

    Upload reordered = new Upload(schema, Codec.NONE);
    reordered.dictionary(7, false, List.of("small", "large")).batch(0);
    reordered.dictionary(7, false, List.of("large", "small")).batch(0);
    byte[] body = reordered.stream();
    assertThatThrownBy(() -> data.put(body, new UploadOptions(batches, RequestedCodec.PRESERVE)))
        .isInstanceOf(UnsupportedInputException.class)
        .hasMessageStartingWith(
            "Expected an ordered dictionary 7 that continues the previous one but found"
                + " another value in slot 0, which loses the order at message 3, byte offset ");
    assertStored(schema, List.of("small", "medium", "small", "large", "small"));
  }

  @ParameterizedTest
  @EnumSource
  void widensIndicesOfGrowingDictionaries(BatchSizes batches) throws IOException {
    for (Codec codec : new Codec[] {Codec.NONE, Codec.LZ4}) {
      Upload upload = new Upload(SCHEMA, codec);
      List<Object> expected = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        int start = 100 * i;
        List<String> texts =
            IntStream.range(start, start + 100).mapToObj(Integer::toString).toList();
        upload.dictionary(7, false, texts).batch(99, 0);
        expected.add(texts.get(99));
        expected.add(texts.getFirst());
      }
      data.put(upload.stream(), new UploadOptions(batches, RequestedCodec.PRESERVE));
      assertStored(Schema.of(encoded("color", new ArrowType.Int(32, true), 7)), expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void unifiesNestedDictionaries(BatchSizes batches) throws IOException {
    Field inner = encoded("item", INT8, 1);
    Field outer =
        Field.of("lists", true, new ArrowType.List(), inner)
            .withDictionary(new DictionaryEncoding(2, INT8, false));
    Schema schema = Schema.of(outer);
    Upload upload = new Upload(schema, Codec.NONE);
    Map<Long, List<String>> first = Map.of(1L, List.of("a", "b"));
    upload.dictionary(1, false, List.of("a", "b"));
    upload.dictionary(2, false, List.of(List.of("a"), List.of("b", "a")), first).batch(0, 1);
    Map<Long, List<String>> second = Map.of(1L, List.of("c", "b"));
    upload.dictionary(1, false, List.of("c", "b"));
    upload.dictionary(2, false, List.of(List.of("b", "c"), List.of("b")), second).batch(1, 0);
    data.put(upload.stream(), new UploadOptions(batches, RequestedCodec.PRESERVE));
    assertStored(schema, List.of(List.of("a"), List.of("b", "a"), List.of("b"), List.of("b", "c")));
  }

  /// Returns a list of lists, each level with a dictionary of its own.
  private static Schema schemaOfLevels(int bitWidth) {
    ArrowType.Int indexType = new ArrowType.Int(bitWidth, true);
    Field middle =
        Field.of("item", true, new ArrowType.List(), encoded("item", indexType, 3))
            .withDictionary(new DictionaryEncoding(2, indexType, false));
    return Schema.of(
        Field.of("lists", true, new ArrowType.List(), middle)
            .withDictionary(new DictionaryEncoding(1, indexType, false)));
  }

  @ParameterizedTest
  @EnumSource
  void acceptsInnerDictionariesAfterOuterOnes(BatchSizes batches) throws IOException {
    Schema schema = schemaOfLevels(8);
    List<String> texts = List.of("a", "b");
    List<List<String>> lists = List.of(List.of("b"), List.of("a", "b"));
    Map<Long, List<?>> inner = Map.of(2L, lists, 3L, texts);
    List<List<List<String>>> outer = List.of(List.of(lists.get(1)), List.of(lists.get(0)));
    for (Codec codec : new Codec[] {Codec.NONE, Codec.ZSTD}) {
      Upload upload = new Upload(schema, codec);
      upload.dictionary(1, false, outer.subList(0, 1), inner);
      upload.dictionary(1, true, outer.subList(1, 2), inner);
      upload.dictionary(2, false, lists, inner).dictionary(3, false, texts);
      upload.dictionary(3, false, List.of("b", "a"));
      upload.batch(1, 0, null).dictionary(3, true, List.of("c"));
      upload.dictionary(2, true, List.of(List.of("c")), Map.of(3L, List.of("a", "b", "c")));
      upload.batch(0);
      data.put(upload.stream(), new UploadOptions(batches, RequestedCodec.PRESERVE));
      assertStored(schema, Arrays.asList(outer.get(1), outer.get(0), null, outer.get(0)));
      try (Snapshot snapshot = data.open()) {
        assertThat(snapshot.dictionaries().keySet()).containsExactly(3L, 2L, 1L);
      }
    }
  }

  /// All readers expect the inner dictionary first, even if no index refers to it.
  @Test
  void writesMissingInnerDictionariesAsEmpty() throws IOException {
    Schema schema = schemaOfLevels(16);
    List<List<@Nullable String>> lists = List.of(Arrays.asList(null, null), List.of());
    Map<Long, List<?>> inner = Map.of(2L, lists, 3L, List.of());
    List<?> outer = List.of(List.of(lists.get(1)), List.of(lists.get(0), lists.get(1)));
    Upload upload = new Upload(schema, Codec.NONE);
    upload.dictionary(1, false, outer, inner).dictionary(2, false, lists, inner).batch(1, 0);
    data.put(upload.stream());
    assertStored(schema, List.of(outer.get(1), outer.get(0)));
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.dictionaries().keySet()).containsExactly(3L, 2L, 1L);
    }
    Upload late = new Upload(schema, Codec.NONE);
    late.dictionary(1, false, outer, inner).dictionary(2, false, lists, inner).batch(1);
    late.dictionary(3, false, List.of("a"));
    late.dictionary(2, true, List.of(List.of("a")), Map.of(3L, List.of("a")));
    late.dictionary(
        1,
        true,
        List.of(List.of(List.of("a"))),
        Map.of(2L, appended(lists, "a"), 3L, List.of("a")));
    data.put(late.batch(2, 0).stream());
    assertStored(schema, List.of(outer.get(1), List.of(List.of("a")), outer.get(0)));
  }

  private static List<List<@Nullable String>> appended(
      List<List<@Nullable String>> lists, String text) {
    List<List<@Nullable String>> all = new ArrayList<>(lists);
    all.add(List.of(text));
    return all;
  }

  @Test
  void rejectsValuesThatReferToAMissingInnerDictionary() throws IOException {
    Upload upload = new Upload(schemaOfLevels(8), Codec.NONE);
    upload.dictionary(2, false, List.of(List.of("a")), Map.of(3L, List.of("a"))).batch(0);
    byte[] body = upload.stream();
    assertThatThrownBy(() -> data.put(body))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageStartingWith(
            "Expected a dictionary for 1 slots that are not null but found none at");
    data.assertEmpty();
  }

  @Test
  void acceptsDeltasInAFile() throws IOException {
    Upload upload = new Upload(SCHEMA, Codec.NONE);
    upload.dictionary(7, false, List.of("red")).dictionary(7, true, List.of("green")).batch(1, 0);
    data.put(upload.file());
    assertStored(SCHEMA, List.of("green", "red"));
  }

  @Test
  void rejectsReplacedDictionariesInAFile() throws IOException {
    Upload upload = new Upload(SCHEMA, Codec.NONE);
    upload.dictionary(7, false, List.of("red")).dictionary(7, false, List.of("green")).batch(0);
    byte[] file = upload.file();
    assertThatThrownBy(() -> data.put(file))
        .hasMessageStartingWith(
            "Expected one non-delta batch of dictionary 7 in a file but found a second one at"
                + " message 2, byte");
    data.assertEmpty();
  }

  @Test
  void storesAnUnchangedDictionaryByteForByte() throws IOException {
    Upload upload = new Upload(SCHEMA, Codec.NONE);
    upload.dictionary(7, false, List.of("red", "green")).batch(0, 1);
    byte[] stream = upload.stream();
    data.put(stream);
    assertThat(data.stream()).isEqualTo(stream);
  }

  @Test
  void limitsTheTotalSizeOfDictionaries() throws IOException {
    Upload upload = new Upload(SCHEMA, Codec.NONE);
    upload.dictionary(7, false, List.of("0123456789")).batch(0);
    upload.dictionary(7, false, List.of("9876543210")).batch(0);
    byte[] body = upload.stream();
    // Two values, each with two offsets.
    limited(36).put(body);
    DatasetTestFolder rejecting = limited(35);
    assertThatThrownBy(() -> rejecting.put(body))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageStartingWith(
            "Expected at most 35 bytes of all dictionaries together"
                + " (upload-dictionary-bytes) but found 36 at message 3, byte");
    rejecting.assertEmpty();
  }

  private DatasetTestFolder limited(long dictionaryBytes) throws IOException {
    DatasetOptions options =
        new DatasetOptions(
            Limits.DEFAULT,
            DatasetOptions.DEFAULT.requestBytes(),
            DatasetOptions.DEFAULT.inFlight(),
            new Limit("upload-dictionary-bytes", dictionaryBytes),
            1 << 20,
            Level.VALUES);
    return new DatasetTestFolder(folder.resolve("limited" + dictionaryBytes), options);
  }

  private static Field encoded(String name, ArrowType.Int indexType, long id) {
    return Field.of(name, true, new ArrowType.Utf8())
        .withDictionary(new DictionaryEncoding(id, indexType, false));
  }

  /// Checks the first column in the file, in the stream and in the blob.
  private void assertStored(Schema schema, List<?> expected) throws IOException {
    byte[] file = data.file();
    byte[] stream = data.stream();
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.schema()).isEqualTo(schema);
      long footer = snapshot.footerRange().byteOffset();
      assertThat(Arrays.copyOfRange(file, 8, (int) footer)).isEqualTo(stream);
      List<String> keys = snapshot.extents().stream().map(BlobExtent::key).distinct().toList();
      Path blob =
          Objects.requireNonNull(
              data.store.localPath(
                  keys.stream().filter(key -> key.endsWith(".arrow")).findFirst().orElseThrow()));
      assertThat(ofFile(Files.readAllBytes(blob))).as("the blob").isEqualTo(expected);
    }
    assertThat(ofFile(file)).as(".arrow").isEqualTo(expected);
    assertThat(ofStream(stream)).as(".arrows").isEqualTo(expected);
    data.assertNoTemporaryFiles();
  }

  private static List<@Nullable Object> ofFile(byte[] file) {
    List<@Nullable Object> values = new ArrayList<>();
    FileReader reader =
        new FileReader(new Bytes().bytes(file).segment(), Limits.DEFAULT, Arena.ofAuto());
    for (int i = 0; i < reader.batchCount(); i++) {
      values.addAll(Values.of(reader.batch(i).columns().getFirst()));
    }
    return values;
  }

  private static List<@Nullable Object> ofStream(byte[] stream) throws IOException {
    List<@Nullable Object> values = new ArrayList<>();
    ByteSource source = ByteSource.of(MemorySegment.ofArray(stream));
    try (StreamReader reader = new StreamReader(source, Limits.DEFAULT)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        values.addAll(Values.of(batch.columns().getFirst()));
      }
    }
    return values;
  }

  /// An upload of one dictionary-encoded column, with its messages in any order.
  private static final class Upload {

    private final Bytes bytes = new Bytes();
    private final MessageWriter messages = new MessageWriter(bytes);
    private final List<Block> dictionaries = new ArrayList<>();
    private final List<Block> batches = new ArrayList<>();
    private final Schema schema;
    private final Codec codec;

    Upload(Schema schema, Codec codec) throws IOException {
      this.schema = schema;
      this.codec = codec;
      messages.writeFileHeader();
      messages.writeSchema(schema);
    }

    Upload dictionary(long id, boolean delta, List<?> values) throws IOException {
      return dictionary(id, delta, values, Map.of());
    }

    Upload dictionary(long id, boolean delta, List<?> values, Map<Long, ? extends List<?>> inner)
        throws IOException {
      Field field = Objects.requireNonNull(DictionaryFields.of(schema).values(id));
      Field nullable =
          new Field(field.name(), true, field.type(), null, field.children(), field.metadata());
      ArrayData array = new ArrayBuilder(Arena.ofAuto(), inner).array(nullable, values);
      EncodedBody body = EncodedBody.of(array.length(), List.of(array), codec, Arena.ofAuto());
      dictionaries.add(
          messages.write(
              new DictionaryBatchHeader(id, body.header(), delta),
              Metadata.EMPTY,
              body.byteSize()));
      body.writeTo(messages);
      return this;
    }

    Upload batch(@Nullable Integer... indices) throws IOException {
      Field column = schema.fields().getFirst();
      Field stored = Field.of(column.name(), true, column.storageType());
      ArrayData array = new ArrayBuilder(Arena.ofAuto()).array(stored, Arrays.asList(indices));
      EncodedBody body = EncodedBody.of(array.length(), List.of(array), codec, Arena.ofAuto());
      batches.add(messages.writeRecordBatch(body, Metadata.EMPTY));
      return this;
    }

    byte[] stream() throws IOException {
      messages.writeEndOfStream();
      byte[] all = bytes.toByteArray();
      return Arrays.copyOfRange(all, 8, all.length);
    }

    byte[] file() throws IOException {
      messages.writeEndOfStream();
      messages.writeFooter(
          new Footer(MetadataVersion.V5, schema, dictionaries, batches, Metadata.EMPTY));
      return bytes.toByteArray();
    }
  }
}
