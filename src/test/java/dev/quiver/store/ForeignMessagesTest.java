package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.ForeignMessages;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tensors, unknown features of a schema and unsupported metadata versions, which are rejected with
/// a message that names them.
class ForeignMessagesTest {

  private static final Schema NUMBERS = Schema.of(Field.of("n", true, SampleStreams.INT32));
  private static final String TENSOR = "a tensor of int64 of shape [2, 3]";
  private static final String SPARSE_TENSOR =
      "a sparse tensor of int64 of shape [100, 100], 2 of them stored";
  private static final short V5 = 4;

  @TempDir private Path folder;
  private DatasetTestFolder data;
  private final Bytes bytes = new Bytes();
  private final MessageWriter writer = new MessageWriter(bytes);

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  @Test
  void rejectsATensorInsteadOfASchema() throws IOException {
    assertTensorsRejected("a schema as first message", "message 0, byte offset 0");
  }

  @Test
  void rejectsATensorWithinAStream() throws IOException {
    long end = writer.writeSchema(NUMBERS).end();
    assertTensorsRejected("a dictionary batch or record batch", "message 1, byte offset " + end);
  }

  /// A message without a block is not a part of the file.
  @Test
  void ignoresATensorWithoutABlockInAFile() throws IOException {
    writer.writeFileHeader();
    writer.writeSchema(NUMBERS);
    writeTensor(ForeignMessages.tensor());
    writeFooter(List.of());
    assertThat(data.put(bytes.toByteArray()).file().batches()).isZero();
  }

  @Test
  void rejectsATensorWithABlockInAFile() throws IOException {
    writer.writeFileHeader();
    writer.writeSchema(NUMBERS);
    Block block = writeTensor(ForeignMessages.sparseTensor());
    writeFooter(List.of(block));
    assertThatThrownBy(() -> data.put(bytes.toByteArray()))
        .isInstanceOf(MalformedInputException.class)
        .hasMessageStartingWith("Expected a record batch but found " + SPARSE_TENSOR + " at ");
    data.assertEmpty();
  }

  @ParameterizedTest
  @CsvSource({"3, 3", "7, 7", "-1, -1"})
  void rejectsUnknownFeatures(long code, String found) throws IOException {
    writer.writeMetadata(ForeignMessages.schema(V5, 1, code), 0);
    assertRejected(
        "Expected a feature of 0 to 2 but found "
            + found
            + " at message 0, byte offset 0, Schema.features[1]");
  }

  @ParameterizedTest
  @CsvSource({"0, V1", "2, V3", "5, V6"})
  void rejectsUnsupportedMetadataVersions(short code, String found) throws IOException {
    writer.writeMetadata(ForeignMessages.schema(code), 0);
    assertRejected(
        "Expected metadata version V4 or V5 but found "
            + found
            + " at message 0, byte offset 0, Message.version");
  }

  private void assertTensorsRejected(String expected, String where) throws IOException {
    byte[] before = bytes.toByteArray();
    writeTensor(ForeignMessages.tensor());
    assertRejected("Expected %s but found %s at %s".formatted(expected, TENSOR, where));

    Bytes sparse = new Bytes().bytes(before);
    MessageWriter sparseWriter = new MessageWriter(sparse);
    sparseWriter.writeMetadata(ForeignMessages.sparseTensor(), ForeignMessages.BODY_BYTE_SIZE);
    sparse.bytes(new byte[(int) ForeignMessages.BODY_BYTE_SIZE]);
    assertThatThrownBy(() -> data.put(sparse.toByteArray()))
        .isInstanceOf(UnsupportedInputException.class)
        .hasMessage("Expected %s but found %s at %s", expected, SPARSE_TENSOR, where);
    data.assertEmpty();
  }

  private void assertRejected(String message) throws IOException {
    assertThatThrownBy(() -> data.put(bytes.toByteArray()))
        .isInstanceOf(UnsupportedInputException.class)
        .hasMessage(message);
    data.assertEmpty();
  }

  private Block writeTensor(MemorySegment metadata) throws IOException {
    Block block = writer.writeMetadata(metadata, ForeignMessages.BODY_BYTE_SIZE);
    writer.write(MemorySegment.ofArray(new byte[(int) ForeignMessages.BODY_BYTE_SIZE]));
    return block;
  }

  private void writeFooter(List<Block> batches) throws IOException {
    writer.writeEndOfStream();
    writer.writeFooter(new Footer(MetadataVersion.V5, NUMBERS, List.of(), batches, Metadata.EMPTY));
  }
}
