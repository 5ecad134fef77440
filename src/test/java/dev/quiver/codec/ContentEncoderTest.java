package dev.quiver.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContentEncoderTest {

  private static final int PART_BYTES = 256 << 10;

  private enum Coding {
    GZIP,
    ZSTANDARD;

    ContentEncoder encoder() {
      return this == GZIP ? ContentEncoder.gzip() : ContentEncoder.zstandard();
    }

    InputStream decoder(byte[] coded) throws IOException {
      InputStream input = new ByteArrayInputStream(coded);
      return this == GZIP ? new GZIPInputStream(input) : new ZstdInputStreamNoFinalizer(input);
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
    assertThat(coded.size()).isLessThan(content.length * 3 / 4);
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

  @Test
  void writesAWindowThatBrowsersSupport() {
    byte[] coded = ContentEncoder.zstandard().encodeLast(noise(32 << 20), 32 << 20);
    // RFC 8878 §3.1.1: without the single-segment flag, the exponent of the window follows.
    assertThat(coded[4] & 0x20).isZero();
    assertThat(10 + ((coded[5] & 0xFF) >> 3)).isLessThanOrEqualTo(23);
    assertThat(Zstd.decompress(coded, 32 << 20)).hasSize(32 << 20);
  }
}
