package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.Flat.assertRejected;
import static dev.quiver.arrow.metadata.Flat.int32;
import static dev.quiver.arrow.metadata.Flat.message;
import static dev.quiver.arrow.metadata.Flat.schema;
import static dev.quiver.arrow.metadata.FlatBytes.int64s;
import static dev.quiver.arrow.metadata.FlatBytes.table;
import static dev.quiver.arrow.metadata.FlatBytes.tables;
import static dev.quiver.arrow.metadata.FlatBytes.text;
import static dev.quiver.arrow.metadata.TensorSlots.*;
import static dev.quiver.arrow.metadata.VtableSlots.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.FlatBytes.Table;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.SparseTensorHeader;
import dev.quiver.arrow.metadata.MessageHeader.TensorHeader;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests that invalid messages, batches and footers are rejected with an error that names the
/// location.
///
/// `MalformedSchemaTest` covers schemas, `MalformedFlatBufferTest` invalid FlatBuffers buffers.
class MalformedMetadataTest {

  // ---- messages ----

  @Test
  void errorNamesAnUnsupportedVersion() {
    for (int version : new int[] {1, 2, 3, 6, 32768}) {
      assertUnsupported(
          message(HeaderCode.SCHEMA, schema()).put(MESSAGE_VERSION, version - 1),
          "Expected metadata version V4 or V5 but found V" + version + " at Message.version");
    }
    assertUnsupported(
        message(HeaderCode.SCHEMA, schema()).without(MESSAGE_VERSION),
        "Expected metadata version V4 or V5 but found V1 at Message.version");
    assertUnsupported(
        message(HeaderCode.SCHEMA, schema()).put(MESSAGE_VERSION, -1),
        "Expected metadata version V4 or V5 but found code -1 at Message.version");
  }

  @Test
  void acceptsVersion4() {
    Message message = Flat.decode(message(HeaderCode.SCHEMA, schema()).put(MESSAGE_VERSION, 3));
    assertThat(message.version()).isEqualTo(MetadataVersion.V4);
  }

  @Test
  void rejectsAnAbsentOrUnknownHeader() {
    assertUnsupported(
        message(HeaderCode.SCHEMA, schema()).put(MESSAGE_HEADER_TYPE, 6),
        "Expected a code of 0 (NONE) to 5 (SPARSE_TENSOR) but found 6 at Message.header_type");
    assertMalformed(
        message(HeaderCode.NONE, schema()),
        "Expected the code of a header but found 0 (NONE) at Message.header_type");
    assertMalformed(
        message(HeaderCode.SCHEMA, schema()).without(MESSAGE_HEADER),
        "Expected a table but found none at Message.header");
  }

  @Test
  void recognizesTensors() {
    Table shape = table().put(TENSOR_DIM_SIZE, 3);
    assertThat(
            Flat.decode(
                    message(
                        HeaderCode.TENSOR,
                        table()
                            .put(TENSOR_TYPE_TYPE, TypeCode.INT.ordinal())
                            .put(TENSOR_TYPE, Flat.intType(32))
                            .put(TENSOR_SHAPE, tables(shape, table()))))
                .header())
        .isEqualTo(new TensorHeader(Samples.INT32, List.of(3L, 0L)));
    assertThat(
            Flat.decode(
                    message(
                        HeaderCode.SPARSE_TENSOR,
                        table()
                            .put(SPARSE_TENSOR_TYPE_TYPE, TypeCode.INT.ordinal())
                            .put(SPARSE_TENSOR_TYPE, Flat.intType(32))
                            .put(SPARSE_TENSOR_SHAPE, tables(shape))
                            .put(SPARSE_TENSOR_NON_ZERO_LENGTH, 2)))
                .header())
        .isEqualTo(new SparseTensorHeader(Samples.INT32, List.of(3L), 2));
    assertThat(Flat.decode(message(HeaderCode.TENSOR, table())).header())
        .isEqualTo(new TensorHeader(null, List.of()));
    assertUnsupported(
        message(
            HeaderCode.TENSOR,
            table()
                .put(TENSOR_SHAPE, tables(Collections.nCopies(65, shape).toArray(Table[]::new)))),
        "Expected at most 64 dimensions but found 65 at Tensor.shape");
  }

