package dev.quiver.golden;

import static dev.quiver.golden.HandBuilt.int32s;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.ipc.AbsentIndexType;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.ExperimentalCompression;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.ipc.Version4;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Feature;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import dev.quiver.store.write.UploadOptions;
import dev.quiver.store.write.UploadOptions.BatchSizes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that streams and files of older and unusual writers are stored in the current format.
/// [UnusualBodiesTest] covers bodies.
class UnusualUploadsTest {

  private static final ArrowType INT32 = new ArrowType.Int(32, true);
  private static final Schema NUMBERS = Schema.of(Field.of("n", true, INT32));

  @TempDir private Path folder;
  private Stored stored;

  @BeforeEach
  void open() throws IOException {
    stored = new Stored(folder);
  }

  @Test
  void storesUnionsOfVersion4() throws IOException {
    for (UnionMode mode : UnionMode.values()) {
      Field child = Field.of("c", true, INT32);
      Schema schema = Schema.of(Field.of("u", true, new ArrowType.Union(mode, List.of(3)), child));
      HandBuilt union =
          new HandBuilt(stored, schema, 2)
              .node(2, 0)
              .buffer(0, new byte[] {3})
              .buffer(8, new byte[] {3, 3});
      if (mode == UnionMode.DENSE) {
        union.buffer(16, int32s(0, 1));
      }
      union.node(2, 1).buffer(24, new byte[] {1}).buffer(32, int32s(7, 8));
      byte[] stream = Version4.of(union.stream().toArray(LittleEndian.INT8));
      List<@Nullable Object> values =
          List.of(new UnionValue((byte) 3, 7L), new UnionValue((byte) 3, null));
      assertKeeps(mode.toString(), stream, new Decoded(schema, List.of(List.of(values))));
    }
  }

  @Test
  void storesBodiesOfTheExperimentalCompression() throws IOException {
    Field text = encoded(Field.of("t", true, new ArrowType.Utf8()), 1);
    Schema schema = Schema.of(Field.of("n", true, INT32), text);
    List<List<@Nullable Object>> columns = List.of(Arrays.asList(1L, null), List.of("b", "a"));
    for (Codec codec : List.of(Codec.LZ4, Codec.ZSTD)) {
      byte[] modern = stream(schema, codec, Map.of(1L, List.of("a", "b")), columns);
      assertKeeps(
          codec.toString(),
          ExperimentalCompression.of(modern, codec),
          new Decoded(schema, List.of(columns)));
    }
  }

  @Test
  void storesDictionariesWithoutAnIndexType() throws IOException {
    Field text = encoded(Field.of("t", true, new ArrowType.Utf8()), 1);
    Schema schema = Schema.of(text);
    List<List<@Nullable Object>> columns = List.of(Arrays.asList("b", null, "a"));
    byte[] stream = stream(schema, Codec.NONE, Map.of(1L, List.of("a", "b")), columns);
    assertKeeps(
        "no index type", AbsentIndexType.of(stream, text), new Decoded(schema, List.of(columns)));
  }

  /// The first message may start anywhere, the schema message may be missing or different, and the
  /// footer may reorder and omit batches.
  @Test
  void storesTheSchemaAndBatchesThatTheFooterOfAFileDeclares() throws IOException {
    for (int start : new int[] {8, 9, 64, 4096}) {
      for (@Nullable Schema embedded :
          new Schema[] {null, NUMBERS, Schema.of(Field.of("other", true, new ArrowType.Utf8()))}) {
        Decoded.Sink sink = new Decoded.Sink();
        MessageWriter messages = new MessageWriter(sink);
        messages.writeFileHeader();
        messages.write(MemorySegment.ofArray(new byte[start - 8]));
        if (embedded != null) {
          messages.writeSchema(embedded);
        }
        List<Block> blocks = new ArrayList<>();
        for (long i = 0; i < 3; i++) {
          blocks.add(messages.writeRecordBatch(body(i), Metadata.EMPTY));
        }
        messages.writeFooter(
            new Footer(
                MetadataVersion.V5,
                NUMBERS,
                List.of(),
                List.of(blocks.get(2), blocks.get(0)),
                Metadata.EMPTY));
        stored.assertKeeps(
            "first message at " + start,
            sink.written(),
            new Decoded(NUMBERS, List.of(List.of(List.of(2L)), List.of(List.of(0L)))));
      }
    }
  }

