package dev.quiver.formats;

import dev.quiver.arrow.array.RecordBatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The rows of a file as record batches, which are read once. Used by one thread.
public interface FileBatchReader extends AutoCloseable {

  /// Returns the next rows, or null at the end. Their memory is reused for later ones.
  ///
  /// @throws ForeignDataException if the file is not as it should be, once the rows before are read
  @Nullable RecordBatch next() throws IOException;

  @Override
  void close() throws IOException;
}
