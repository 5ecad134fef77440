package dev.quiver.formats.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.ColumnChunk;
import dev.quiver.formats.parquet.file.CompressionCodec;
import dev.quiver.formats.parquet.file.PhysicalType;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnPagesTest {

  private static final byte[] CONTENT = Pages.hex("0401 0102030405060708");

  @TempDir Path folder;

  /// Returns the header of a page with two levels of one bit and a value of eight bytes.
  ///
  /// @param kind the number of the page type
  private static byte[] header(int kind, int checksum) {
    BitWriter writer = new BitWriter();
    writer.bytes((byte) 0x15).zigzag(kind);
    writer.bytes((byte) 0x15).zigzag(CONTENT.length).bytes((byte) 0x15).zigzag(CONTENT.length);
    writer.bytes((byte) 0x15).zigzag(checksum);
    return switch (kind) {
      case 0 -> writer.bytes(Pages.hex("1C 1504 1500 1506 1506 00 00")).toBytes();
      case 2 -> writer.bytes(Pages.hex("3C 1502 1500 00 00")).toBytes();
      default -> writer.bytes(Pages.hex("4C 1504 1502 1504 1500 1504 1500 00 00")).toBytes();
    };
  }

  private static int checksum() {
    CRC32 crc = new CRC32();
    crc.update(CONTENT);
    return (int) crc.getValue();
  }

  private static ColumnChunk chunk(CompressionCodec codec, long byteSize) {
    return new ColumnChunk(PhysicalType.INT64, codec, 2, 0, byteSize, byteSize);
  }

  /// Reads two pages and returns the second one.
  private Page read(byte[] bytes) throws IOException {
    HeapBudget budget = new HeapBudget(new Limit("pages", 1 << 20));
    Path path = Files.write(folder.resolve("pages"), bytes);
    try (FileChannel file = FileChannel.open(path)) {
      ColumnPages pages = new ColumnPages(file, 1 << 10, budget, new PageBuffers(budget), 0, 0);
      pages.begin(chunk(CompressionCodec.UNCOMPRESSED, bytes.length));
      pages.next();
      Page page = Objects.requireNonNull(pages.next());
      assertThat(pages.next()).isNull();
      return page;
    }
  }

  private static byte[] pages(byte[] header) {
    return new BitWriter().bytes(header).bytes(CONTENT).bytes(header).bytes(CONTENT).toBytes();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 3})
  void checksumsCoverStoredPages(int kind) throws IOException {
    byte[] file = pages(header(kind, checksum()));
    Page page = read(file);
    assertThat(Arrays.copyOfRange(page.bytes(), page.start(), page.end()))
        .isEqualTo(kind == 3 ? Arrays.copyOfRange(CONTENT, 2, 10) : CONTENT);
    for (int i = file.length - CONTENT.length; i < file.length; i++) {
      byte[] damaged = file.clone();
      damaged[i] ^= 0x10;
      assertThatThrownBy(() -> read(damaged))
          .isInstanceOf(ForeignDataException.class)
          .hasMessageMatching(
              "Expected a page with the checksum 0x%08x but found 0x[0-9a-f]{8}"
                  .formatted(checksum()));
    }
  }

  @Test
  void checksumsMayBeNegative() {
    assertThat(checksum()).isNegative();
    assertThatThrownBy(() -> read(pages(header(0, 1))))
        .hasMessage(
            "Expected a page with the checksum 0x00000001 but found 0x%08x".formatted(checksum()));
  }

  /// The array may be large because of another column.
  @Test
  void inputBuffersNoMoreThanItsReadSize() throws IOException {
    Path path = Files.write(folder.resolve("file"), new byte[100_000]);
    PageBuffers buffers = new PageBuffers(new HeapBudget(new Limit("pages", 1 << 20)));
    try (FileChannel file = FileChannel.open(path)) {
      ChunkInput input = new ChunkInput(file, 1_000, buffers);
      input.begin(chunk(CompressionCodec.UNCOMPRESSED, 90_000));
      buffers.input("another column", 80_000);
      input.request(10);
      assertThat(input.available()).isEqualTo(1_000);
      input.skip(990);
      buffers.input("another column", 1);
      input.request(2_000);
      assertThat(input.available()).isEqualTo(2_000);
      assertThat(input.left()).isEqualTo(90_000 - 990);
      input.skip(90_000 - 990);
      input.request(1);
      assertThat(input.available()).isZero();
    }
  }
}
