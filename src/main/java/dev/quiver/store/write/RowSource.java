package dev.quiver.store.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.UploadData;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/// A reader of files that are not Arrow data.
@FunctionalInterface
public interface RowSource {

  /// Begins to read a file.
  ///
  /// @param file the bytes, which are read once
  /// @throws IOException also if the bytes cannot be read
  Rows open(ByteSource file) throws IOException;

  /// The rows of a file.
  interface Rows extends Closeable {

    /// Returns the rows, whose end comes only if the whole file was read.
    UploadData data();

    /// Returns sentences about what the rows lack of the file.
    List<String> warnings();
  }
}
