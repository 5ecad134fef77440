package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Both sides of each limit on uploads, and the errors that name it. The limits on metadata and on
/// decompression are tested with their readers.
class IngestLimitsTest {

  @TempDir private Path folder;

  @Test
  void limitsRecordBatches() throws IOException {
    byte[] stream = SampleStreams.stream(1, 2, 3);
    assertLimited(
        stream,
        3,
        maximum -> limits(Integer.MAX_VALUE, Integer.MAX_VALUE, 1 << 20, maximum),
        "Expected at most 2 record batches in an upload (upload-batches) but found 3"
            + " at message 4, byte offset ");
  }

  @Test
  void limitsRowsOfABatch() throws IOException {
    byte[] stream = SampleStreams.stream(1, 7, 3);
    assertLimited(
        stream,
        7,
        maximum -> limits(Integer.MAX_VALUE, maximum, 1 << 20, 100),
        "Expected at most 6 rows in a record batch (batch-rows) but found 7 at"
            + " message 3, byte offset ");
  }

  @Test
  void limitsBytesOfABody() throws IOException {
    byte[] stream = SampleStreams.stream(1, 100);
    assertLimited(
        stream,
        640,
        maximum -> limits(maximum, Integer.MAX_VALUE, 1 << 20, 100),
        "Expected at most 639 bytes in a body (body-bytes) but found 640 at message 3,"
            + " byte offset ");
  }

  /// Three columns share the same bytes.
  @Test
  void limitsBytesOfOverlappingBuffers() throws IOException {
    Field field = Field.of("n", true, SampleStreams.INT32);
    Buffer none = new Buffer(0, 0);
    Buffer shared = new Buffer(0, 64);
    FieldNode node = new FieldNode(1, 0);
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(Schema.of(field, field, field));
    RecordBatchHeader header =
        new RecordBatchHeader(
            1,
            List.of(node, node, node),
            List.of(none, shared, none, shared, none, shared),
            null,
            List.of());
    writer.write(header, Metadata.EMPTY, 64);
    writer.write(MemorySegment.ofArray(new byte[64]));
    byte[] stream = bytes.toByteArray();
    assertLimited(
        stream,
        3,
        maximum -> Limits.of(1 << 20, 1 << 20, 100, 100, 10, 1 << 20, maximum, 100),
        "Expected at most 2 bytes of buffers per byte of a body (decompression-ratio)"
            + " but found 3 at message 1, byte offset ");
    folder = folder.resolve("body");
    assertLimited(
        stream,
        192,
        maximum -> Limits.of(1 << 20, maximum, 100, 100, 10, 1 << 20, 100, 100),
        "Expected at most 191 bytes in a body (body-bytes) but found 192 at message"
            + " 1, byte offset ");
  }

  @Test
  void limitsBytesOfADictionary() throws IOException {
    byte[] stream = dictionary(Codec.NONE);
    assertLimited(
        stream,
        1088,
        maximum -> limits(Integer.MAX_VALUE, Integer.MAX_VALUE, maximum, 100),
        "Expected at most 1087 bytes of a dictionary (dictionary-bytes) but found 1088"
            + " at message 1, byte offset ");
  }

  @Test
  void limitsBytesOfADecompressedDictionary() throws IOException {
    byte[] stream = dictionary(Codec.ZSTD);
    assertThat(stream.length).isLessThan(1024);
    assertLimited(
        stream,
        1008,
        maximum -> limits(Integer.MAX_VALUE, Integer.MAX_VALUE, maximum, 100),
        "Expected at most 1007 bytes of a dictionary (dictionary-bytes) but found 1008"
            + " at message 1, byte offset ");
  }

