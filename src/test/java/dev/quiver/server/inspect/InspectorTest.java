package dev.quiver.server.inspect;

import static dev.quiver.server.inspect.InspectedInputs.TEXT;
import static dev.quiver.server.inspect.InspectedInputs.header;
import static dev.quiver.server.inspect.InspectedInputs.stream;
import static dev.quiver.server.inspect.InspectedInputs.writeText;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.ForeignMessages;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.type.Metadata;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Tests reports on streams, valid or broken in one place. `InspectedFilesTest` covers files,
/// `InspectedGoldenFilesTest` real ones.
class InspectorTest {

  @TempDir private Path folder;

  private Inspected inspect(byte[] input) throws IOException {
    return Inspected.of(MemorySegment.ofArray(input), folder);
  }

  @Test
  void reportsEveryMessageOfAStream() throws IOException {
    byte[] stream = stream(Codec.NONE, 3, 2);
    Inspected inspected = inspect(stream);
    assertThat(inspected.findings()).isEmpty();
    assertThat(inspected.types())
        .containsExactly("schema", "dictionary batch", "record batch", "record batch");
    JsonNode summary = inspected.summary();
    assertThat(summary.get("format").asString()).isEqualTo("stream");
    assertThat(summary.get("bytes").intValue()).isEqualTo(stream.length);
    assertThat(summary.get("messages").intValue()).isEqualTo(4);
    assertThat(summary.get("rows").intValue()).isEqualTo(5);
    assertThat(summary.get("acceptable").booleanValue()).isTrue();
    assertThat(summary.has("truncated")).isFalse();
    JsonNode batch = inspected.messages().get(2);
    assertThat(batch.get("nodes").toString())
        .isEqualTo(
            "[{\"path\":\"n\",\"length\":3,\"nullCount\":1},"
                + "{\"path\":\"c\",\"length\":3,\"nullCount\":0}]");
    assertThat(batch.get("buffers").get(1).toString())
        .isEqualTo(
            "{\"path\":\"n\",\"role\":\"DATA\",\"offset\":64,\"length\":12,\"alignment\":64}");
    assertThat(inspected.messages().get(1).get("dictionary").toString())
        .isEqualTo("{\"id\":7,\"delta\":false,\"event\":\"first\",\"values\":2}");
    assertThat(inspected.report().get("stream").get("end").toString())
        .isEqualTo(
            "{\"endOfStreamSeen\":true,\"offset\":%d,\"bytesAfter\":0,\"complete\":true}"
                .formatted(stream.length));
  }

  @Test
  void reportedMessagesAreContiguous() throws IOException {
    long position = 0;
    for (JsonNode message : inspect(stream(Codec.ZSTD, 300, 2)).messages()) {
      assertThat(message.get("offset").longValue()).isEqualTo(position);
      position +=
          message.get("prefixLength").longValue()
              + message.get("metadataLength").longValue()
              + message.get("bodyLength").longValue();
    }
  }

  @Test
  void reportsTheUncompressedLengthOfACompressedBuffer() throws IOException {
    JsonNode batch = inspect(stream(Codec.ZSTD, 300)).messages().get(2);
    assertThat(batch.get("codec").asString()).isEqualTo("ZSTD");
    assertThat(batch.get("buffers").get(1).get("uncompressedLength").longValue()).isEqualTo(1200);
  }

  @Test
  void spoolsLargeBodiesToAFile() throws IOException {
    Inspected inspected = inspect(stream(Codec.NONE, 1 << 20, 3, 1 << 20));
    assertThat(inspected.findings()).isEmpty();
    assertThat(inspected.summary().get("rows").intValue()).isEqualTo(3 + (2 << 20));
  }

  @Test
  void warnsOfAMissingEndOfStream() throws IOException {
    byte[] whole = stream(Codec.NONE, 3);
    Inspected inspected = inspect(Arrays.copyOf(whole, whole.length - 8));
    assertThat(inspected.findings())
        .containsExactly(
            "warning no-end-of-stream: Expected the end-of-stream marker but found the end of the"
                + " input at byte offset "
                + (whole.length - 8));
    assertThat(inspected.summary().get("acceptable").booleanValue()).isTrue();
  }

  @Test
  void reportsBytesAfterTheEnd() throws IOException {
    byte[] whole = stream(Codec.NONE, 3);
    assertThat(inspect(Arrays.copyOf(whole, whole.length + 5)).findings())
        .containsExactly(
            "warning trailing-zeros: Expected the end of the input after the end-of-stream marker"
                + " but found 5 bytes of zero at byte offset "
                + whole.length);
    Inspected twice = inspect(new Bytes().bytes(whole).bytes(whole).toByteArray());
    assertThat(twice.findings())
        .containsExactly(
            "warning unsupported: Expected the end of the input after the end of the stream but"
                + " found a second stream at byte offset "
                + whole.length);
    assertThat(twice.report().get("stream").get("end").get("bytesAfter").intValue())
        .isEqualTo(whole.length);
  }

