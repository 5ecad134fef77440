package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowDictionaryBatch;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// The layout of a version's file, compared with what Arrow Java reads of the file.
@Tag("arrow-java")
class ArrowJavaLayoutTest extends RunningService {

  /// The roles of buffers by their names in Arrow Java.
  private static final Map<String, String> ROLES =
      Map.of("VALIDITY", "VALIDITY", "OFFSET", "OFFSETS", "DATA", "DATA", "TYPE", "TYPE_IDS");

  /// Enough rows that some buffers of a column are worth compressing, and some are not.
  private static final int[] BATCH_ROWS = {300, 0, 5};

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/layout-none").statusCode() == 404) {
      for (Codec codec : Codec.values()) {
        put(
            "/datasets/layout-" + codec.name().toLowerCase(Locale.ROOT) + "?batches=keep",
            Streams.table(codec, BATCH_ROWS));
      }
      put("/datasets/layout-mixed?batches=keep", Streams.inCodecs(50, Codec.ZSTD, Codec.NONE));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"layout-none", "layout-lz4", "layout-zstd", "layout-mixed", "sample"})
  void layoutEqualsArrowJava(String name) throws Exception {
    JsonNode layout = json("/datasets/" + name + "/layout");
    byte[] file = get(layout.get("file").asString()).body();
    try (BufferAllocator allocator = new RootAllocator();
        ArrowFileReader reader =
            new ArrowFileReader(
                new ByteArrayReadableSeekableByteChannel(file),
                allocator,
                CommonsCompressionFactory.INSTANCE)) {
      List<Field> columns = reader.getVectorSchemaRoot().getSchema().getFields();
      List<ArrowBlock> dictionaries = reader.getDictionaryBlocks();
      List<ArrowBlock> batches = reader.getRecordBlocks();
      assertThat(layout.get("dictionaries").intValue()).isEqualTo(dictionaries.size());
      assertThat(layout.get("batches").intValue()).isEqualTo(batches.size());
      assertThat(layout.get("bytes").intValue()).isEqualTo(file.length);
      assertThat(layout.get("messages").size()).isEqualTo(dictionaries.size() + batches.size());
      List<Field> used = new ArrayList<>();
      columns.forEach(column -> describe(column, used));
      Iterator<JsonNode> messages = layout.get("messages").iterator();
      for (ArrowBlock block : dictionaries) {
        JsonNode message = messages.next();
        try (ReadChannel channel = channel(file, block);
            ArrowDictionaryBatch batch =
                MessageSerializer.deserializeDictionaryBatch(channel, block, allocator)) {
          assertThat(message.get("dictionary").longValue()).isEqualTo(batch.getDictionaryId());
          assertThat(message.has("batch")).isFalse();
          requireSame(message, block, file, batch.getDictionary(), null, allocator);
        }
      }
      long rowOffset = 0;
      for (ArrowBlock block : batches) {
        JsonNode message = messages.next();
        try (ReadChannel channel = channel(file, block);
            ArrowRecordBatch batch =
                MessageSerializer.deserializeRecordBatch(channel, block, allocator)) {
          assertThat(message.get("batch").longValue())
              .isEqualTo(message.get("index").longValue() - dictionaries.size());
          assertThat(message.get("rowOffset").longValue()).isEqualTo(rowOffset);
          rowOffset += batch.getLength();
          requireSame(message, block, file, batch, used, allocator);
        }
      }
      assertThat(layout.get("rows").longValue()).isEqualTo(rowOffset);
    }
  }

  /// Returns the metadata of a batch: `ArrowRecordBatch` calculates positions of its own.
  private static RecordBatch header(byte[] file, ArrowBlock block) {
    int start = (int) block.getOffset() + 8;
    ByteBuffer metadata = ByteBuffer.wrap(file, start, block.getMetadataLength() - 8).slice();
    Message message = Message.getRootAsMessage(metadata);
    return message.headerType() == MessageHeader.DictionaryBatch
        ? ((DictionaryBatch) message.header(new DictionaryBatch())).data()
        : (RecordBatch) message.header(new RecordBatch());
  }

  private static ReadChannel channel(byte[] file, ArrowBlock block) throws Exception {
    ByteArrayReadableSeekableByteChannel channel = new ByteArrayReadableSeekableByteChannel(file);
    channel.position(block.getOffset());
    return new ReadChannel(channel);
  }

  private static void describe(Field field, List<Field> fields) {
    fields.add(field);
    field.getChildren().forEach(child -> describe(child, fields));
  }

  /// @param fields the fields of the nodes, or null if Arrow Java does not tell them
  private static void requireSame(
      JsonNode message,
      ArrowBlock block,
      byte[] file,
      ArrowRecordBatch batch,
      @Nullable List<Field> fields,
      BufferAllocator allocator) {
    assertThat(message.get("offset").longValue()).isEqualTo(block.getOffset());
    assertThat(message.get("metaDataLength").longValue()).isEqualTo(block.getMetadataLength());
    assertThat(message.get("bodyLength").longValue()).isEqualTo(block.getBodyLength());
    assertThat(message.get("rows").intValue()).isEqualTo(batch.getLength());
    CodecType codec = CodecType.fromCompressionType(batch.getBodyCompression().getCodec());
    assertThat(message.get("codec").isNull()).isEqualTo(codec == CodecType.NO_COMPRESSION);
    RecordBatch header = header(file, block);
    int bufferIndex = 0;
    Iterator<ArrowBuf> buffers = batch.getBuffers().iterator();
    long bodyOffset = block.getOffset() + block.getMetadataLength();
    for (int i = 0; i < batch.getNodes().size(); i++) {
      JsonNode field = message.get("fields").get(i);
      ArrowFieldNode node = batch.getNodes().get(i);
      assertThat(field.get("length").longValue()).isEqualTo(node.getLength());
      assertThat(field.get("nullCount").longValue()).isEqualTo(node.getNullCount());
      if (fields != null) {
        assertThat(field.get("path").asString()).endsWith(fields.get(i).getName());
        assertThat(field.get("buffers"))
            .extracting(buffer -> buffer.get("role").asString())
            .isEqualTo(
                TypeLayout.getTypeLayout(fields.get(i).getType()).getBufferTypes().stream()
                    .map(type -> ROLES.get(type.name()))
                    .toList());
      }
      for (JsonNode buffer : field.get("buffers")) {
        Buffer place = header.buffers(bufferIndex++);
        assertThat(buffer.get("offset").longValue()).isEqualTo(bodyOffset + place.offset());
        assertThat(buffer.get("length").longValue()).isEqualTo(place.length());
        assertThat(buffer.get("uncompressedLength").longValue())
            .isEqualTo(uncompressed(buffers.next(), codec, allocator));
      }
    }
    assertThat(message.get("fields").size()).isEqualTo(batch.getNodes().size());
    assertThat(bufferIndex).isEqualTo(header.buffersLength());
  }

  private static long uncompressed(ArrowBuf buffer, CodecType type, BufferAllocator allocator) {
    if (type == CodecType.NO_COMPRESSION || buffer.writerIndex() == 0) {
      return buffer.writerIndex();
    }
    CompressionCodec codec = CommonsCompressionFactory.INSTANCE.createCodec(type);
    buffer.getReferenceManager().retain();
    try (ArrowBuf decompressed = codec.decompress(allocator, buffer)) {
      return decompressed.writerIndex();
    }
  }
}
