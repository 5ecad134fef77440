package dev.quiver.formats.csv;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.ForeignFixture;
import dev.quiver.formats.Format;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Random texts, most of which are not quite CSV, against [ReferenceCsv] and against the engine.
@Tag("random")
class RandomCsvTest extends ForeignFixture {

  private static final String[][] OPTIONS = {
    {},
    {"csv.delimiter=;"},
    {"csv.quote='"},
    {"csv.escape=\\"},
    {"csv.escape="},
    {"csv.quote="},
    {"csv.comment=#"},
    {"csv.delimiter=\t", "csv.escape=\\", "csv.comment=#"}
  };

  private static final String[] PARTS = {
    "x", "y", "ä", " ", ",", ",", ";", "\t", "\n", "\n", "\r\n", "\"", "\"", "\"\"", "'", "\\", "#"
  };

  /// Returns few bytes at a time.
  private static InputStream slow(byte[] bytes, Random random) {
    return new FilterInputStream(new ByteArrayInputStream(bytes)) {
      @Override
      public int read(byte[] destination, int offset, int length) throws IOException {
        return super.read(destination, offset, Math.min(length, 1 + random.nextInt(100_000)));
      }
    };
  }

  private static List<List<@Nullable Object>> rows(String text, CsvOptions options, Random random)
      throws IOException {
    return rows(text.getBytes(StandardCharsets.UTF_8), options, random);
  }

  private static List<List<@Nullable Object>> rows(byte[] bytes, CsvOptions options, Random random)
      throws IOException {
    return rows(
        CsvFile.open(() -> slow(bytes, random), options, /* dataset= */ null), Long.MAX_VALUE);
  }

