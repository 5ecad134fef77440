package dev.quiver.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.json.JsonFile;
import dev.quiver.formats.json.JsonOptions;
import dev.quiver.sql.engine.FileEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// A real engine over a folder of files.
public abstract class ForeignFixture {

  @TempDir static Path root;

  protected static Path folder;
  protected static FileEngine engine;

  /// The name of the folder needs escaping.
  @BeforeAll
  static void openEngine() throws IOException {
    folder = Files.createDirectory(root.resolve("it's"));
    engine = new FileEngine(folder);
  }

  @AfterAll
  static void closeEngine() {
    engine.close();
  }

  protected static Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  protected static Path write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  /// Returns a dataset without an earlier file, or null for no schema.
  public static @Nullable AppendedDataset dataset(@Nullable Schema schema) {
    return schema == null ? null : new AppendedDataset(schema, FileParameters.NONE);
  }

  protected static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /// Returns parameters as a request has them.
  ///
  /// @param pairs such as `csv.skip=1`
  protected static Map<String, List<String>> parameters(String... pairs) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      parameters
          .computeIfAbsent(pair.substring(0, equals), _ -> new ArrayList<>())
          .add(pair.substring(equals + 1));
    }
    return parameters;
  }

  protected static JsonFile json(Path file, Format format, String... pairs) throws IOException {
    return json(file, format, /* dataset= */ null, pairs);
  }

  /// @param dataset the schema of the dataset to which the rows are appended, or null
  protected static JsonFile json(
      Path file, Format format, @Nullable Schema dataset, String... pairs) throws IOException {
    return JsonFile.open(
        () -> Files.newInputStream(file),
        JsonOptions.parse(format, parameters(pairs)),
        Limits.DEFAULT,
        dataset,
        CpuPool.PROCESS,
        Long.MAX_VALUE);
  }

  protected static List<List<@Nullable Object>> rows(JsonFile file) throws IOException {
    return rows(file.read(CpuPool.PROCESS, folder, Long.MAX_VALUE), file.schema());
  }

  protected static List<String> fields(Schema schema) {
    return schema.fields().stream().map(Field::toString).toList();
  }

  protected static List<List<@Nullable Object>> rows(String sql) {
    return engine.rows(sql);
  }

  /// Returns the rows of a reader, all of one schema, and closes it.
  protected static List<List<@Nullable Object>> rows(FileBatchReader reader, Schema schema)
      throws IOException {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (reader) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        assertThat(batch.schema()).isEqualTo(schema);
        rows.addAll(Values.rows(batch));
      }
    }
    return rows;
  }
}
