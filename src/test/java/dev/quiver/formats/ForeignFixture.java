package dev.quiver.formats;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.json.JsonColumns;
import dev.quiver.formats.json.JsonFile;
import dev.quiver.formats.json.JsonOptions;
import dev.quiver.sql.engine.EngineException;
import dev.quiver.sql.engine.FileEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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

  protected static JsonFile json(Path file, Format format, String... pairs) {
    return new JsonFile(file.toString(), JsonOptions.parse(format, parameters(pairs)));
  }

  /// Returns the statement that reads a file, or an earlier one that fails.
  protected static String sql(JsonFile file) {
    try {
      return file.sql(columns(file));
    } catch (EngineException e) {
      return file.columnsSql();
    }
  }

  protected static JsonColumns columns(JsonFile file) {
    JsonColumns columns = file.columns(engine.batches(file.columnsSql()));
    String valuesSql = file.valuesSql(columns);
    return valuesSql == null ? columns : columns.exact(engine.batches(valuesSql));
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

  /// Returns what a client is told of an error of the engine. It never has a path.
  protected static ForeignDataException error(
      String sql, Function<String, ForeignDataException> translation) {
    EngineException failure = catchThrowableOfType(EngineException.class, () -> engine.rows(sql));
    assertThat(failure).as(sql).isNotNull();
    ForeignDataException error = translation.apply(requireNonNull(failure.getMessage()));
    assertThat(error.getMessage()).doesNotContain(root.toString(), "it's", "strict_mode", "auto");
    return error;
  }
}
