package dev.quiver.sql.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.formats.Format;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileStartTest {

  @TempDir private static Path folder;

  /// A file that goes on for ever, and the bytes that were read of it.
  private static final class Endless implements ByteSource {

    private final byte[] line;
    private long position;

    Endless(String line) {
      this.line = line.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public long read(MemorySegment destination) {
      MemorySegment.copy(
          MemorySegment.ofArray(line),
          position % line.length,
          destination,
          0,
          Math.min(line.length - position % line.length, destination.byteSize()));
      long count = Math.min(line.length - position % line.length, destination.byteSize());
      position += count;
      assertThat(position).isLessThan(32 << 20);
      return count;
    }
  }

  private static byte[] received(
      ByteSource file, Format format, long rows, Map<String, List<String>> parameters)
      throws IOException {
    try (Spool spool = new Spool(folder, new Limit("quiver.spool.bytes", 64 << 20));
        SpooledFile start =
            FileStart.receive(file, FileOptions.parse(format, parameters), rows, spool)) {
      byte[] bytes = Files.readAllBytes(start.path());
      assertThat(start.byteSize()).isEqualTo(bytes.length);
      return bytes;
    }
  }

  /// The lines that decide on the columns are as many as by default decide on the types of CSV.
  @ParameterizedTest
  @CsvSource({"0, 20480", "1, 20480", "20480, 20480", "20481, 20481", "100000, 100000"})
  void receivesTheLinesOfJsonThatDecideOnColumns(long rows, int lines) throws IOException {
    Endless file = new Endless("{\"a\":1}\n");
    assertThat(received(file, Format.JSON_LINES, rows, Map.of())).hasSize(8 * lines - 1);
    assertThat(file.position).isLessThanOrEqualTo(8 * lines + (64 << 10));
    assertThat(
            received(
                new Endless("{\"a\":1}\n"),
                Format.JSON,
                rows,
                Map.of("json.format", List.of("ndjson"))))
        .hasSize(8 * lines - 1);
  }

  @Test
  void doesNotCountBlankLinesOfJson() throws IOException {
    assertThat(received(new Endless("\n \t\r\n{\"a\":1}\r\n\r\n"), Format.JSON_LINES, 1, Map.of()))
        .hasSize(20480 * 16 - 4);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 5, ''",
    "20000, 5, ''",
    "1, 20480, 20480",
    "50000, 20480, ''",
    "1, 1, utf-16",
    "1, 20480, auto",
  })
  void receivesTheRowsOfCsvThatDecideOnTypes(long rows, long sample, String other)
      throws IOException {
    Endless file = new Endless("1,\"a\nb\"\n");
    Map<String, List<String>> parameters = Map.of("csv.sample", List.of(Long.toString(sample)));
    if (other.equals("utf-16")) {
      file = new Endless("1\0,\0a\0\n\0");
      parameters = Map.of("csv.sample", List.of("1"), "csv.encoding", List.of(other));
    } else if (other.equals("auto")) {
      parameters = Map.of("csv.delimiter", List.of(other));
    } else if (!other.isEmpty()) {
      parameters = Map.of();
    }
    byte[] start = received(file, Format.CSV, rows, parameters);
    long needed = (Math.max(rows, sample) + 1) * file.line.length;
    assertThat((long) start.length).isBetween(needed, needed + (512 << 10));
    assertThat(file.position).isEqualTo(start.length);
  }

  @Test
  void receivesParquetToItsEnd() throws IOException {
    byte[] file = "1,2\n".repeat(500_000).getBytes(StandardCharsets.UTF_8);
    ByteSource body = ByteSource.of(MemorySegment.ofArray(file));
    assertThat(received(body, Format.PARQUET, 1, Map.of())).isEqualTo(file);
  }

  /// Its reader finds the error again, and counts its line.
  @Test
  void receivesAnInvalidCsvFileToItsEnd() throws IOException {
    byte[] file = ("a,b\n\"1\" 2,3\n" + "1,2\n".repeat(500_000)).getBytes(StandardCharsets.UTF_8);
    assertThat(received(ByteSource.of(MemorySegment.ofArray(file)), Format.CSV, 1, Map.of()))
        .isEqualTo(file);
  }

  @Test
  void receivesAShorterFileAsItIs() throws IOException {
    for (Format format : List.of(Format.CSV, Format.TSV, Format.JSON_LINES)) {
      for (String text : List.of("", "a", "a,b\n1,2\n", "{\"a\":1}")) {
        byte[] file = text.getBytes(StandardCharsets.UTF_8);
        assertThat(received(ByteSource.of(MemorySegment.ofArray(file)), format, 9, Map.of()))
            .isEqualTo(file);
      }
    }
  }
}
