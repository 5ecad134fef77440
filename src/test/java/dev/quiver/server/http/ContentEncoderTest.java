package dev.quiver.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.brotli.dec.BrotliInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentEncoderTest {

  private static final int PART_BYTES = 256 << 10;

  private enum Coding {
    GZIP,
    ZSTANDARD,
    BROTLI;

    ContentEncoder encoder() {
      return switch (this) {
        case GZIP -> ContentEncoder.gzip();
        case ZSTANDARD -> ContentEncoder.zstandard();
        case BROTLI -> ContentEncoder.brotli();
      };
    }

    InputStream decoder(byte[] coded) throws IOException {
      InputStream input = new ByteArrayInputStream(coded);
      return switch (this) {
        case GZIP -> new GZIPInputStream(input);
        case ZSTANDARD -> new ZstdInputStreamNoFinalizer(input);
        case BROTLI -> new BrotliInputStream(input);
      };
    }
  }

  private static byte[] noise(int byteSize) {
    byte[] bytes = new byte[byteSize];
    new Random(7).nextBytes(bytes);
    for (int i = 0; i < byteSize; i++) {
      // Only half of each byte is random, so that the content is compressible.
      bytes[i] &= 0xF;
    }
    return bytes;
  }

  @ParameterizedTest
  @EnumSource
  void encodesPartsAsOneContent(Coding coding) throws IOException {
    byte[] content = noise(3 * PART_BYTES + 1);
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (ContentEncoder encoder = coding.encoder()) {
      for (int offset = 0; offset < 3 * PART_BYTES; offset += PART_BYTES) {
        byte[] part = Arrays.copyOfRange(content, offset, offset + PART_BYTES);
        coded.writeBytes(encoder.encode(part, PART_BYTES));
      }
      coded.writeBytes(encoder.encodeLast(new byte[] {content[3 * PART_BYTES], 9}, 1));
    }
    if (coding == Coding.BROTLI) {
      // Three bytes for each 64 KiB, and for the last byte; one at the start and one at the end.
      assertThat(coded.size()).isEqualTo(content.length + 3 * (3 * 4 + 1) + 2);
    } else {
      assertThat(coded.size()).isLessThan(content.length * 3 / 4);
    }
    assertThat(coding.decoder(coded.toByteArray()).readAllBytes()).isEqualTo(content);
  }

  @ParameterizedTest
  @EnumSource
  void encodesEmptyContent(Coding coding) throws IOException {
    try (ContentEncoder encoder = coding.encoder()) {
      byte[] coded = encoder.encodeLast(new byte[0], 0);
      assertThat(coding.decoder(coded).readAllBytes()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void encodedPartDecodesBeforeTheEndArrives(Coding coding) throws IOException {
    byte[] content = noise(PART_BYTES);
    byte[] coded;
    try (ContentEncoder encoder = coding.encoder()) {
      coded = encoder.encode(content, PART_BYTES);
    }
    InputStream decoder = coding.decoder(coded);
    assertThat(decoder.readNBytes(PART_BYTES)).isEqualTo(content);
    assertThatThrownBy(() -> decoder.read())
        .isInstanceOf(coding == Coding.GZIP ? EOFException.class : IOException.class);
  }

  @ParameterizedTest
  @CsvSource({"GZIP, GZIP", "ZSTD, ZSTANDARD", "BROTLI, BROTLI"})
  void encodesKeptBodiesToFewerBytes(ResponseCoding kept, Coding coding) throws IOException {
    byte[] content = Files.readAllBytes(Path.of("src/docs/http-api.md"));
    byte[] coded = kept.encoded(content);
    assertThat(coding.decoder(coded).readAllBytes()).isEqualTo(content);
    try (ContentEncoder encoder = coding.encoder()) {
      int streamed = encoder.encodeLast(content, content.length).length;
      assertThat(coded)
          .hasSizeLessThanOrEqualTo(coding == Coding.BROTLI ? streamed : streamed * 9 / 10);
    }
  }

  /// RFC 7932 §9.2, by hand: the head of a block of one byte has the bits 0, 00, sixteen 0 and 1.
  @Test
  void writesBrotliInUncompressedBlocks() {
    try (ContentEncoder encoder = ContentEncoder.brotli()) {
      assertThat(encoder.encode(new byte[] {7, 8}, 1)).containsExactly(0x0C, 0, 0, 8, 7);
      assertThat(encoder.encode(new byte[0], 0)).isEmpty();
      byte[] two = encoder.encode(new byte[(1 << 16) + 3], (1 << 16) + 3);
      assertThat(Arrays.copyOf(two, 3)).containsExactly(-8, -1, 15);
      assertThat(Arrays.copyOfRange(two, 3 + (1 << 16), two.length))
          .containsExactly(16, 0, 8, 0, 0, 0);
      assertThat(encoder.encodeLast(new byte[0], 0)).containsExactly(3);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 255, 256, 65_535, 65_536, 65_537, 131_072, 200_000})
  void encodesBrotliOfAnyLength(int byteSize) throws IOException {
    byte[] content = noise(byteSize);
    try (ContentEncoder encoder = ContentEncoder.brotli()) {
      byte[] coded = encoder.encodeLast(content, byteSize);
      assertThat(Coding.BROTLI.decoder(coded).readAllBytes()).isEqualTo(content);
    }
  }

  @Test
  void writesAWindowThatBrowsersSupport() {
    byte[] coded = ContentEncoder.zstandard().encodeLast(noise(32 << 20), 32 << 20);
    // RFC 8878 §3.1.1: without the single-segment flag, the exponent of the window follows.
    assertThat(coded[4] & 0x20).isZero();
    assertThat(10 + ((coded[5] & 0xFF) >> 3)).isLessThanOrEqualTo(23);
    assertThat(Zstd.decompress(coded, 32 << 20)).hasSize(32 << 20);
  }
}
