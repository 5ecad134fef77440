package dev.quiver.arrow.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.parallel.InFlightBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests that gzip and Zstandard data of other encoders is decoded as it arrives, in pieces of any
/// size, and that truncated and damaged data is rejected.
class CodedSourcesTest {

  private enum Coding {
    GZIP,
    ZSTANDARD;

    byte[] encode(byte[] content) throws IOException {
      ByteArrayOutputStream coded = new ByteArrayOutputStream();
      try (OutputStream encoder =
          this == GZIP
              ? new GZIPOutputStream(coded)
              : new ZstdOutputStream(coded).setChecksum(true)) {
        encoder.write(content);
      }
      return coded.toByteArray();
    }

    byte[] decode(byte[] coded, int pieceByteSize) throws IOException {
      ByteSource pieces = inPieces(coded, pieceByteSize);
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      byte[] buffer = new byte[Math.min(pieceByteSize, 1 << 16) + 3];
      if (this == GZIP) {
        try (GzipSource source = new GzipSource(pieces)) {
          readAll(source, buffer, content);
        }
      } else {
        try (ZstandardSource source = new ZstandardSource(pieces, new InFlightBytes(0))) {
          readAll(source, buffer, content);
        }
      }
      return content.toByteArray();
    }
  }

  private static ByteSource inPieces(byte[] bytes, int pieceByteSize) {
    ByteSource whole = ByteSource.of(MemorySegment.ofArray(bytes));
    return destination ->
        whole.read(destination.asSlice(0, Math.min(destination.byteSize(), pieceByteSize)));
  }

  private static void readAll(ByteSource source, byte[] buffer, ByteArrayOutputStream content)
      throws IOException {
    MemorySegment destination = MemorySegment.ofArray(buffer);
    assertThat(source.read(MemorySegment.NULL)).isZero();
    for (long count = source.read(destination); count >= 0; count = source.read(destination)) {
      assertThat(count).isPositive();
      content.write(buffer, 0, (int) count);
    }
    assertThat(source.read(destination)).isEqualTo(-1);
  }