  @Test
  void rejectsAnInvalidBodyLength() {
    assertMalformed(
        batch().put(MESSAGE_BODY_LENGTH, -1),
        "Expected 0 or more but found -1 at Message.bodyLength");
    assertMalformed(
        message(HeaderCode.SCHEMA, schema()).put(MESSAGE_BODY_LENGTH, 8),
        "Expected 0 bytes after a schema but found 8 at Message.bodyLength");
  }

  @Test
  void limitsTheBodyLength() {
    assertRejected(
        () -> decodeLimited(batch().put(MESSAGE_BODY_LENGTH, 4097)),
        TooLargeInputException.class,
        "Expected at most 4096 bytes in a body (body-bytes) but found 4097 at"
            + " Message.bodyLength");
    assertThat(decodeLimited(batch().put(MESSAGE_BODY_LENGTH, 4096)).bodyLength()).isEqualTo(4096);
  }

  @Test
  void readsExperimentalCompressionAsBodyCompression() {
    for (CompressionType codec : CompressionType.values()) {
      String name = codec == CompressionType.ZSTD ? "ZSTD" : "LZ4";
      Table message = batch().put(MESSAGE_CUSTOM_METADATA, tables(experimental(name), other()));
      Message modern = Flat.decode(message);
      assertThat(modern.customMetadata().entries()).hasSize(2);
      assertThat(((RecordBatchHeader) modern.header()).compression()).isNull();
      Message old = Flat.decode(message.put(MESSAGE_VERSION, 3));
      assertThat(old.customMetadata()).isEqualTo(Metadata.of(KeyValue.of("k", "v")));
      assertThat(((RecordBatchHeader) old.header()).compression())
          .isEqualTo(new BodyCompression(codec));
    }
    assertUnsupported(
        batch()
            .put(MESSAGE_VERSION, 3)
            .put(MESSAGE_CUSTOM_METADATA, tables(experimental("BROTLI"))),
        "Expected LZ4 or ZSTD as ARROW:experimental_compression but found \"BROTLI\" at"
            + " Message.custom_metadata");
  }

  private static Table experimental(String codec) {
    return table()
        .put(KEY_VALUE_KEY, text("ARROW:experimental_compression"))
        .put(KEY_VALUE_VALUE, text(codec));
  }

  private static Table other() {
    return table().put(KEY_VALUE_KEY, text("k")).put(KEY_VALUE_VALUE, text("v"));
  }

  // ---- batches ----

  @Test
  void rejectsANegativeBatchLength() {
    assertMalformed(
        batch(table().put(RECORD_BATCH_LENGTH, -1)),
        "Expected 0 or more but found -1 at RecordBatch.length");
  }

  @Test
  void limitsTheBatchLength() {
    assertRejected(
        () -> decodeLimited(batch(table().put(RECORD_BATCH_LENGTH, 1001))),
        TooLargeInputException.class,
        "Expected at most 1000 rows in a record batch (batch-rows) but found 1001 at"
            + " RecordBatch.length");
    decodeLimited(batch(table().put(RECORD_BATCH_LENGTH, 1000)));
  }

  @Test
  void rejectsInvalidNodes() {
    assertMalformed(
        batch(table().put(RECORD_BATCH_NODES, int64s(2, 5, 0, -1, 0))),
        "Expected 0 or more but found -1 at RecordBatch.nodes[1].length");
    assertMalformed(
        batch(table().put(RECORD_BATCH_NODES, int64s(2, 5, 6))),
        "Expected -1 (unknown) to 5 but found 6 at RecordBatch.nodes[0].null_count");
    assertMalformed(
        batch(table().put(RECORD_BATCH_NODES, int64s(2, 5, -2))),
        "Expected -1 (unknown) to 5 but found -2 at RecordBatch.nodes[0].null_count");
  }

  @Test
  void rejectsInvalidBuffers() {
    assertMalformed(
        batch(table().put(RECORD_BATCH_BUFFERS, int64s(2, -8, 0))),
        "Expected 0 or more but found -8 at RecordBatch.buffers[0].offset");
    assertMalformed(
        batch(table().put(RECORD_BATCH_BUFFERS, int64s(2, 8, -1))),
        "Expected 0 or more but found -1 at RecordBatch.buffers[0].length");
    assertMalformed(
        batch(table().put(RECORD_BATCH_BUFFERS, int64s(2, 0, 8, Long.MAX_VALUE - 7, 8))),
        "Expected at most 7 but found 8 at RecordBatch.buffers[1].length");
  }

