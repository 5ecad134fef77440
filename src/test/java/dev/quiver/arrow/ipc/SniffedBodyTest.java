package dev.quiver.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TruncatedInputException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests that bodies are recognized by their first bytes, regardless of their declared format.
class SniffedBodyTest {

  @ParameterizedTest
  @CsvSource({
    "4152524F57310000, FILE",
    "4152524F5731, FILE",
    "FFFFFFFF10010000, STREAM",
    "FFFFFFFF, STREAM",
    "1001000010000000, STREAM"
  })
  void recognizesStreamsAndFiles(String hexadecimal, BodyFormat expected) throws IOException {
    for (BodyFormat declared : BodyFormat.values()) {
      assertThat(sniff(hexadecimal, declared).format()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "46454131, a Feather V1 file",
    "5041523115041500, a Parquet file",
    "1F8B0800, gzip data",
    "28B52FFD24, Zstandard data",
    "04224D1840, LZ4 data",
    "504B0304, a ZIP archive",
    "4F524300, an ORC file",
    "4F626A01, an Avro file",
    "3C21444F43, HTML or XML",
    "0D0A203C, HTML or XML",
    "7B22, JSON",
    "205B, JSON",
    "EFBBBF5B, JSON",
    "612C620A, 'the text \"a,b\"'",
    "612C62, 'the text \"a,b\u2026\"'",
    "C3A90D0A, 'the text \"\u00e9\"'",
    "61C3, 'the text \"a\u2026\"'",
    "0A0A, 'the text \"\u2026\"'"
  })
  void errorNamesTheFormatOfOtherData(String hexadecimal, String name) {
    for (BodyFormat declared : BodyFormat.values()) {
      assertThatThrownBy(() -> sniff(hexadecimal, declared))
          .isInstanceOf(UnsupportedFormatException.class)
          .hasMessage(
              "Expected an Arrow IPC stream or file but found " + name + " at byte offset 0")
          .extracting("found")
          .isEqualTo(name);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "version https://git-lfs.github.com/spec/v1, a Git LFS pointer",
    "version http://x, 'the text \"version http://x\u2026\"'",
    "sixteen characters and more, 'the text \"sixteen characte\u2026\"'",
  })
  void errorNamesText(String text, String name) {
    String hexadecimal = HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    errorNamesTheFormatOfOtherData(hexadecimal, name);
  }

  /// The first four bytes are the metadata length of a stream from before release 0.15.
  @Test
  void lengthOfOldMetadataIsNotText() throws IOException {
    assertThat(sniff("20000000" + "20".repeat(60), BodyFormat.UNKNOWN).format())
        .isEqualTo(BodyFormat.STREAM);
  }

  @Test
  void errorShowsTheBytesOfAnUnknownFormat() throws IOException {
    String noise = "80818283" + "0102030405060708090A0B0C0D0E0F";
    assertThatThrownBy(() -> sniff(noise, BodyFormat.UNKNOWN))
        .isInstanceOf(UnsupportedFormatException.class)
        .hasMessage(
            "Expected an Arrow IPC stream or file but found bytes 80 81 82 83 01 02 03 04 05 06 07"
                + " 08 09 0A 0B 0C at byte offset 0");
    // With a declared format, the reader reports the error.
    assertThat(sniff(noise, BodyFormat.STREAM).format()).isEqualTo(BodyFormat.STREAM);
    assertThat(sniff(noise, BodyFormat.FILE).format()).isEqualTo(BodyFormat.FILE);
  }

  @ParameterizedTest
  @EnumSource(BodyFormat.class)
  void rejectsAnEmptyBody(BodyFormat declared) {
    assertThatThrownBy(() -> sniff("", declared))
        .isInstanceOf(TruncatedInputException.class)
        .hasMessage("Expected an Arrow IPC stream or file but found no data at byte offset 0");
  }

  @Test
  void sourceStillContainsTheSniffedBytes() throws IOException {
    String hexadecimal = "FFFFFFFF" + "0123456789ABCDEF".repeat(5);
    MemorySegment all = MemorySegment.ofArray(new byte[100]);
    long count = sniff(hexadecimal, BodyFormat.STREAM).source().readFully(all);
    assertThat(all.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE))
        .isEqualTo(HexFormat.of().parseHex(hexadecimal));
  }

  private static SniffedBody sniff(String hexadecimal, BodyFormat declared) throws IOException {
    Bytes bytes = new Bytes().bytes(HexFormat.of().parseHex(hexadecimal));
    return SniffedBody.of(bytes.slowSource(), declared, Limits.DEFAULT);
  }
}