  private static byte[] content(int byteSize) {
    byte[] content = new byte[byteSize];
    Random random = new Random(byteSize);
    for (int i = 0; i < byteSize; i++) {
      content[i] = (byte) random.nextInt(i % 100 < 50 ? 2 : 256);
    }
    return content;
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    Arrays.stream(parts).forEach(joined::writeBytes);
    return joined.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @EnumSource
  void decodesDataThatArrivesInPieces(Coding coding) throws IOException {
    for (int byteSize : new int[] {0, 1, 1000, 1 << 16, 300_000, 3_000_000}) {
      byte[] content = content(byteSize);
      byte[] coded = coding.encode(content);
      assertThat(coding.decode(coded, Integer.MAX_VALUE)).isEqualTo(content);
      assertThat(coding.decode(coded, 1000)).isEqualTo(content);
      if (byteSize <= 1000) {
        assertThat(coding.decode(coded, 1)).isEqualTo(content);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void decodesHighlyCompressedDataInPieces(Coding coding) throws IOException {
    byte[] zeros = new byte[20_000_000];
    assertThat(coding.decode(coding.encode(zeros), 100)).isEqualTo(zeros);
  }

  @ParameterizedTest
  @EnumSource
  void decodesConcatenatedMembersAsOneContent(Coding coding) throws IOException {
    byte[] coded =
        join(
            coding.encode(content(5)),
            coding.encode(new byte[0]),
            coding.encode(content(200_000)),
            coding.encode(new byte[0]));
    byte[] content = join(content(5), content(200_000));
    assertThat(coding.decode(coded, Integer.MAX_VALUE)).isEqualTo(content);
    assertThat(coding.decode(coded, 7)).isEqualTo(content);
  }

  @ParameterizedTest
  @EnumSource
  void decodesEmptyInputToEmptyContent(Coding coding) throws IOException {
    assertThat(coding.decode(new byte[0], 1)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void reportsTruncationAtEveryByte(Coding coding) throws IOException {
    byte[] coded = coding.encode(content(500));
    for (int byteSize = 1; byteSize < coded.length; byteSize++) {
      byte[] truncated = Arrays.copyOf(coded, byteSize);
      String unit = coding == Coding.GZIP ? "gzip member" : "Zstandard frame";
      assertThatThrownBy(() -> coding.decode(truncated, 64))
          .isInstanceOf(TruncatedInputException.class)
          .hasMessage(
              "Expected the rest of a %s but found the end of the body at byte offset %d",
              unit, byteSize);
    }
  }

  @ParameterizedTest
  @EnumSource
  void detectsEveryDamagedByte(Coding coding) throws IOException {
    byte[] content = content(300);
    byte[] coded = coding.encode(content);
    // The time and system in a gzip header and the size of a window do not affect the content.
    for (int i = coding == Coding.GZIP ? 10 : 6; i < coded.length; i++) {
      byte[] damaged = coded.clone();
      damaged[i] ^= 0x55;
      assertThatThrownBy(() -> coding.decode(damaged, 64)).isInstanceOf(InputException.class);
    }
  }

  private static void assertMalformed(Coding coding, byte[] coded, String message) {
    assertThatThrownBy(() -> coding.decode(coded, 64))
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(message);
  }

  @Test
  void rejectsDataThatIsNotGzip() throws IOException {
    assertMalformed(
        Coding.GZIP,
        bytes("ARROW1 and more"),
        "Expected a gzip member, 1F 8B 08 and flags of 00 to 1F but found 41 52 52 4F at byte offset 0");
    byte[] followed = join(Coding.GZIP.encode(content(10)), bytes("junk"));
    assertMalformed(
        Coding.GZIP,
        followed,
        "Expected a gzip member, 1F 8B 08 and flags of 00 to 1F but found 6A 75 6E 6B at byte"
            + " offset "
            + (followed.length - 4));
    byte[] reserved = Coding.GZIP.encode(content(10));
    reserved[3] = 0x20;
    assertMalformed(
        Coding.GZIP,
        reserved,
        "Expected a gzip member, 1F 8B 08 and flags of 00 to 1F but found 1F 8B 08 20 at byte"
            + " offset 0");
  }

  @Test
  void acceptsOptionalFieldsOfAGzipHeader() throws IOException {
    byte[] coded = Coding.GZIP.encode(content(1000));
    byte[] flags = bytes("\u001f\u008b\b\u001e\0\0\0\0\0\3");
    byte[] more = bytes("\5\0extraname.arrow\0comment\0\1\2");
    byte[] rest = Arrays.copyOfRange(coded, 10, coded.length);
    assertThat(Coding.GZIP.decode(join(flags, more, rest), 3)).isEqualTo(content(1000));
  }

  @Test
  void checksTheTrailerOfAGzipMember() throws IOException {
    byte[] coded = Coding.GZIP.encode(bytes("content"));
    byte[] crc = coded.clone();
    crc[coded.length - 8]++;
    assertMalformed(
        Coding.GZIP,
        crc,
        "Expected content with the CRC-32 of its gzip member, 0xfec530aa, but found 0xfec530a9 at"
            + " byte offset "
            + (coded.length - 8));
    byte[] size = coded.clone();
    size[coded.length - 4]++;
    assertMalformed(
        Coding.GZIP,
        size,
        "Expected content with the size modulo 2^32 of its gzip member, 0x00000008, but found"
            + " 0x00000007 at byte offset "
            + (coded.length - 4));
  }

  @Test
  void rejectsDataThatIsNotZstandard() throws IOException {
    assertMalformed(
        Coding.ZSTANDARD,
        bytes("ARROW1 and more"),
        "Expected Zstandard data but found other (Unknown frame descriptor) at byte offset 0");
    byte[] first = Coding.ZSTANDARD.encode(content(10));
    assertMalformed(
        Coding.ZSTANDARD,
        join(first, bytes("junk and more")),
        "Expected Zstandard data but found other (Unknown frame descriptor) at byte offset "
            + first.length);
  }

  @Test
  void skipsSkippableFrames() throws IOException {
    byte[] skippable = bytes("\u0050\u002a\u004d\u0018\4\0\0\0skip");
    byte[] coded = join(skippable, Coding.ZSTANDARD.encode(content(1000)), skippable);
    assertThat(Coding.ZSTANDARD.decode(coded, 5)).isEqualTo(content(1000));
  }

  private static byte[] withWindow(int exponent) throws IOException {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (ZstdOutputStream encoder = new ZstdOutputStream(coded).setLong(exponent)) {
      for (int i = 0; i < 10; i++) {
        encoder.write(content(4_000_000));
        encoder.flush();
      }
    }
    return coded.toByteArray();
  }

  @Test
  void rejectsAWindowOverEightMebibytes() throws IOException {
    assertThat(Coding.ZSTANDARD.decode(withWindow(23), 1 << 16)).hasSize(40_000_000);
    assertMalformed(
        Coding.ZSTANDARD,
        withWindow(24),
        "Expected a Zstandard frame with a window of at most 8388608 bytes but found one with a"
            + " larger window at byte offset 0");
  }

  /// The windows of these levels are within the limit.
  @Test
  void decodesTheMinimumDefaultAndHighLevels() throws IOException {
    for (int level : List.of(Zstd.minCompressionLevel(), 1, 3, 19)) {
      byte[] coded = Zstd.compress(content(100_000), level);
      assertThat(Coding.ZSTANDARD.decode(coded, 1 << 16)).isEqualTo(content(100_000));
    }
  }
}
