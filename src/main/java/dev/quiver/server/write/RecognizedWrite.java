package dev.quiver.server.write;

import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.AppendedDataset;
import dev.quiver.formats.Format;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.store.Datasets;
import dev.quiver.store.version.DatasetName;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The rules for a body whose format only its bytes tell.
final class RecognizedWrite {

  /// The dataset in the hint if the client names none.
  private static final String EXAMPLE = "weather";

  private RecognizedWrite() {}

  /// Rejects text that would replace data with other columns: it may be the text of an error.
  ///
  /// @param format the format by the bytes
  /// @param schema the schema of the text
  /// @throws dev.quiver.server.http.ProblemException 409 if the dataset has other columns
  static void requireSameColumns(DatasetName name, Format format, Schema schema, Datasets datasets)
      throws IOException {
    AppendedDataset replaced = datasets.appended(name);
    if (replaced == null || names(replaced.schema()).equals(names(schema))) {
      return;
    }
    String found =
        schema.fields().stream().map(Field::name).limit(10).collect(Collectors.joining(", "));
    // A principal that may replace the dataset may lack the permission to read its columns.
    throw Problem.of(
            ProblemType.CONFLICT,
            "Expected the columns of dataset %s but found %s at the body, whose format nothing states"
                .formatted(name, Excerpt.of(found, Problem.QUOTE_LENGTH)))
        .withHint(
            "To replace the data, send it to %s, or with the header If-Match: *."
                .formatted(path(name, format)))
        .asException();
  }

  private static Set<String> names(Schema schema) {
    return schema.fields().stream().map(Field::name).collect(Collectors.toSet());
  }

  /// Returns what to do with data that is not recognized.
  ///
  /// @param name the dataset, or null if its name is not known
  static String hint(@Nullable DatasetName name, UnsupportedFormatException.@Nullable Text text) {
    return switch (text) {
      case null -> "Convert the data to Arrow, Parquet, CSV, JSON or Excel.";
      case MARKUP -> "Check where the data comes from: a page was sent in its place.";
      case JSON -> toSend(name, Format.JSON);
      case OTHER -> toSend(name, Format.CSV);
    };
  }

  private static String toSend(@Nullable DatasetName name, Format format) {
    DatasetName named = name == null ? new DatasetName(EXAMPLE) : name;
    return "Send it to %s, or with the header Content-Type: %s."
        .formatted(path(named, format), format.mediaTypes().getFirst());
  }

  private static String path(DatasetName name, Format format) {
    return PublicPath.prefix() + DatasetPath.of(name) + format.suffix();
  }
}