  private static List<List<@Nullable Object>> rows(CsvFile file, long count) throws IOException {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (CsvReader reader = file.read(CpuPool.PROCESS, folder, count)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        if (file.makesValidBatches()) {
          assertThat(Validator.validate(batch, Level.DOMAIN)).isEmpty();
        }
        rows.addAll(Values.rows(batch));
      }
    }
    return rows;
  }

  private static CsvOptions options(String types, String... pairs) {
    List<String> all = new ArrayList<>(List.of(pairs));
    all.add("csv.types=" + types);
    // Nothing is looked for.
    for (String option :
        List.of("delimiter=,", "skip=0", "header=true", "decimal=.", "encoding=utf-8")) {
      String name = "csv." + option.substring(0, option.indexOf('=') + 1);
      if (all.stream().noneMatch(pair -> pair.startsWith(name))) {
        all.add("csv." + option);
      }
    }
    return CsvOptions.parse(Format.CSV, parameters(all.toArray(String[]::new)));
  }

  private static String text(Random random, int partCount) {
    return IntStream.range(0, partCount)
        .mapToObj(_ -> PARTS[random.nextInt(PARTS.length)])
        .collect(Collectors.joining());
  }

  /// Returns the records without the header, or null if one has too many fields or too few.
  private static @Nullable List<List<@Nullable String>> regular(
      List<List<@Nullable String>> records, int columnCount) {
    List<List<@Nullable String>> rows = new ArrayList<>();
    for (List<@Nullable String> record : records.subList(1, records.size())) {
      boolean fits =
          record.stream().skip(columnCount).allMatch(field -> field == null || field.isEmpty());
      if (record.size() < columnCount || !fits) {
        return null;
      }
      rows.add(record.subList(0, columnCount));
    }
    return rows;
  }

  @Test
  void anyTextIsReadAsByTheReferenceOrAnError() throws IOException {
    int read = 0;
    for (int seed : Trials.seeds(4_000)) {
      Random random = new Random(seed);
      CsvOptions options = options("a:utf8,b:utf8", OPTIONS[seed % OPTIONS.length]);
      String header = "a" + options.delimiter() + "b\n";
      String once = text(random, 1 + random.nextInt(25));
      // Some texts are as long as several blocks.
      String text = header + (seed % 200 == 0 ? (once + "\n").repeat(400_000) : once);
      List<List<@Nullable String>> expected = null;
      try {
        expected = regular(new ReferenceCsv(text, options).records(), 2);
      } catch (ReferenceCsv.InvalidException e) {
        // An error of both.
      }
      List<List<@Nullable Object>> rows = null;
      try {
        rows = rows(text, options, random);
      } catch (ForeignDataException e) {
        assertThat(e.line()).isNotNull();
      }
      assertThat(rows).as("seed %d: %s", seed, once).isEqualTo(expected);
      read += rows == null ? 0 : 1;
    }
    assertThat(read).isBetween(Trials.of(400), Trials.of(3_600));
  }

  /// A start ends anywhere in a later record. Its reader never finds that out.
  @Test
  void theStartOfAFileHasItsTypesAndItsFirstRows() throws IOException {
    int cut = 0;
    for (int seed : Trials.seeds(200)) {
      Random random = new Random(seed);
      List<String> pairs = new ArrayList<>(List.of(OPTIONS[seed % OPTIONS.length]));
      pairs.add("csv.sample=" + (1 + random.nextInt(9)));
      pairs.add("csv.header=" + random.nextBoolean());
      pairs.add("csv.skip=" + random.nextInt(3));
      boolean isLatin = random.nextInt(4) == 0;
      pairs.add("csv.encoding=" + (isLatin ? "latin-1" : "utf-8"));
      CsvOptions options = CsvOptions.parse(Format.CSV, parameters(pairs.toArray(String[]::new)));
      String once = record("x", options, random) + record("y", options, random);
      byte[] bytes =
          once.repeat(700_000 / once.length())
              .getBytes(isLatin ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
      CsvFile whole = CsvFile.open(() -> slow(bytes, random), options, /* dataset= */ null);
      List<List<@Nullable Object>> rows = rows(whole, Long.MAX_VALUE);
      int count = random.nextInt(random.nextBoolean() ? 20 : rows.size() + 20);
      ByteArrayOutputStream copied = new ByteArrayOutputStream();
      CsvStart.read(copying(slow(bytes, random), copied), options, count);
      byte[] start = copied.toByteArray();
      CsvFile file = CsvFile.open(() -> slow(start, random), options, /* dataset= */ null);
      assertThat(file.schema()).as("seed %d: %s", seed, once).isEqualTo(whole.schema());
      assertThat(rows(file, count))
          .as("seed %d: %s", seed, once)
          .isEqualTo(rows.subList(0, Math.min(count, rows.size())));
      cut += start.length < bytes.length ? 1 : 0;
    }
    assertThat(cut).isGreaterThan(Trials.of(60));
  }

  private static String record(String first, CsvOptions options, Random random) {
    String[] parts = {"a", "ä", " ", "\n", "\r\n", "#", options.delimiter()};
    String quoted =
        IntStream.range(0, random.nextInt(9))
            .mapToObj(_ -> parts[random.nextInt(parts.length)])
            .collect(Collectors.joining());
    String quote = options.quote();
    return first
        + options.delimiter()
        + (quote.isEmpty() ? "b" : quote + quoted + quote)
        + (random.nextBoolean() ? "\r\n" : "\n");
  }

  private static InputStream copying(InputStream file, ByteArrayOutputStream copy) {
    return new FilterInputStream(file) {
      @Override
      public int read(byte[] destination, int offset, int length) throws IOException {
        int count = super.read(destination, offset, length);
        copy.write(destination, offset, Math.max(count, 0));
        return count;
      }
    };
  }

  /// Nothing that a reader returns has to be validated, whatever the bytes are.
  @Test
  void batchesOfAnyBytesAreValid() throws IOException {
    String types = "a:utf8,b:decimal(5,2),c:time,d:date32,e:timestamp,f:bool,g:uint8,h:uuid";
    // Each begins with the column that it is most often in.
    String[] values = {
      "ax",
      "aä",
      "a€",
      "a😀",
      "a\"",
      "a\"\"",
      "a ",
      "b999.99",
      "b1000",
      "b-0.01",
      "c23:59:59.999999",
      "c24:00:00",
      "d2024-02-30",
      "d2024-02-29",
      "e9999-12-31T23:59:59.9",
      "ftrue",
      "g255",
      "g-1",
      "h00000000-0000-0000-0000-00000000000f"
    };
    int read = 0;
    for (int seed : Trials.seeds(4_000)) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder("a,b,c,d,e,f,g,h\n");
      for (int i = random.nextInt(5); i >= 0; i--) {
        String[] row = {"", "", "", "", "", "", "", ""};
        row[0] = values[random.nextInt(values.length)].substring(1);
        String value = values[random.nextInt(values.length)];
        row[random.nextInt(8) == 0 ? random.nextInt(8) : value.charAt(0) - 'a'] =
            value.substring(1);
        text.append(String.join(",", row)).append('\n');
      }
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      for (int i = random.nextInt(2); i > 0; i--) {
        bytes[random.nextInt(16, bytes.length)] = (byte) random.nextInt();
      }
      try {
        read += rows(bytes, options(types), random).size();
      } catch (ForeignDataException e) {
        assertThat(e.line()).isNotNull();
      }
    }
    assertThat(read).isGreaterThan(Trials.of(400));
  }

  /// A line of the error is the one in which its record begins.
  @Test
  void errorsHaveTheLineOfTheirRecord() throws IOException {
    for (int seed : Trials.seeds(100)) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder("a,b\n");
      int line = 2;
      for (int i = random.nextInt(30_000); i > 0; i--) {
        int breaks = random.nextInt(3);
        text.append("1,\"x").append("\r\n".repeat(breaks)).append("\"\n");
        line += 1 + breaks;
      }
      text.append("z,\"\n\n\"\n1,2\n");
      ForeignDataException error = null;
      try {
        rows(text.toString(), options("a:int64"), random);
      } catch (ForeignDataException e) {
        error = e;
      }
      assertThat(error).as("seed %d", seed).isNotNull();
      assertThat(requireNonNull(error).line()).as("seed %d", seed).isEqualTo(line);
    }
  }

  /// DuckDB's reader, of a file of one part without line breaks in quotes, where it does not guess.
  @Test
  void valuesAreThoseThatTheEngineReads() throws IOException {
    for (int seed : Trials.seeds(30)) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder("i,d,b,day,ts,t,u\n");
      for (int i = 0; i < 500; i++) {
        text.append(random.nextInt(9) == 0 ? "" : random.nextLong() >> random.nextInt(64));
        text.append(',').append(random.nextGaussian() * Math.pow(10, random.nextInt(60) - 30));
        text.append(',').append(random.nextInt(9) == 0 ? "" : random.nextBoolean());
        text.append(
            ",\"%04d-%02d-%02d\""
                .formatted(
                    random.nextInt(1, 9999), 1 + random.nextInt(12), 1 + random.nextInt(28)));
        text.append(
            ",%04d-01-02 03:%02d:05.%06d"
                .formatted(random.nextInt(1, 9999), random.nextInt(60), random.nextInt(1_000_000)));
        text.append(",23:%02d:%02d".formatted(random.nextInt(60), random.nextInt(60)));
        text.append(",\"").append("q\"\", ä".repeat(random.nextInt(4))).append("\"\n");
      }
      String name = "engine-" + seed + ".csv";
      write(name, text.toString());
      CsvOptions options = options("i:int64,d:float64,b:bool,day:date,ts:timestamp,t:time,u:utf8");
      List<List<@Nullable Object>> expected =
          engine.rows(
              "SELECT * FROM read_csv('%s', auto_detect = false, header = true, columns = {'i': 'BIGINT', 'd': 'DOUBLE', 'b': 'BOOLEAN', 'day': 'DATE', 'ts': 'TIMESTAMP', 't': 'TIME', 'u': 'VARCHAR'}, quote = '\"', escape = '\"', allow_quoted_nulls = false)"
                  .formatted(folder.resolve(name).toString().replace("'", "''")));
      assertThat(rows(text.toString(), options, random)).as("seed %d", seed).isEqualTo(expected);
    }
  }
}
