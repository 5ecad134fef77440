package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Data of big-endian machines is stored as little-endian: the bodies, and each schema that
/// declares the byte order.
class BigEndianUploadsTest {

  private static final Schema NUMBERS = Schema.of(Field.of("n", true, SampleStreams.INT32));
  private static final Schema BIG_ENDIAN_NUMBERS = NUMBERS.withEndianness(Endianness.BIG);

  @TempDir private Path folder;
  private DatasetTestFolder data;

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  @Test
  void storesABigEndianStreamAsLittleEndian() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(BIG_ENDIAN_NUMBERS);
    writeNumbers(writer);
    writer.writeEndOfStream();
    assertStored(bytes);
  }

  @Test
  void storesABigEndianFileAsLittleEndian() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeFileHeader();
    writer.writeSchema(BIG_ENDIAN_NUMBERS);
    writeFooter(writer, writeNumbers(writer));
    assertStored(bytes);
  }

  @Test
  void storesABigEndianFileWithoutASchemaMessageAsLittleEndian() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeFileHeader();
    writeFooter(writer, writeNumbers(writer));
    assertStored(bytes);
  }

  private void assertStored(Bytes upload) throws IOException {
    data.put(upload.toByteArray());
    try (Arena arena = Arena.ofConfined()) {
      FileReader file = new FileReader(MemorySegment.ofArray(data.file()), Limits.DEFAULT, arena);
      assertThat(file.footer().schema()).isEqualTo(NUMBERS);
      assertThat(Values.of(file.batch(0).columns().getFirst())).containsExactly(1L, 2L);
    }
    ByteSource stream = ByteSource.of(MemorySegment.ofArray(data.stream()));
    assertThat(MessageReader.schemaOf(new MessageReader(stream, Limits.DEFAULT).readSchema()))
        .isEqualTo(NUMBERS);
  }

  /// Writes the numbers 1 and 2 in big-endian byte order.
  private static Block writeNumbers(MessageWriter writer) throws IOException {
    ArrayData numbers =
        new ArrayBuilder(Arena.ofAuto())
            .array(NUMBERS.fields().getFirst(), List.of(0x01000000, 0x02000000));
    return writer.writeRecordBatch(
        EncodedBody.of(2, List.of(numbers), Codec.NONE, Arena.ofAuto()), Metadata.EMPTY);
  }

  private static void writeFooter(MessageWriter writer, Block batch) throws IOException {
    writer.writeEndOfStream();
    writer.writeFooter(
        new Footer(
            MetadataVersion.V5, BIG_ENDIAN_NUMBERS, List.of(), List.of(batch), Metadata.EMPTY));
  }
}
