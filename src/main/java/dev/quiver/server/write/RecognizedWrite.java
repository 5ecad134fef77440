package dev.quiver.server.write;

import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Format;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.sql.query.FileOptions;
import dev.quiver.store.version.DatasetName;
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
  /// @param replaced the schema of the dataset, or null if it cannot be read
  /// @param schema the schema of the text
  /// @param hint says how to replace the data
  /// @throws dev.quiver.server.http.ProblemException 409 if the dataset has other columns, or
  ///   nothing tells which it has
  static void requireSameColumns(
      DatasetName name, @Nullable Schema replaced, Schema schema, String hint) {
    if (replaced == null) {
      throw Problem.of(
              ProblemType.CONFLICT,
              "Expected a body with a stated format but found one without for dataset %s, whose columns cannot be read"
                  .formatted(name))
          .withHint(hint)
          .asException();
    }
    if (names(replaced).equals(names(schema))) {
      return;
    }
    String found =
        schema.fields().stream().map(Field::name).limit(10).collect(Collectors.joining(", "));
    // A principal that may replace the dataset may lack the permission to read its columns.
    throw Problem.of(
            ProblemType.CONFLICT,
            "Expected the columns of dataset %s but found %s at the body, whose format nothing states"
                .formatted(name, Excerpt.of(found, Problem.QUOTE_LENGTH)))
        .withHint(hint)
        .asException();
  }

  /// Returns how text replaces data with other columns.
  ///
  /// @param text the format by the bytes
  static String way(UploadFormat.Undeclared data, DatasetName name, Format text) {
    return data.isInForm()
        ? "To replace the data, give the file in the form a name that ends with %s."
            .formatted(text.suffix())
        : "To replace the data, send it to %s, or with the header If-Match: *."
            .formatted(path(name, text));
  }

  /// Returns what to do with a form for a new dataset whose name is taken.
  ///
  /// @param format the format of the data in the form
  static String otherName(DatasetName name, UploadFormat format) {
    String suffix =
        switch (format) {
          case UploadFormat.Foreign(FileOptions options) -> options.format().suffix();
          case UploadFormat.Undeclared _ -> " with the suffix of its format";
          case UploadFormat.Arrow _, UploadFormat.Sql _, UploadFormat.Form _ -> "";
        };
    return "Choose another name, or send the file itself to %s%s, by PUT to replace the data or by POST to append."
        .formatted(PublicPath.prefix() + DatasetPath.of(name), suffix);
  }

  private static Set<String> names(Schema schema) {
    return schema.fields().stream().map(Field::name).collect(Collectors.toSet());
  }

  /// Returns what to do with data that is not recognized.
  ///
  /// @param name the dataset, or null if its name is not known
  /// @param isInForm whether the data is a part of a form
  static String hint(
      @Nullable DatasetName name,
      boolean isInForm,
      UnsupportedFormatException.@Nullable Text text) {
    return switch (text) {
      case null -> "Convert the data to Arrow, Parquet, CSV, JSON or Excel.";
      case MARKUP -> "Check where the data comes from: a page was sent in its place.";
      case JSON -> toSend(name, isInForm, Format.JSON);
      case OTHER -> toSend(name, isInForm, Format.CSV);
    };
  }

  private static String toSend(@Nullable DatasetName name, boolean isInForm, Format format) {
    if (isInForm) {
      return "Give the file in the form a name that ends with %s, if that is its format."
          .formatted(format.suffix());
    }
    DatasetName named = name == null ? new DatasetName(EXAMPLE) : name;
    return "Send it to %s, or with the header Content-Type: %s."
        .formatted(path(named, format), format.mediaTypes().getFirst());
  }

  private static String path(DatasetName name, Format format) {
    return PublicPath.prefix() + DatasetPath.of(name) + format.suffix();
  }
}
