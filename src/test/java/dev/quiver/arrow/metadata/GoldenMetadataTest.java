package dev.quiver.arrow.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.TestData;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests that the metadata of the official golden files, from several releases and writers,
/// survives a round trip. The metadata of fuzzing inputs that once broke other libraries is read or
/// rejected.
///
/// `dev.quiver.golden` compares the golden files with their JSON.
class GoldenMetadataTest {

  private static final int CONTINUATION = -1;

  @Test
  void goldenStreamMetadataRoundTrips() throws IOException {
    List<Path> streams = files("arrow-ipc-stream/integration", ".stream");
    assertThat(streams).hasSizeGreaterThan(50);
    for (Path stream : streams) {
      List<Message> messages =
          flatbuffers(Files.readAllBytes(stream)).stream()
              .map(bytes -> MessageDecoder.decode(MemorySegment.ofArray(bytes), Limits.DEFAULT))
              .toList();
      assertThat(messages.getFirst().header())
          .as(stream.toString())
          .isInstanceOf(SchemaHeader.class);
      for (Message message : messages) {
        assertWritten(message);
      }
    }
  }

  @Test
  void goldenFileFootersRoundTrip() throws IOException {
    List<Path> files = files("arrow-ipc-stream/integration", ".arrow_file");
    assertThat(files).hasSizeGreaterThan(50);
    for (Path file : files) {
      Footer footer =
          FooterDecoder.decode(
              MemorySegment.ofArray(footer(Files.readAllBytes(file))), Limits.DEFAULT);
      Footer written =
          FooterDecoder.decode(MemorySegment.ofArray(FooterEncoder.encode(footer)), Limits.DEFAULT);
      assertThat(written)
          .as(file.toString())
          .isEqualTo(
              new Footer(
                  MetadataVersion.V5,
                  footer.schema(),
                  footer.dictionaries(),
                  footer.recordBatches(),
                  footer.customMetadata()));
    }
  }

  @Test
  void fuzzedStreamMetadataIsReadOrRejected() throws IOException {
    List<Path> inputs = files("arrow-ipc-stream", "");
    inputs.addAll(files("arrow-ipc-tensor-stream", ""));
    int read = 0;
    int rejected = 0;
    for (Path input : inputs) {
      if (input.toString().contains("integration")) {
        continue;
      }
      for (byte[] bytes : flatbuffers(Files.readAllBytes(input))) {
        try {
          MessageDecoder.decode(MemorySegment.ofArray(bytes), Limits.DEFAULT);
          read++;
        } catch (InputException e) {
          assertThat(e).hasMessageMatching("(?s)Expected .* but found .*");
          rejected++;
        }
      }
    }
    assertThat(read).isPositive();
    assertThat(rejected).isPositive();
  }

  private static void assertWritten(Message message) {
    Message written =
        MessageDecoder.decode(
            MemorySegment.ofArray(MessageEncoder.encode(message)), Limits.DEFAULT);
    assertThat(written)
        .isEqualTo(
            new Message(
                MetadataVersion.V5,
                message.header(),
                message.bodyLength(),
                message.customMetadata()));
  }

  private static List<Path> files(String folder, String suffix) throws IOException {
    try (Stream<Path> paths = Files.walk(TestData.arrowTestData().resolve(folder))) {
      return new ArrayList<>(
          paths
              .filter(Files::isRegularFile)
              .filter(path -> path.toString().endsWith(suffix))
              .toList());
    }
  }

  /// Returns the metadata of each message, up to the first invalid length.
  private static List<byte[]> flatbuffers(byte[] stream) {
    ByteBuffer buffer = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
    List<byte[]> flatbuffers = new ArrayList<>();
    while (buffer.remaining() >= 8) {
      int length = buffer.getInt();
      if (length == CONTINUATION) {
        length = buffer.getInt();
      }
      if (length <= 0 || length > buffer.remaining()) {
        return flatbuffers;
      }
      byte[] flatbuffer = new byte[length];
      buffer.get(flatbuffer);
      flatbuffers.add(flatbuffer);
      long bodyLength = bodyLength(flatbuffer);
      if (bodyLength < 0 || bodyLength > buffer.remaining()) {
        return flatbuffers;
      }
      buffer.position(buffer.position() + (int) bodyLength);
    }
    return flatbuffers;
  }

  private static long bodyLength(byte[] flatbuffer) {
    try {
      return MessageDecoder.decode(MemorySegment.ofArray(flatbuffer), Limits.DEFAULT).bodyLength();
    } catch (InputException e) {
      return -1;
    }
  }

  private static byte[] footer(byte[] file) {
    int end = file.length - 10;
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
    return Arrays.copyOfRange(file, end - length, end);
  }
}