  @Test
  void findsASecondStreamAfterManyZeros() throws IOException {
    byte[] whole = stream(Codec.NONE, 3);
    byte[] second = new Bytes().bytes(whole).bytes(new byte[200_008]).bytes(whole).toByteArray();
    Inspected inspected = inspect(second);
    assertThat(inspected.findings())
        .containsExactly(
            "warning unsupported: Expected the end of the input after the end of the stream but"
                + " found a second stream at byte offset "
                + (whole.length + 200_008));
    assertThat(inspected.report().get("stream").get("end").get("bytesAfter").intValue())
        .isEqualTo(second.length - whole.length);
  }

  /// A megabyte of gzip holds a gigabyte of zeros.
  @Test
  void readsZerosAfterTheEndInLargeBlocks() throws IOException {
    int zeros = 4 << 20;
    byte[] stream = stream(Codec.NONE, 3);
    ByteSource source =
        ByteSource.of(MemorySegment.ofArray(Arrays.copyOf(stream, stream.length + zeros)));
    long[] reads = {0};
    Inspector.inspect(
            destination -> {
              reads[0]++;
              return source.read(destination);
            },
            BodyFormat.STREAM,
            Inspected.options(folder, Limits.DEFAULT, 1 << 20))
        .close();
    assertThat(reads[0]).isLessThan(200);
  }

  @Test
  void reportsATruncatedBody() throws IOException {
    byte[] whole = stream(Codec.NONE, 3);
    Inspected inspected = inspect(Arrays.copyOf(whole, whole.length - 16));
    JsonNode batch = inspected.messages().get(2);
    assertThat(inspected.findings())
        .containsExactly(
            "error truncated: Expected a body of %s bytes but found the end of the input after %d at message 2, byte offset %s"
                .formatted(
                    batch.get("bodyLength"),
                    batch.get("bodyLength").intValue() - 8,
                    batch.get("offset")));
    assertThat(inspected.summary().get("acceptable").booleanValue()).isFalse();
  }

  @Test
  void anInvalidFrameEndsTheMessages() throws IOException {
    byte[] whole = stream(Codec.NONE, 3);
    Inspected inspected =
        inspect(
            new Bytes()
                .bytes(Arrays.copyOf(whole, whole.length - 8))
                .int32(-2)
                .int32(0)
                .toByteArray());
    assertThat(inspected.findings())
        .containsExactly(
            "error malformed: Expected the continuation marker FFFFFFFF but found bytes FEFFFFFF at"
                + " message 3, byte offset "
                + (whole.length - 8));
    assertThat(inspected.types()).hasSize(3);
    assertThat(inspected.report().get("stream").get("end").get("bytesAfter").intValue())
        .isEqualTo(4);
  }

