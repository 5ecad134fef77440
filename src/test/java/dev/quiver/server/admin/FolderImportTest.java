package dev.quiver.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.RecordedLog;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.sql.query.TestQueries;
import dev.quiver.store.DatasetLists;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.log.AuditLog;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The import of a folder: which files become datasets, when they do, and the log of the others.
/// `FileImportTest` covers the import of one file, `DatasetNameTest` names.
class FolderImportTest {

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Schema SCHEMA = Schema.of(Field.of("n", false, new ArrowType.Int(32, true)));

  @TempDir private Path temporary;
  private final RecordedLog log = new RecordedLog(FolderImport.class);
  private Path folder;
  private Datasets datasets;
  private TestQueries queries;
  private FolderImport folderImport;
  private Instant now = START;

  @BeforeEach
  void open() throws IOException {
    folder = Files.createDirectory(temporary.resolve("files"));
    datasets =
        new Datasets(FolderBlobStore.open(temporary.resolve("store")), DatasetOptions.DEFAULT);
    queries =
        TestQueries.unavailable(datasets, TestWorkers.options(INTERVAL), "SQL is not available");
    folderImport = start();
  }

  @AfterEach
  void stopListening() {
    queries.close();
    log.close();
  }

  @Test
  void importsFilesInSubfolders() throws IOException {
    put("cities.arrow", 3);
    put("2024/01/Köln.feather", 4);
    put("stream.ARROWS", 5);
    put("notes.txt", 6);
    run();

    assertThat(names()).containsExactlyInAnyOrder("cities", "2024.01.Koln", "stream");
    assertThat(rows("2024.01.Koln")).isEqualTo(4);
    assertThat(log.messages())
        .containsExactly(
            "2024/01/Köln.feather was imported as dataset 2024.01.Koln, version 1: 4 rows, copied",
            "cities.arrow was imported as dataset cities, version 1: 3 rows, copied",
            "stream.ARROWS was imported as dataset stream, version 1: 5 rows, copied");
  }

  @Test
  void importsAChangedFileOnceItSettles() throws IOException {
    put("a.arrow", 3);
    run();
    put("a.arrow", 5);
    run();
    assertThat(rows("a")).isEqualTo(3);
    run();
    assertThat(rows("a")).isEqualTo(5);
    run();
    assertThat(versions("a")).isEqualTo(2);
  }

  @Test
  void waitsForAFileThatIsStillBeingWritten() throws IOException {
    run();
    put("a.arrow", 3);
    run();
    put("a.arrow", 4);
    run();
    assertThat(names()).isEmpty();
    run();
    assertThat(rows("a")).isEqualTo(4);
    assertThat(versions("a")).isEqualTo(1);
  }

  @Test
  void importsFilesAsOldAsTheIntervalAtStart() throws IOException {
    put("young.arrow", 3, START.minus(INTERVAL).plusMillis(1));
    put("old.arrow", 3, START.minus(INTERVAL));
    put("future.arrow", 3, START.plus(INTERVAL));
    run();
    assertThat(names()).containsExactly("old");
    run();
    assertThat(names()).containsExactlyInAnyOrder("future", "old", "young");
  }

  @Test
  void importsNothingAgainAfterARestart() throws IOException {
    put("a.arrow", 3);
    put("b.arrow", 3);
    run();
    log.clear();

    folderImport = start();
    run();

    assertThat(versions("a")).isEqualTo(1);
    assertThat(log.messages()).isEmpty();
  }

  @Test
  void keepsADatasetWhoseFileIsDeleted() throws IOException {
    put("a.arrow", 3);
    run();
    Files.delete(folder.resolve("a.arrow"));
    run();
    assertThat(rows("a")).isEqualTo(3);
  }

  @Test
  void logsABrokenFileOncePerChange() throws IOException {
    put("b.arrow", 3);
    Files.writeString(folder.resolve("a.arrow"), "Not Arrow at all.");
    age("a.arrow");
    run();
    run();
    run();
    assertThat(names()).containsExactly("b");
    String broken =
        "a.arrow is not imported: Expected an Arrow IPC stream or file but found the text \"Not"
            + " Arrow at all…\" at byte offset 0";
    assertThat(log.messages())
        .containsExactly(broken, "b.arrow was imported as dataset b, version 1: 3 rows, copied");

    log.clear();
    Files.writeString(folder.resolve("a.arrow"), "Not Arrow at all!");
    run();
    run();
    run();
    assertThat(log.messages()).containsExactly(broken);
  }

  @Test
  void logsADatasetThatIsNewerThanItsFile() throws IOException {
    put("a.arrow", 3, START.minusSeconds(3600));
    ByteSource body = ByteSource.of(MemorySegment.ofArray(stream(1)));
    DatasetName name = new DatasetName("a");
    Instant written =
        datasets
            .put(name, body, BodyFormat.STREAM, new WriteCondition.None())
            .summary()
            .committedAt();
    run();
    run();
    assertThat(log.messages())
        .containsExactly(
            "a.arrow is not imported: dataset a was written at "
                + written
                + ", after the file changed");
  }

