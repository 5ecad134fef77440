package dev.quiver.formats.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lines that are longer than any record may be, while they arrive.
class CsvArrivalTest {

  private static final int RECORD = CsvInput.RECORD_BYTE_SIZE_MAXIMUM;

  private long read;

  private void receive(byte[] file, int chunk) throws IOException {
    ByteSource arrival = new CsvArrival(ByteSource.of(MemorySegment.ofArray(file)));
    MemorySegment destination = MemorySegment.ofArray(new byte[chunk]);
    for (long count = 0; count >= 0; count = arrival.read(destination)) {
      read += count;
    }
  }

  private static byte[] text(String record, int count, String lineEnd, Charset charset) {
    return (record + lineEnd).repeat(count).getBytes(charset);
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 64 << 10, 5_000_000})
  void endsALineThatNoRecordMayHave(int chunk) {
    byte[] file = new byte[20_000_000];
    Arrays.fill(file, (byte) 'x');
    file[0] = '\n';
    assertThatThrownBy(() -> receive(file, chunk))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageStartingWith(
            "Expected records of at most 2,000,000 bytes but found a longer one");
    assertThat(read).isBetween(2L * RECORD - chunk, 2L * RECORD + 1);
  }

  @Test
  void passesTheLongestRecordsInAnyEncoding() throws IOException {
    for (String lineEnd : new String[] {"\n", "\r\n", "\r"}) {
      String record = "x".repeat(RECORD - 2);
      receive(text(record, 3, lineEnd, StandardCharsets.UTF_8), 64 << 10);
      receive(text(record, 3, lineEnd, StandardCharsets.UTF_16LE), 64 << 10);
    }
    receive(text("a,b", 2_000_000, "\n", StandardCharsets.UTF_8), 4096);
    receive(new byte[0], 10);
  }
}
