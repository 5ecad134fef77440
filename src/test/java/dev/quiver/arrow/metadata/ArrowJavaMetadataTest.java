package dev.quiver.arrow.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Feature;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowFooter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that Arrow Java reads the metadata that Quiver writes, and the reverse.
///
/// [ArrowJavaTypes] maps fields between both sides.
@Tag("arrow-java")
class ArrowJavaMetadataTest {

  private static final Metadata METADATA =
      Metadata.of(KeyValue.of("a", "1"), KeyValue.of("empty", ""));

  private static final Schema ALL_TYPES =
      Schema.of(
              Samples.fields().stream()
                  .map(ArrowJavaMetadataTest::withoutDuplicateKeys)
                  .toArray(Field[]::new))
          .withMetadata(METADATA);

  /// Arrow Java writes 32-bit and 64-bit decimals but does not read them.
  private static final Schema SCHEMA =
      Schema.of(
              ALL_TYPES.fields().stream()
                  .filter(field ->
                      !(field.type() instanceof ArrowType.Decimal(_, _, int bits)) || bits >= 128)
                  .toArray(Field[]::new))
          .withMetadata(METADATA);

  private static final RecordBatchHeader BATCH =
      new RecordBatchHeader(
          1000,
          IntStream.range(0, 20).mapToObj(i -> new FieldNode(1000 + i, i)).toList(),
          IntStream.range(0, 41).mapToObj(i -> new Buffer(64L * i, i)).toList(),
          new BodyCompression(CompressionType.ZSTD),
          List.of(0L, 17L, 1L << 40));

  @Test
  void arrowJavaReadsOurSchema() throws IOException {
    var message = ours(new SchemaHeader(SCHEMA), 0);
    assertThat(message.version()).isEqualTo(org.apache.arrow.flatbuf.MetadataVersion.V5);
    assertThat(message.bodyLength()).isZero();
    assertThat(MessageSerializer.deserializeSchema(message))
        .isEqualTo(ArrowJavaTypes.schema(SCHEMA));
    assertThat(org.apache.arrow.vector.types.pojo.Schema.convertSchema(header(message)))
        .isEqualTo(ArrowJavaTypes.schema(SCHEMA));
  }

  @Test
  void arrowJavaReadsOurEndiannessAndFeatures() {
    Schema schema =
        new Schema(List.of(), METADATA, Endianness.BIG, List.of(Feature.COMPRESSED_BODY));
    var read = header(ours(new SchemaHeader(schema), 0));
    assertThat(read.endianness()).isEqualTo(org.apache.arrow.flatbuf.Endianness.Big);
    assertThat(read.featuresLength()).isEqualTo(1);
    assertThat(read.features(0)).isEqualTo(org.apache.arrow.flatbuf.Feature.COMPRESSED_BODY);
  }

  @Test
  void arrowJavaReadsOurRecordBatch() {
    var message = ours(BATCH, 1L << 33);
    assertThat(message.bodyLength()).isEqualTo(1L << 33);
    assertThat(message.customMetadata(0).key()).isEqualTo("a");
    assertThat(message.customMetadata(1).value()).isEmpty();
    var batch = new org.apache.arrow.flatbuf.RecordBatch();
    message.header(batch);
    assertBatch(batch);
  }

  @Test
  void arrowJavaReadsOurDictionaryBatch() {
    var message = ours(new DictionaryBatchHeader(-3, BATCH, true), 64);
    var dictionary = new org.apache.arrow.flatbuf.DictionaryBatch();
    message.header(dictionary);
    assertThat(dictionary.id()).isEqualTo(-3);
    assertThat(dictionary.isDelta()).isTrue();
    assertBatch(dictionary.data());
  }

  @Test
  void arrowJavaReadsOurFooter() {
    Footer footer = footer();
    ByteBuffer bytes = ByteBuffer.wrap(FooterEncoder.encode(footer));
    ArrowFooter read = new ArrowFooter(org.apache.arrow.flatbuf.Footer.getRootAsFooter(bytes));
    assertThat(read.getSchema()).isEqualTo(ArrowJavaTypes.schema(SCHEMA));
    assertThat(read.getMetadataVersion())
        .isEqualTo(org.apache.arrow.vector.types.MetadataVersion.V5);
    assertThat(read.getDictionaries()).isEqualTo(blocks(footer.dictionaries()));
    assertThat(read.getRecordBatches()).isEqualTo(blocks(footer.recordBatches()));
    assertThat(read.getMetaData()).isEqualTo(ArrowJavaTypes.metadata(METADATA));
  }

  @Test
  void quiverReadsTheSchemaOfArrowJava() {
    ByteBuffer bytes =
        MessageSerializer.serializeMetadata(ArrowJavaTypes.schema(ALL_TYPES), IpcOption.DEFAULT);
    assertThat(decode(bytes).header()).isEqualTo(new SchemaHeader(ALL_TYPES));
  }

  @Test
  void quiverReadsTheRecordBatchOfArrowJava() {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int header = theirBatch(builder);
    ByteBuffer bytes =
        theirMessage(builder, org.apache.arrow.flatbuf.MessageHeader.RecordBatch, header, 128);
    assertThat(decode(bytes))
        .isEqualTo(new Message(MetadataVersion.V5, theirBatch(), 128, Metadata.EMPTY));
  }