  @Test
  void limitsBytesOfARequest() throws IOException {
    byte[] stream = SampleStreams.stream(1, 2, 3);
    new DatasetTestFolder(
            folder.resolve("accepted"),
            new DatasetOptions(Limits.DEFAULT, new Limit("request-bytes", stream.length)))
        .put(stream);
    Limit smaller = new Limit("request-bytes", stream.length - 1);
    DatasetTestFolder rejecting =
        new DatasetTestFolder(
            folder.resolve("rejected"), new DatasetOptions(Limits.DEFAULT, smaller));
    assertThatThrownBy(() -> rejecting.put(stream))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most %d bytes in a request (request-bytes) but found %d"
                .formatted(stream.length - 1, stream.length));
    rejecting.assertEmpty();
  }

  /// The charge is five bytes for each byte of metadata of the schema and of the largest other
  /// message.
  @Test
  void limitsBytesInFlight() throws IOException {
    byte[] stream = SampleStreams.stream(1, 2);
    MessageReader messages =
        new MessageReader(ByteSource.of(MemorySegment.ofArray(stream)), Limits.DEFAULT);
    long schemaByteSize = messages.readSchema().metadata().byteSize();
    long largestByteSize = 0;
    for (EncapsulatedMessage message = messages.next();
        message != null;
        message = messages.next()) {
      largestByteSize = Math.max(largestByteSize, message.metadata().byteSize());
    }
    long needed = 5 * (schemaByteSize + largestByteSize);
    InFlightBytes enough = new InFlightBytes(needed);
    new DatasetTestFolder(folder.resolve("accepted"), options(enough)).put(stream);
    assertThat(enough.taken()).isZero();

    InFlightBytes tooFew = new InFlightBytes(needed - 1);
    DatasetTestFolder rejecting =
        new DatasetTestFolder(folder.resolve("rejected"), options(tooFew));
    assertThatThrownBy(() -> rejecting.put(stream))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageStartingWith(
            "Expected at most %d bytes in flight (in-flight-bytes) but found %d at"
                .formatted(needed - 1, needed));
    rejecting.assertEmpty();
    assertThat(tooFew.taken()).isZero();
  }

  @Test
  void bytesInFlightIncludeOtherRequests() throws IOException {
    byte[] stream = SampleStreams.stream(1, 2);
    InFlightBytes shared = new InFlightBytes(1 << 20);
    DatasetTestFolder data = new DatasetTestFolder(folder, options(shared));
    try (InFlightBytes.Charge other = shared.open()) {
      other.take(1 << 20, InputLocation.UNKNOWN);
      assertThatThrownBy(() -> data.put(stream))
          .isInstanceOf(OverloadedException.class)
          .hasMessage(
              "Expected at most 1048576 bytes in flight (in-flight-bytes) but found"
                  + " more, with those of other requests");
      data.assertEmpty();
      assertThat(shared.taken()).isEqualTo(1 << 20);
    }
    data.put(stream);
    assertThat(shared.taken()).isZero();
  }

  /// The decoded footer counts, too.
  @Test
  void limitsBytesInFlightOfAFooter() throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder.resolve("file"));
    data.put(SampleStreams.stream(1, 2));
    byte[] file = data.file();
    MemorySegment segment = MemorySegment.ofArray(file);
    long needed = 4L * FileReader.footerByteSize(segment, Limits.DEFAULT);
    new DatasetTestFolder(folder.resolve("accepted"), options(new InFlightBytes(needed))).put(file);
    DatasetTestFolder rejecting =
        new DatasetTestFolder(folder.resolve("rejected"), options(new InFlightBytes(needed - 1)));
    assertThatThrownBy(() -> rejecting.put(file))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageStartingWith(
            "Expected at most %d bytes in flight (in-flight-bytes) but found %d at"
                .formatted(needed - 1, needed));
    rejecting.assertEmpty();
  }

  private static DatasetOptions options(InFlightBytes inFlight) {
    return new DatasetOptions(Limits.DEFAULT, DatasetOptions.DEFAULT.requestBytes(), inFlight);
  }

  private void assertLimited(
      byte[] stream, long minimum, Function<Long, Limits> limits, String message)
      throws IOException {
    new DatasetTestFolder(folder.resolve("accepted"), limits.apply(minimum)).put(stream);
    DatasetTestFolder rejecting =
        new DatasetTestFolder(folder.resolve("rejected"), limits.apply(minimum - 1));
    assertThatThrownBy(() -> rejecting.put(stream))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageStartingWith(message);
    rejecting.assertEmpty();
  }

  private static Limits limits(
      long bodyBytes, long batchRows, long dictionaryBytes, long uploadBatches) {
    return Limits.of(1 << 20, bodyBytes, batchRows, 100, 10, dictionaryBytes, 1000, uploadBatches);
  }

  /// Returns a stream with a dictionary of two words of about 500 letters.
  private static byte[] dictionary(Codec codec) throws IOException {
    Schema schema =
        Schema.of(
            Field.of("word", true, new ArrowType.LargeUtf8())
                .withDictionary(new DictionaryEncoding(1, SampleStreams.INT32, false)));
    List<String> words = List.of("a".repeat(500), "b".repeat(484));
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, schema, codec);
    writer.write(
        new ArrayBuilder(Arena.ofAuto(), Map.of(1L, words)).recordBatch(schema, 2, List.of(words)));
    writer.close();
    return bytes.toByteArray();
  }
}
