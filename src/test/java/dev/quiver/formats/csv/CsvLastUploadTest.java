package dev.quiver.formats.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.formats.Advice;
import dev.quiver.formats.AppendedDataset;
import dev.quiver.formats.FileParameters;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.Format;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files that are appended to a dataset, after another one whose options are tried first.
class CsvLastUploadTest {

  private static final Path FILES = Path.of("src/test/clients/csv");

  @TempDir private static Path folder;

  private static CsvFile open(byte[] bytes, @Nullable AppendedDataset dataset, String... pairs)
      throws IOException {
    return open(Format.CSV, bytes, dataset, pairs);
  }

  private static CsvFile open(
      Format format, byte[] bytes, @Nullable AppendedDataset dataset, String... pairs)
      throws IOException {
    Map<String, List<String>> parameters = new HashMap<>();
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      parameters.put(pair.substring(0, equals), List.of(pair.substring(equals + 1)));
    }
    return CsvFile.open(
        () -> new ByteArrayInputStream(bytes), CsvOptions.parse(format, parameters), dataset);
  }

  private static byte[] bytes(String text) {
    return text.replace("\\n", "\n").replace("\\t", "\t").getBytes(StandardCharsets.UTF_8);
  }

  /// Returns the dataset of a file.
  private static AppendedDataset stored(String text, String... pairs) throws IOException {
    return stored(bytes(text), pairs);
  }

  private static AppendedDataset stored(byte[] bytes, String... pairs) throws IOException {
    CsvFile file = open(bytes, /* dataset= */ null, pairs);
    return new AppendedDataset(file.schema(), file.parameters());
  }

  private static List<List<@Nullable Object>> rows(CsvFile file) throws IOException {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (CsvReader reader = file.read(CpuPool.PROCESS, folder)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        rows.addAll(Values.rows(batch));
      }
    }
    return rows;
  }

  @Test
  void readsAnAmbiguousFileAsTheLastOne() throws IOException {
    AppendedDataset dataset = stored("d;v\\n13/01/2024;1,5\\n", "csv.dates=day-first");
    CsvFile file = open(bytes("d;v\\n01/02/2024;1,500\\n"), dataset);
    assertThat(rows(file)).containsExactly(List.of(LocalDate.of(2024, 2, 1).toEpochDay(), 1.5));
    assertThat(file.found())
        .containsEntry(
            "lastUpload",
            Map.of("csv.dates", "day-first", "csv.decimal", ",", "csv.delimiter", ";"));
    assertThat(file.parameters()).isEqualTo(dataset.lastUpload());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '~',
      value = {
        "a,b\\nNA,x ! csv.null=NA ! a,b\\nNA,y ! [null, y]",
        "a,b\\n5%,x ! csv.types=a:percent ! a,b\\n7 %,y ! [0.07, y]",
        // Text that the service writes of the dataset.
        "a,b\\n5%,x ! csv.types=a:percent ! a,b\\n0.07,y ! [0.07, y]",
        "a;b\\n1.234,5;x ! csv.types=a:grouped ! a;b\\n2.345;y ! [2345.0, y]",
        "a,b\\n'x,y',1 ! csv.quote=' ! a,b\\n'p,q',2 ! [p,q, 2]",
        "a,b\\n1,2#x ! csv.comment=# ! a,b\\n3,4#y ! [3, 4]",
        "a,b\\nx,2 ! csv.header=false ! y,3 ! [y, 3]",
        "a,b\\n1,2 ! csv.rows=skip ! a,b\\n3\\n4,5 ! [4, 5]",
        "a,b\\n1,2\\n3 ! csv.rows=fill ! a,b\\n4 ! [4, null]",
        "x\\na,b\\n1,2 ! csv.skip=1 ! y\\na,b\\n3,4 ! [3, 4]",
        "a,b\\n31.1.24,2 ! csv.dateformat=%d.%m.%y ! a,b\\n1.2.24,4 ! [19754, 4]",
        // Columns in another order, and fewer.
        "a;b;c\\n1,5;x;y ! csv.decimal=, ! c;a\\nz;2,500 ! [z, 2.5]"
      })
  void keepsStatedOptions(String text, String option, String next, String row) throws IOException {
    assertThat(rows(open(bytes(next), stored(text, option))).getLast().toString()).isEqualTo(row);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "csv.comment=# ! a,b\\n3,4#y ! csv.comment=# of the last upload leaves out comments; csv.comment= reads them ! csv.comment=",
        "csv.comment=# ! #y\\na,b\\n3,4 ! csv.comment=# of the last upload leaves out comments; csv.comment= reads them ! csv.comment=",
        "csv.comment=# ! a,b\\n3,4 ! '' ! ''",
        "csv.rows=skip ! a,b\\n3\\n4,5\\n6 ! csv.rows=skip of the last upload leaves out 2 rows; csv.rows=strict rejects such rows ! csv.rows=strict",
        "csv.rows=skip ! a,b\\n4,5 ! '' ! ''",
        "csv.skip=1 ! y\\na,b\\n3,4 ! csv.skip=1 of the last upload leaves out the first lines; csv.skip=0 reads them ! csv.skip=0",
        "csv.skip=0 ! a,b\\n3,4 ! '' ! ''"
      })
  void warnsOfWhatTheLastOptionsLeaveOut(String last, String text, String sentence, String option)
      throws IOException {
    String first = last.equals("csv.skip=1") ? "x\na,b\n1,2\n" : "a,b\n1,2\n";
    AppendedDataset dataset = stored(first, last);
    List<Advice> advice = leftOut(open(bytes(text), dataset));
    assertThat(Advice.sentences(advice))
        .isEqualTo(sentence.isEmpty() ? List.of() : List.of(sentence));
    advice.forEach(each -> assertThat(each.option() + "=" + each.value()).isEqualTo(option));
    // The client knows the options that it states.
    assertThat(leftOut(open(bytes(text), dataset, last))).isEmpty();
    assertThat(leftOut(open(bytes(text), /* dataset= */ null, last))).isEmpty();
  }

  private static List<Advice> leftOut(CsvFile file) throws IOException {
    try (CsvReader reader = file.read(CpuPool.PROCESS, folder)) {
      while (reader.next() != null) {
        assertThat(reader.leftOut()).isNotNull();
      }
      return reader.leftOut();
    }
  }

  @Test
  void findsTheOptionsOfAFileInAnotherManner() throws IOException {
    AppendedDataset dataset = stored("d;v\\n13/01/2024;1,5\\n", "csv.dates=day-first");
    CsvFile commas = open(bytes("d,v\\n2024-01-31,1.5\\n"), dataset);
    assertThat(commas.found()).isEmpty();
    assertThat(rows(commas)).containsExactly(List.of(LocalDate.of(2024, 1, 31).toEpochDay(), 1.5));
    CsvFile points = open(bytes("d;v\\n2024-01-31;1.5\\n"), dataset);
    assertThat(points.found()).containsEntry("decimal", ".");
    assertThat(rows(points)).isEqualTo(rows(commas));
    CsvFile header = open(bytes("column1,column0\\n1,x\\n"), stored("x,1", "csv.header=false"));
    assertThat(rows(header)).containsExactly(List.of(1L, "x"));
    byte[] tabs = bytes("d\\tv\\n2024-01-31\\t1.5\\n");
    assertThat(open(Format.TSV, tabs, dataset).found()).isEmpty();
  }

  /// Another file does not make a value one of another day.
  @Test
  void rejectsValuesOfAnotherOrder() throws IOException {
    AppendedDataset dataset = stored("d;v\\n13/01/2024;1\\n", "csv.dates=day-first");
    assertThatThrownBy(() -> rows(open(bytes("d;v\\n01/31/2024;1\\n"), dataset)))
        .isInstanceOf(ForeignDataException.class)
        .hasMessage("Expected date but found \"01/31/2024\" at line 2, column d");
  }

  @Test
  void statedOptionsComeFirst() throws IOException {
    AppendedDataset dataset = stored("d;v\\n13/01/2024;1,5\\n", "csv.dates=day-first");
    CsvFile file = open(bytes("d;v\\n01/02/2024;1,5\\n"), dataset, "csv.dates=month-first");
    assertThat(rows(file)).containsExactly(List.of(LocalDate.of(2024, 1, 2).toEpochDay(), 1.5));
    CsvFile auto = open(bytes("d;v\\n01/02/2024;1,5\\n"), dataset, "csv.delimiter=auto");
    assertThat(auto.found())
        .containsEntry("delimiter", ";")
        .containsEntry("lastUpload", Map.of("csv.dates", "day-first", "csv.decimal", ","));
    // A comment cannot begin with the delimiter of the last upload.
    CsvFile conflict = open(bytes("d,v\\n2024-01-31,1.5;x\\n"), dataset, "csv.comment=;");
    assertThat(conflict.found()).isEmpty();
  }

  @Test
  void readsTheLastEncodingUnlessTheTextIsUtf8() throws IOException {
    byte[] first = "a,b\nПривет,1\n".getBytes(Charset.forName("windows-1251"));
    AppendedDataset dataset = stored(first, "csv.encoding=cp1251");
    byte[] next = "a,b\nМир,2\n".getBytes(Charset.forName("windows-1251"));
    assertThat(rows(open(next, dataset))).containsExactly(List.of("Мир", 2L));
    assertThat(rows(open(bytes("a,b\\nМир,3\\n"), dataset))).containsExactly(List.of("Мир", 3L));
    assertThat(rows(open(bytes("a,b\\nx,4\\n"), dataset))).containsExactly(List.of("x", 4L));
  }

  /// One name is that of the dataset whatever is between fields.
  @Test
  void oneColumnHasNoDelimiter() throws IOException {
    AppendedDataset dataset = stored("a;\\nx;\\ny;\\n", "csv.delimiter=;");
    assertThat(dataset.schema().fields()).hasSize(1);
    assertThat(dataset.lastUpload().values()).containsKey("csv.delimiter");
    assertThat(rows(open(bytes("a\\n\"x;y\"\\n"), dataset))).containsExactly(List.of("x;y"));
  }

  @Test
  void keepsNothingOfPlainFilesAndNothingLong() throws IOException {
    assertThat(stored("a,b\\n1,2").lastUpload().values()).isEmpty();
    assertThat(stored("a,b\\n1,2", "csv.encoding=utf-8", "csv.sample=5").lastUpload().values())
        .isEmpty();
    String name = "n".repeat(4_096 - ":percent".length());
    String longest = name + ",b\\n5%,2";
    assertThat(stored(longest, "csv.types=" + name + ":percent").lastUpload().values()).hasSize(1);
    assertThat(stored("n" + longest, "csv.types=n" + name + ":percent").lastUpload())
        .isEqualTo(new FileParameters("CSV", Map.of()));
  }

  /// Options that only a later release knows are left out with all others.
  @Test
  void ignoresUnknownOptions() throws IOException {
    AppendedDataset dataset = stored("a;b\\n1;2");
    for (FileParameters last :
        List.of(
            new FileParameters("CSV", Map.of("csv.later", List.of("x"))),
            new FileParameters("later", Map.of("csv.delimiter", List.of(";"))))) {
      CsvFile file = open(bytes("a;b\\n3;4"), new AppendedDataset(dataset.schema(), last));
      assertThat(rows(file)).containsExactly(List.of(3L, 4L));
      assertThat(file.found()).doesNotContainKey("lastUpload");
    }
  }

  /// A file is read alike when it is appended to itself, and when its parameters are stated.
  @Test
  void readsFilesOfManyMannersAlike() throws IOException {
    int count = 0;
    int tried = 0;
    List<Path> files;
    try (Stream<Path> all = Files.list(FILES)) {
      files = all.filter(path -> !path.toString().endsWith(".json")).sorted().toList();
    }
    for (Path path : files) {
      byte[] bytes = Files.readAllBytes(path);
      Format format = path.toString().endsWith(".tsv") ? Format.TSV : Format.CSV;
      CsvFile file;
      List<List<@Nullable Object>> rows;
      try {
        file = open(format, bytes, /* dataset= */ null);
        rows = rows(file);
      } catch (ForeignDataException e) {
        // Another test expects the error.
        continue;
      }
      FileParameters parameters = file.parameters();
      AppendedDataset dataset = new AppendedDataset(file.schema(), parameters);
      CsvFile again = open(format, bytes, dataset);
      assertThat(again.schema()).as(path.toString()).isEqualTo(file.schema());
      assertThat(rows(again)).as(path.toString()).isEqualTo(rows);
      assertThat(again.parameters()).as(path.toString()).isEqualTo(parameters);
      String[] stated =
          parameters.values().entrySet().stream()
              .flatMap(
                  entry -> entry.getValue().stream().map(value -> entry.getKey() + "=" + value))
              .toArray(String[]::new);
      CsvFile same = open(format, bytes, /* dataset= */ null, stated);
      assertThat(same.schema()).as("%s %s", path, Arrays.toString(stated)).isEqualTo(file.schema());
      assertThat(rows(same)).as(path.toString()).isEqualTo(rows);
      count++;
      tried += again.found().containsKey("lastUpload") ? 1 : 0;
    }
    assertThat(count).isGreaterThan(300);
    assertThat(tried).isGreaterThan(80);
  }
}
