package dev.quiver.formats.parquet;

import dev.quiver.arrow.memory.Limit;
import java.io.IOException;

/// The bytes of the heap that the footer, the pages and the dictionaries of a file may take at a
/// time.
public interface PageMemory {

  /// Returns the bytes that any file may take.
  Limit share();

  /// Returns the bytes for a file whose largest pages do not fit its share. Waits until no other
  /// file has them.
  ///
  /// @throws dev.quiver.arrow.parallel.CancelledException if the work is to end before that
  Limit whole() throws IOException;

  /// Returns the same bytes for all files.
  static PageMemory of(Limit limit) {
    return new PageMemory() {
      @Override
      public Limit share() {
        return limit;
      }

      @Override
      public Limit whole() {
        return limit;
      }
    };
  }
}