  @Test
  void quiverReadsTheDictionaryBatchOfArrowJava() {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int header =
        org.apache.arrow.flatbuf.DictionaryBatch.createDictionaryBatch(
            builder, 9, theirBatch(builder), true);
    ByteBuffer bytes =
        theirMessage(builder, org.apache.arrow.flatbuf.MessageHeader.DictionaryBatch, header, 128);
    assertThat(decode(bytes).header()).isEqualTo(new DictionaryBatchHeader(9, theirBatch(), true));
  }

  @Test
  void quiverReadsTheFooterOfArrowJava() {
    Footer footer = footer();
    FlatBufferBuilder builder = new FlatBufferBuilder();
    builder.finish(
        new ArrowFooter(
                ArrowJavaTypes.schema(SCHEMA.withMetadata(Metadata.EMPTY)),
                blocks(footer.dictionaries()),
                blocks(footer.recordBatches()))
            .writeTo(builder));
    Footer read =
        FooterDecoder.decode(MemorySegment.ofArray(builder.sizedByteArray()), Limits.DEFAULT);
    assertThat(read)
        .isEqualTo(
            new Footer(
                footer.version(),
                SCHEMA.withMetadata(Metadata.EMPTY),
                footer.dictionaries(),
                footer.recordBatches(),
                Metadata.EMPTY));
  }

  private static int theirBatch(FlatBufferBuilder builder) {
    org.apache.arrow.flatbuf.RecordBatch.startNodesVector(builder, 1);
    org.apache.arrow.flatbuf.FieldNode.createFieldNode(builder, 5, -1);
    int nodes = builder.endVector();
    org.apache.arrow.flatbuf.RecordBatch.startBuffersVector(builder, 2);
    org.apache.arrow.flatbuf.Buffer.createBuffer(builder, 64, 20);
    org.apache.arrow.flatbuf.Buffer.createBuffer(builder, 0, 1);
    int buffers = builder.endVector();
    int counts =
        org.apache.arrow.flatbuf.RecordBatch.createVariadicBufferCountsVector(
            builder, new long[] {3});
    int compression =
        org.apache.arrow.flatbuf.BodyCompression.createBodyCompression(builder, (byte) 1, (byte) 0);
    return org.apache.arrow.flatbuf.RecordBatch.createRecordBatch(
        builder, 5, nodes, buffers, compression, counts);
  }

  private static RecordBatchHeader theirBatch() {
    return new RecordBatchHeader(
        5,
        List.of(new FieldNode(5, -1)),
        List.of(new Buffer(0, 1), new Buffer(64, 20)),
        new BodyCompression(CompressionType.ZSTD),
        List.of(3L));
  }

  private static ByteBuffer theirMessage(
      FlatBufferBuilder builder, byte code, int header, long bodyLength) {
    return MessageSerializer.serializeMessage(builder, code, header, bodyLength, IpcOption.DEFAULT);
  }

  private static void assertBatch(org.apache.arrow.flatbuf.RecordBatch batch) {
    assertThat(batch.length()).isEqualTo(BATCH.length());
    assertThat(batch.nodesLength()).isEqualTo(BATCH.nodes().size());
    for (int i = 0; i < BATCH.nodes().size(); i++) {
      assertThat(new FieldNode(batch.nodes(i).length(), batch.nodes(i).nullCount()))
          .isEqualTo(BATCH.nodes().get(i));
    }
    assertThat(batch.buffersLength()).isEqualTo(BATCH.buffers().size());
    for (int i = 0; i < BATCH.buffers().size(); i++) {
      assertThat(new Buffer(batch.buffers(i).offset(), batch.buffers(i).length()))
          .isEqualTo(BATCH.buffers().get(i));
    }
    assertThat(batch.compression().codec())
        .isEqualTo(org.apache.arrow.flatbuf.CompressionType.ZSTD);
    assertThat(batch.compression().method())
        .isEqualTo(org.apache.arrow.flatbuf.BodyCompressionMethod.BUFFER);
    assertThat(batch.variadicBufferCountsLength()).isEqualTo(3);
    assertThat(batch.variadicBufferCounts(2)).isEqualTo(1L << 40);
  }

  private static Footer footer() {
    return new Footer(
        MetadataVersion.V5,
        SCHEMA,
        List.of(new Block(8, 128, 1 << 20)),
        List.of(new Block(1L << 40, 136, 1L << 33), new Block(1L << 41, 8, 0)),
        METADATA);
  }

  private static List<ArrowBlock> blocks(List<Block> blocks) {
    return blocks.stream()
        .map(block -> new ArrowBlock(block.offset(), block.metaDataLength(), block.bodyLength()))
        .toList();
  }

  private static org.apache.arrow.flatbuf.Message ours(MessageHeader header, long bodyLength) {
    Message message = new Message(MetadataVersion.V5, header, bodyLength, METADATA);
    return org.apache.arrow.flatbuf.Message.getRootAsMessage(
        ByteBuffer.wrap(MessageEncoder.encode(message)));
  }

  private static org.apache.arrow.flatbuf.Schema header(org.apache.arrow.flatbuf.Message message) {
    var schema = new org.apache.arrow.flatbuf.Schema();
    message.header(schema);
    return schema;
  }

  private static Message decode(ByteBuffer bytes) {
    return MessageDecoder.decode(MemorySegment.ofBuffer(bytes), Limits.DEFAULT);
  }

  private static Field withoutDuplicateKeys(Field field) {
    return field.metadata().isEmpty()
        ? field
        : field.withMetadata(Metadata.of(KeyValue.of("k", "ü")));
  }
}
