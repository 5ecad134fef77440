package dev.quiver.arrow;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Finding;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Reads, validates and writes record batches in the Arrow IPC formats.
///
/// Input may be hostile. It is rejected with an [InputException], which says where and why, or with
/// an [dev.quiver.arrow.validate.InvalidDataException] if its arrays break a rule. A length that
/// the input only declares allocates no memory, and [Limits] bound the rest.
///
/// [dev.quiver.arrow.array.Array] reads the values of a batch,
/// [dev.quiver.arrow.array.ArrayBuilder] makes batches of Java values.
public final class Arrow {

  /// The compression of the buffers of a stream or file.
  public enum Compression {
    /// No compression. A file can be mapped and used without a copy.
    NONE,
    /// LZ4 frames, which are the fastest.
    LZ4,
    /// Zstandard at level 1, which is smaller.
    ZSTD
  }

  private Arrow() {}

  /// Reads a stream: the schema now, and each batch when it is wanted.
  ///
  /// @param stream is read no further than the end of the Arrow data
  /// @throws InputException if the input does not start with a schema
  public static ArrowReader read(InputStream stream) throws IOException {
    return read(stream, Limits.DEFAULT);
  }

  /// Reads a stream within other limits than the defaults.
  ///
  /// @throws InputException if the input does not start with a schema
  public static ArrowReader read(InputStream stream, Limits limits) throws IOException {
    return ArrowStream.open(stream, limits);
  }

  /// Opens a file, whose batches can be read in any order. It must not change until it is closed.
  ///
  /// @throws InputException if the footer is invalid
  public static ArrowFile open(Path file) throws IOException {
    return open(file, Limits.DEFAULT);
  }

  /// Opens a file within other limits than the defaults.
  ///
  /// @throws InputException if the footer is invalid
  public static ArrowFile open(Path file, Limits limits) throws IOException {
    return ArrowFile.map(file, limits);
  }

  /// Begins a stream, which can be read while it is written.
  public static ArrowWriter writeStream(OutputStream output, Schema schema, Compression compression)
      throws IOException {
    return ArrowWriter.ofStream(output, schema, compression);
  }

  /// Begins a file, which can be read once it is finished, in any order. All of its batches have
  /// the same dictionaries.
  public static ArrowWriter writeFile(OutputStream output, Schema schema, Compression compression)
      throws IOException {
    return ArrowWriter.ofFile(output, schema, compression);
  }

  /// Checks a schema. Only rules of [Level#DOMAIN] depend on it alone.
  ///
  /// @return the first [Validator#FINDINGS_MAXIMUM] findings
  public static List<Finding> validate(Schema schema, Level level) {
    return Validator.validate(schema, level);
  }

  /// Checks the columns of a batch and the dictionaries that they refer to.
  ///
  /// @return the findings, at most [Validator#FINDINGS_MAXIMUM] for the columns and for each
  ///   dictionary
  public static List<Finding> validate(RecordBatch batch, Level level) {
    List<Finding> findings = new ArrayList<>(Validator.validate(batch, level));
    Set<Long> seen = new HashSet<>();
    batch.columns().forEach(column -> validateDictionaries(column, level, seen, findings));
    return findings;
  }

  private static void validateDictionaries(
      ArrayData array, Level level, Set<Long> seen, List<Finding> findings) {
    array.children().forEach(child -> validateDictionaries(child, level, seen, findings));
    ArrayData values = array.dictionary();
    var encoding = array.field().dictionary();
    if (values != null && encoding != null && seen.add(encoding.id())) {
      findings.addAll(Validator.validateDictionary(values, level, array.field().name()));
      validateDictionaries(values, level, seen, findings);
    }
  }
}