  @Test
  void preservesMetadataAndFeatures() throws IOException {
    Metadata metadata =
        Metadata.of(KeyValue.of("z", ""), KeyValue.of("a", "\u77e2"), KeyValue.of("z", "again"));
    Schema schema =
        new Schema(
            List.of(Field.of("n", true, INT32).withMetadata(metadata)),
            metadata,
            Endianness.LITTLE,
            List.of(Feature.DICTIONARY_REPLACEMENT, Feature.COMPRESSED_BODY));
    Decoded.Sink sink = new Decoded.Sink();
    MessageWriter messages = new MessageWriter(sink);
    messages.writeSchema(schema);
    messages.writeRecordBatch(body(1), metadata);
    messages.writeRecordBatch(body(2), Metadata.EMPTY);
    messages.writeEndOfStream();
    stored.assertKeeps(
        "metadata",
        sink.written(),
        new Decoded(schema, List.of(List.of(List.of(1L)), List.of(List.of(2L)))));
    for (RequestedCodec codec : Stored.requestedCodecs()) {
      stored.put(sink.written(), new UploadOptions(BatchSizes.OPTIMIZED, codec));
      List<Metadata> found = new ArrayList<>();
      Decoded.forEachBatchOfStream(stored.stream(), batch -> found.add(batch.customMetadata()));
      assertThat(found).containsExactly(metadata, Metadata.EMPTY);
    }
  }

  /// Arrow Java writes dictionaries in the order of their ids. It names list items `$data$`.
  @Test
  @Tag("arrow-java")
  void storesOuterDictionariesOfArrowJavaBeforeInnerOnes() throws IOException {
    Field inner = encoded(Field.of("$data$", true, new ArrowType.Utf8()), 2);
    Schema schema = Schema.of(encoded(Field.of("l", true, new ArrowType.List(), inner), 1));
    List<List<String>> lists = List.of(List.of("b", "a"), List.of(), List.of("b"));
    List<List<@Nullable Object>> columns =
        List.of(Arrays.asList(lists.get(2), null, lists.get(0), lists.get(1)));
    byte[] ours = stream(schema, Codec.NONE, Map.of(1L, lists, 2L, List.of("a", "b")), columns);
    MemorySegment stream = ArrowJava.rewriteAsStream(Decoded.Sink.copy(ours), Codec.NONE);
    MessageReader messages = new MessageReader(ByteSource.of(stream), Limits.DEFAULT);
    messages.readSchema();
    EncapsulatedMessage first = Objects.requireNonNull(messages.next());
    assertThat(((DictionaryBatchHeader) first.message().header()).id()).isEqualTo(1);
    stored.assertKeeps("outer first", stream, new Decoded(schema, List.of(columns)));
  }

  private void assertKeeps(String description, byte[] stream, Decoded expected) throws IOException {
    stored.assertKeeps(description, Decoded.Sink.copy(stream), expected);
  }

  private static EncodedBody body(long value) {
    RecordBatch batch =
        new ArrayBuilder(Arena.ofAuto()).recordBatch(NUMBERS, 1, List.of(List.of(value)));
    return EncodedBody.of(1, batch.columns(), Codec.NONE, Arena.ofAuto());
  }

  private static byte[] stream(
      Schema schema,
      Codec codec,
      Map<Long, ? extends List<?>> dictionaries,
      List<List<@Nullable Object>> columns)
      throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    StreamWriter writer = new StreamWriter(sink, schema, codec);
    writer.write(
        new ArrayBuilder(Arena.ofAuto(), dictionaries)
            .recordBatch(schema, columns.getFirst().size(), columns));
    writer.close();
    return sink.written().toArray(LittleEndian.INT8);
  }

  private static Field encoded(Field field, long id) {
    return field.withDictionary(new DictionaryEncoding(id, new ArrowType.Int(32, true), false));
  }
}