  @Test
  void rejectsTheSecondFileOfADatasetName() throws IOException {
    put("a.arrow", 3);
    put("a.feather", 4);
    put("b/c.arrow", 3);
    put("b.c.arrow", 4);
    run();
    run();
    assertThat(rows("a")).isEqualTo(3);
    assertThat(rows("b.c")).isEqualTo(4);
    assertThat(log.messages())
        .contains(
            "a.feather is not imported: dataset a is imported from a.arrow",
            "b/c.arrow is not imported: dataset b.c is imported from b.c.arrow")
        .hasSize(4);
  }

  @Test
  void rejectsFilesWithoutAValidName() throws IOException {
    put("数据.arrow", 3);
    String tooLong = "a".repeat(101) + ".arrow";
    put(tooLong, 3);
    run();
    assertThat(names()).isEmpty();
    assertThat(log.messages())
        .containsExactly(
            tooLong
                + " is not imported: Expected 1 to 100 characters but found 101 characters at the"
                + " name of a dataset",
            "数据.arrow is not imported: Expected 1 to 100 characters but found 0 characters at the"
                + " name of a dataset");
  }

  @Test
  void logsPathsOnOneLine() throws IOException {
    put("a\nb.arrow", 3);
    run();
    assertThat(log.messages())
        .containsExactly("a?b.arrow was imported as dataset a-b, version 1: 3 rows, copied");
  }

  @Test
  void ignoresHiddenFilesAndFolders() throws IOException {
    put(".a.arrow", 3);
    put(".folder/b.arrow", 3);
    run();
    assertThat(names()).isEmpty();
    assertThat(log.messages()).isEmpty();
  }

  /// Opening a pipe would wait for its writer.
  @Test
  @EnabledOnOs(OS.LINUX)
  void ignoresPipesDevicesAndSocketsAndReadsSparseFiles() throws Exception {
    String pipe = folder.resolve("pipe.arrow").toString();
    assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();
    Files.createSymbolicLink(folder.resolve("null.arrow"), Path.of("/dev/zero"));
    Files.createSymbolicLink(folder.resolve("loop.arrow"), Path.of("loop.arrow"));
    try (FileChannel sparse =
        FileChannel.open(
            folder.resolve("sparse.arrow"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE)) {
      sparse.write(ByteBuffer.allocate(1), (1L << 40) - 1);
    }
    put("a.arrow", 3);
    run();
    assertThat(names()).containsExactly("a");
  }

  @Test
  void followsLinksToFilesOfTheFolder() throws IOException {
    put(".hidden/a.arrow", 3);
    put("other/b.arrow", 4);
    Files.createSymbolicLink(folder.resolve("a.arrow"), Path.of(".hidden", "a.arrow"));
    Files.createSymbolicLink(folder.resolve("linked"), Path.of("other"));
    Path outside = temporary.resolve("outside.arrow");
    Files.copy(folder.resolve("other/b.arrow"), outside);
    Files.createSymbolicLink(folder.resolve("outside.arrow"), outside);
    run();
    assertThat(names()).containsExactlyInAnyOrder("a", "other.b");
    assertThat(log.messages())
        .contains("outside.arrow is not imported: it is a link that points outside the folder")
        .hasSize(3);
  }

  @Test
  void rejectsAFolderInsideTheStore() throws IOException {
    put("a.arrow", 3);
    folder = temporary;
    folderImport = start();
    run();
    assertThat(names()).containsExactly("files.a");

    log.clear();
    folder = temporary.resolve("store/data");
    folderImport = start();
    run();
    run();
    assertThat(log.messages())
        .containsExactly(
            "The folder %s is not imported: Expected a folder outside the store but found %s at quiver.import"
                .formatted(folder, folder));
  }

  @Test
  void importsOnceTheFolderExists() throws IOException {
    Path later = temporary.resolve("later");
    folder = later;
    folderImport = start();
    run();
    run();
    assertThat(log.messages())
        .containsExactly(
            "The folder %s is not imported: java.nio.file.NoSuchFileException: %s"
                .formatted(later, later));
    put("a.arrow", 3);
    run();
    assertThat(names()).containsExactly("a");
  }

  @Test
  void compressedFilesBecomeDatasetsOfTheirNames() throws IOException {
    readOtherFormats();
    try (OutputStream file = Files.newOutputStream(folder.resolve("july.csv.gz"));
        GZIPOutputStream gzip = new GZIPOutputStream(file)) {
      gzip.write("id;name\n1;a\n2;b\n".getBytes(StandardCharsets.UTF_8));
    }
    Files.setLastModifiedTime(folder.resolve("july.csv.gz"), FileTime.from(START.minusSeconds(60)));
    run();
    assertThat(names()).containsExactly("july");
    assertThat(rows("july")).isEqualTo(2);
  }

  @Test
  void filesOfOtherFormatsBecomeDatasets() throws IOException {
    readOtherFormats();
    write("may.csv", "id,name\n1,a\n2,b\n");
    write("sub/june.TSV", "id\tname\n1;5\ta\n");
    write("rows.jsonl", "{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3}\n");
    write("late.csv", "n\n" + "1\n".repeat(30_000) + "x\n");
    run();
    assertThat(names()).containsExactly("may", "rows", "sub.june");
    assertThat(rows("may")).isEqualTo(2);
    assertThat(rows("rows")).isEqualTo(3);
    String failure =
        "late.csv is not imported: Expected int64 but found \"x\" at line 30002, column n";
    assertThat(log.messages())
        .containsExactly(
            failure,
            "may.csv was imported as dataset may, version 1: 2 rows, copied",
            "rows.jsonl was imported as dataset rows, version 1: 3 rows, copied",
            "sub/june.TSV was imported as dataset sub.june, version 1: 1 rows, copied");
    run();
    folderImport = start();
    run();
    assertThat(summary("may").version()).isOne();
    // The service has started again, and says once more what it cannot import.
    assertThat(log.messages()).hasSize(5).endsWith(failure);
  }

  @Test
  void changedFileOfAnotherFormatBecomesAVersion() throws IOException {
    readOtherFormats();
    write("may.csv", "id\n1\n");
    run();
    write("may.csv", "id\n1\n2\n");
    run();
    run();
    assertThat(summary("may").version()).isEqualTo(2);
    assertThat(rows("may")).isEqualTo(2);
  }

  @Test
  void filesOfOneNameInTwoFormatsAreRejected() throws IOException {
    readOtherFormats();
    put("a.arrow", 3);
    write("a.csv", "id\n1\n");
    run();
    assertThat(rows("a")).isEqualTo(3);
    assertThat(log.messages())
        .containsExactly(
            "a.csv is not imported: dataset a is imported from a.arrow",
            "a.arrow was imported as dataset a, version 1: 3 rows, copied");
  }

  @Test
  void otherFormatsAreReadWithoutAnEngine() throws IOException {
    write("may.csv", "id\n1\n");
    write("june.json", "[{\"id\": 1}]");
    run();
    run();
    assertThat(names()).containsExactly("june", "may");
    assertThat(log.messages())
        .containsExactly(
            "june.json was imported as dataset june, version 1: 1 rows, copied",
            "may.csv was imported as dataset may, version 1: 1 rows, copied");
  }

  private void readOtherFormats() {
    queries.close();
    queries = TestQueries.of(datasets, TestWorkers.options(Duration.ofSeconds(30)));
    folderImport = start();
  }

  private void write(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(START.minusSeconds(60)));
  }