  /// A reader would stop here.
  @Test
  void reportsMessagesAfterAnUnreadableOne() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(TEXT);
    long broken = writer.position();
    writer.write(header(new FieldNode(1, 9), 8), Metadata.EMPTY, 24);
    writer.write(MemorySegment.ofArray(new byte[24]));
    writeText(writer, new byte[] {'a'});
    writer.writeEndOfStream();
    Inspected inspected = inspect(bytes.toByteArray());
    assertThat(inspected.findings())
        .containsExactly(
            "error malformed: Expected -1 (unknown) to 1 but found 9 at message 1, byte offset "
                + broken
                + ", RecordBatch.nodes[0].null_count");
    assertThat(inspected.types()).containsExactly("schema", "record batch", "record batch");
    assertThat(inspected.messages().get(1).get("bodyLength").intValue()).isEqualTo(24);
    assertThat(inspected.summary().get("rows").intValue()).isEqualTo(1);
  }

  @Test
  void findingNamesTheViolatedRule() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(TEXT);
    writeText(writer, new byte[] {(byte) 0xFF});
    writer.writeEndOfStream();
    Inspected inspected = inspect(bytes.toByteArray());
    JsonNode finding = inspected.report().get("findings").get(0);
    assertThat(finding.get("rule").asString()).isEqualTo("UTF8");
    assertThat(finding.get("field").asString()).isEqualTo("t\"<");
    assertThat(finding.get("messageIndex").intValue()).isEqualTo(1);
    assertThat(inspected.findings()).hasSize(1);
    assertThat(inspected.findings().getFirst())
        .startsWith("error invalid: Expected UTF-8 but found ");
  }

  @Test
  void reportsABufferOutsideItsBody() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(TEXT);
    long start = writer.position();
    writer.write(header(new FieldNode(1, 0), 100), Metadata.EMPTY, 24);
    writer.write(MemorySegment.ofArray(new byte[24]));
    writer.writeEndOfStream();
    assertThat(inspect(bytes.toByteArray()).findings())
        .containsExactly(
            "error malformed: Expected a buffer within the body of 24 bytes but found offset 8 and"
                + " length 100 at message 1, byte offset "
                + start
                + ", field t\"<, RecordBatch.buffers[2]");
  }

  @Test
  void namesTensors() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    long end = writer.writeSchema(TEXT).end();
    long last = end;
    for (MemorySegment tensor : List.of(ForeignMessages.tensor(), ForeignMessages.sparseTensor())) {
      last = writer.position();
      writer.writeMetadata(tensor, ForeignMessages.BODY_BYTE_SIZE);
      writer.write(MemorySegment.ofArray(new byte[(int) ForeignMessages.BODY_BYTE_SIZE]));
    }
    writer.writeEndOfStream();
    Inspected inspected = inspect(bytes.toByteArray());
    assertThat(inspected.types()).containsExactly("schema", "tensor", "sparse tensor");
    assertThat(inspected.messages().get(1).get("cellType").asString()).isEqualTo("int64");
    assertThat(inspected.messages().get(1).get("shape")).hasToString("[2,3]");
    assertThat(inspected.messages().get(2).get("nonZeroLength").intValue()).isEqualTo(2);
    String sentence =
        "warning unsupported: Expected a dictionary batch or record batch but found %s at message"
            + " %d, byte offset %d";
    assertThat(inspected.findings())
        .containsExactly(
            sentence.formatted("a tensor of int64 of shape [2, 3]", 1, end),
            sentence.formatted(
                "a sparse tensor of int64 of shape [100, 100], 2 of them stored", 2, last));
  }

  @Test
  void reportsASecondSchema() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(TEXT);
    long second = writer.position();
    writer.writeSchema(TEXT);
    writer.writeEndOfStream();
    assertThat(inspect(bytes.toByteArray()).findings())
        .containsExactly(
            "error malformed: Expected a dictionary batch or record batch but found a second schema"
                + " at message 1, byte offset "
                + second);
  }

  @Test
  void truncatedReportCountsOmissions() throws IOException {
    int[] rows = new int[20_000];
    Arrays.fill(rows, 1);
    byte[] stream = stream(Codec.NONE, rows);
    Inspected inspected =
        Inspected.of(
            ByteSource.of(MemorySegment.ofArray(stream)),
            Inspected.options(folder, Limits.DEFAULT, 100_000));
    JsonNode truncated = inspected.summary().get("truncated");
    assertThat(truncated.get("key").asString()).isEqualTo("report-bytes");
    assertThat(truncated.get("messages").intValue() + inspected.messages().size())
        .isEqualTo(20_002);
    assertThat(inspected.messages().size()).isPositive();
    assertThat(inspected.summary().get("rows").intValue()).isEqualTo(20_000);
    assertThat(inspected.byteSize()).isBetween(50_000, 100_000);
  }

  @Test
  void reportsInputOverALimit() throws IOException {
    Limits limits = Limits.of(64L << 20, 16L << 30, 2, 100_000, 64, 1L << 30, 1_000, 1_000_000);
    Inspected inspected =
        Inspected.of(
            ByteSource.of(MemorySegment.ofArray(stream(Codec.NONE, 2, 3, 2))),
            Inspected.options(folder, limits, 1 << 20));
    assertThat(inspected.findings()).hasSize(1);
    assertThat(inspected.findings().getFirst())
        .startsWith(
            "warning too-large: Expected at most 2 rows in a record batch"
                + " (batch-rows) but found 3 at message 3, ");
    assertThat(inspected.types()).hasSize(5);
    assertThat(inspected.summary().get("acceptable").booleanValue()).isFalse();
  }

  @Test
  void rejectsAnInputThatIsTooLong() throws IOException {
    byte[] stream = stream(Codec.NONE, 3);
    for (int spare : List.of(0, -1)) {
      InspectOptions options =
          Inspected.options(
              Limits.DEFAULT, new Limit("request-bytes", stream.length + spare), 1 << 20, folder);
      if (spare == 0) {
        assertThat(Inspected.of(ByteSource.of(MemorySegment.ofArray(stream)), options).findings())
            .isEmpty();
      } else {
        assertThatThrownBy(() ->
                Inspector.inspect(
                    ByteSource.of(MemorySegment.ofArray(stream)), BodyFormat.STREAM, options))
            .isInstanceOf(TooLargeInputException.class)
            .hasMessageContaining("request-bytes");
      }
    }
  }
}
