package dev.quiver.formats;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The data of an upload, which is read once.
public sealed interface UploadData {

  /// A stream or file in the Arrow format.
  ///
  /// @param declared the declared format, used only if the first bytes are ambiguous
  /// @param rows the first rows that suffice, or [Long#MAX_VALUE] for all. The rest of a stream may
  ///   stay unread
  /// @param renames new names for columns
  record Arrow(ByteSource body, BodyFormat declared, long rows, ColumnRenames renames)
      implements UploadData {

    /// Data that is needed to its end, with the names that it has.
    public Arrow(ByteSource body, BodyFormat declared) {
      this(body, declared, Long.MAX_VALUE, ColumnRenames.NONE);
    }
  }

  /// The record batches of a file of another format, which are stored from the memory of their
  /// reader.
  ///
  /// @param rows as for Arrow data
  record Batches(BatchStream stream, long rows) implements UploadData {}

  /// The data once it is needed: a write that already happened needs none.
  @FunctionalInterface
  interface Source {

    /// Returns a source of Arrow data that is open already.
    static Source of(ByteSource body, BodyFormat declared) {
      return () -> new Arrow(body, declared);
    }

    UploadData open() throws IOException;

    /// Returns a check of data that a write replaces, or null if this may replace any. It throws an
    /// exception if this may not replace data of a schema, which is null if it cannot be read.
    /// Known once this is open.
    default @Nullable Consumer<@Nullable Schema> replacementCheck() {
      return null;
    }
  }
}