  @Test
  void rejectsANegativeVariadicBufferCount() {
    assertMalformed(
        batch(table().put(RECORD_BATCH_VARIADIC_BUFFER_COUNTS, int64s(1, 0, 3, -1))),
        "Expected 0 or more but found -1 at RecordBatch.variadicBufferCounts[2]");
  }

  @Test
  void rejectsUnknownCompression() {
    assertUnsupported(
        batch(table().put(RECORD_BATCH_COMPRESSION, table().put(BODY_COMPRESSION_CODEC, 2))),
        "Expected a code of 0 (LZ4_FRAME) to 1 (ZSTD) but found 2 at BodyCompression.codec");
    assertUnsupported(
        batch(table().put(RECORD_BATCH_COMPRESSION, table().put(BODY_COMPRESSION_METHOD, 1))),
        "Expected 0 (BUFFER) but found 1 at BodyCompression.method");
  }

  @Test
  void rejectsADictionaryBatchWithoutValues() {
    assertMalformed(
        message(HeaderCode.DICTIONARY_BATCH, table().put(DICTIONARY_BATCH_ID, 1)),
        "Expected a table but found none at DictionaryBatch.data");
  }

  // ---- footers ----

  @Test
  void rejectsAFooterOfAnUnknownVersionOrWithoutASchema() {
    assertRejected(
        () -> Flat.decodeFooter(footer().put(FOOTER_VERSION, 5)),
        UnsupportedInputException.class,
        "Expected metadata version V4 or V5 but found V6 at Footer.version");
    assertRejected(
        () -> Flat.decodeFooter(footer().put(FOOTER_VERSION, 2)),
        UnsupportedInputException.class,
        "Expected metadata version V4 or V5 but found V3 at Footer.version");
    assertMalformedFooter(
        footer().without(FOOTER_SCHEMA), "Expected a table but found none at Footer.schema");
  }

  @Test
  void rejectsInvalidBlocks() {
    assertMalformedFooter(
        footer().put(FOOTER_RECORD_BATCHES, int64s(3, 8, 64, 8, -1, 64, 8)),
        "Expected 0 or more but found -1 at Footer.recordBatches[1].offset");
    assertMalformedFooter(
        footer().put(FOOTER_DICTIONARIES, int64s(3, 8, 0xFFFFFFF8L, 8)),
        "Expected 0 or more but found -8 at Footer.dictionaries[0].metaDataLength");
    assertMalformedFooter(
        footer().put(FOOTER_RECORD_BATCHES, int64s(3, 8, 64, Long.MIN_VALUE)),
        "Expected 0 or more but found -9223372036854775808 at Footer.recordBatches[0].bodyLength");
    assertMalformedFooter(
        footer().put(FOOTER_RECORD_BATCHES, int64s(3, Long.MAX_VALUE - 64, 64, 1)),
        "Expected an end below 2^63 but found 9223372036854775743 + 64 + 1 at"
            + " Footer.recordBatches[0].bodyLength");
    assertMalformedFooter(
        footer().put(FOOTER_RECORD_BATCHES, int64s(3, Long.MAX_VALUE, 8, 0)),
        "Expected an end below 2^63 but found 9223372036854775807 + 8 + 0 at"
            + " Footer.recordBatches[0].bodyLength");
    assertThat(
            Flat.decodeFooter(
                    footer().put(FOOTER_RECORD_BATCHES, int64s(3, Long.MAX_VALUE - 65, 64, 1)))
                .recordBatches()
                .getFirst()
                .end())
        .isEqualTo(Long.MAX_VALUE);
  }

  private static Table batch() {
    return batch(table());
  }

  private static Table batch(Table header) {
    return message(HeaderCode.RECORD_BATCH, header);
  }

  private static Table footer() {
    return table().put(FOOTER_VERSION, 4).put(FOOTER_SCHEMA, schema(int32("a")));
  }

  private static Message decodeLimited(Table message) {
    Limits limits = Limits.of(1 << 20, 4096, 1000, 100, 64, 1 << 20, 1000, 1000);
    return MessageDecoder.decode(FlatBytes.build(message), limits);
  }

  private static void assertMalformed(Table message, String error) {
    assertRejected(message, MalformedInputException.class, error);
  }

  private static void assertUnsupported(Table message, String error) {
    assertRejected(message, UnsupportedInputException.class, error);
  }

  private static void assertMalformedFooter(Table footer, String error) {
    assertRejected(() -> Flat.decodeFooter(footer), MalformedInputException.class, error);
  }
}