  private FolderImport start() {
    return new FolderImport(
        datasets,
        new ForeignImport(queries.files(), Limits.DEFAULT),
        folder,
        List.of(temporary.resolve("store")),
        INTERVAL,
        () -> now,
        new AuditLog(temporary.resolve("audit.jsonl"), 1 << 20, 1, false));
  }

  private void run() {
    folderImport.run();
  }

  private void put(String path, int rows) throws IOException {
    put(path, rows, START.minusSeconds(60).plusSeconds(rows));
  }

  /// Replaces a file by a stream of this number of rows.
  private void put(String path, int rows, Instant modifiedAt) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Path next = Files.write(temporary.resolve("next"), stream(rows));
    Files.setLastModifiedTime(next, FileTime.from(modifiedAt));
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
  }

  static byte[] stream(int rows) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      List<@Nullable Object> values = new ArrayList<>(Collections.nCopies(rows, 7));
      StreamWriter writer =
          new StreamWriter(
              segment -> bytes.writeBytes(segment.toArray(ValueLayout.JAVA_BYTE)),
              SCHEMA,
              Codec.NONE);
      writer.write(new ArrayBuilder(arena, Map.of()).recordBatch(SCHEMA, rows, List.of(values)));
      writer.close();
    }
    return bytes.toByteArray();
  }

  private void age(String path) throws IOException {
    Files.setLastModifiedTime(folder.resolve(path), FileTime.from(START.minusSeconds(60)));
  }

  private List<String> names() throws IOException {
    return DatasetLists.list(datasets, null, 100).stream()
        .map(summary -> summary.name().value())
        .toList();
  }

  private long rows(String name) throws IOException {
    return summary(name).file().rows();
  }

  private long versions(String name) throws IOException {
    return summary(name).version();
  }

  private VersionSummary summary(String name) throws IOException {
    return datasets.summary(new DatasetReference(new DatasetName(name), null));
  }
}
