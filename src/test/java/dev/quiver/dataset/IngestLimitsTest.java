package dev.quiver.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.columnar.ArrayBuilder;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.DictionaryEncoding;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Schema;
import dev.quiver.ipc.Bytes;
import dev.quiver.ipc.StreamWriter;
import dev.quiver.memory.Limit;
import dev.quiver.memory.Limits;
import dev.quiver.memory.TooLargeInputException;
import dev.quiver.metadata.CompressionType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Both sides of each limit on uploads, and that the error names it. Those on metadata and on what
/// compression unfolds to are tested where they are read.
class IngestLimitsTest {

  @TempDir private Path folder;

  @Test
  void recordBatches() throws IOException {
    byte[] stream = SampleStreams.stream(1, 2, 3);
    assertLimited(
        stream,
        3,
        maximum -> limits(Integer.MAX_VALUE, Integer.MAX_VALUE, 1 << 20, maximum),
        "Expected at most 2 record batches in an upload (quiver.limits.upload-batches) but found 3"
            + " at message 4, byte offset ");
  }

  @Test
  void rowsOfABatch() throws IOException {
    byte[] stream = SampleStreams.stream(1, 7, 3);
    assertLimited(
        stream,
        7,
        maximum -> limits(Integer.MAX_VALUE, maximum, 1 << 20, 100),
        "Expected at most 6 rows in a record batch (quiver.limits.batch-rows) but found 7 at"
            + " message 3, byte offset ");
  }

  @Test
  void bytesOfABody() throws IOException {
    byte[] stream = SampleStreams.stream(1, 100);
    assertLimited(
        stream,
        640,
        maximum -> limits(maximum, Integer.MAX_VALUE, 1 << 20, 100),
        "Expected at most 639 bytes in a body (quiver.limits.body-bytes) but found 640 at message 3,"
            + " byte offset ");
  }

  @Test
  void bytesOfADictionary() throws IOException {
    byte[] stream = dictionary(null);
    assertLimited(
        stream,
        1088,
        maximum -> limits(Integer.MAX_VALUE, Integer.MAX_VALUE, maximum, 100),
        "Expected at most 1087 bytes of a dictionary (quiver.limits.dictionary-bytes) but found 1088"
            + " at message 1, byte offset ");
  }

  @Test
  void bytesOfADecompressedDictionary() throws IOException {
    byte[] stream = dictionary(CompressionType.ZSTD);
    assertThat(stream.length).isLessThan(1024);
    assertLimited(
        stream,
        1008,
        maximum -> limits(Integer.MAX_VALUE, Integer.MAX_VALUE, maximum, 100),
        "Expected at most 1007 bytes of a dictionary (quiver.limits.dictionary-bytes) but found 1008"
            + " at message 1, byte offset ");
  }

  @Test
  void bytesOfARequest() throws IOException {
    byte[] stream = SampleStreams.stream(1, 2, 3);
    new DatasetTestFolder(
            folder.resolve("taken"),
            new DatasetOptions(Limits.DEFAULT, DatasetOptions.requestBytes(stream.length)))
        .put(stream);
    Limit smaller = DatasetOptions.requestBytes(stream.length - 1);
    DatasetTestFolder refusing =
        new DatasetTestFolder(
            folder.resolve("refused"), new DatasetOptions(Limits.DEFAULT, smaller));
    assertThatThrownBy(() -> refusing.put(stream))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most %d bytes in a request (quiver.limits.request-bytes) but found %d"
                .formatted(stream.length - 1, stream.length));
    refusing.assertEmpty();
  }

  private void assertLimited(
      byte[] stream, long least, Function<Long, Limits> limits, String message) throws IOException {
    new DatasetTestFolder(folder.resolve("taken"), limits.apply(least)).put(stream);
    DatasetTestFolder refusing =
        new DatasetTestFolder(folder.resolve("refused"), limits.apply(least - 1));
    assertThatThrownBy(() -> refusing.put(stream))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageStartingWith(message);
    refusing.assertEmpty();
  }

  private static Limits limits(
      long bodyBytes, long batchRows, long dictionaryBytes, long uploadBatches) {
    return Limits.of(1 << 20, bodyBytes, batchRows, 100, 10, dictionaryBytes, 1000, uploadBatches);
  }

  /// Two words of 500 letters by dictionary.
  private static byte[] dictionary(@Nullable CompressionType codec) throws IOException {
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
