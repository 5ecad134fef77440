package dev.quiver.store.write;

import dev.quiver.arrow.parallel.ScratchMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/// Memory for items that are read one by one and written in groups.
///
/// The item that ends a group is read before that group is written. It stays where it is, and the
/// items that follow are read into the other half.
final class AlternatingMemory implements AutoCloseable {

  private Half current;

  /// The half with the previous group, and possibly the first item of the current one.
  private Half previous;

  /// @param scratchFolder for files of working memory
  AlternatingMemory(Path scratchFolder) {
    current = new Half(scratchFolder);
    previous = new Half(scratchFolder);
  }

  /// Returns the memory of the next item, which lives until the second [#alternate] from now, or
  /// the next [#reset].
  ScratchMemory scratch() {
    return current.scratch;
  }

  /// Returns the arena of the next item, which lives as long as [#scratch].
  Arena arena() {
    return current.arena;
  }

  /// Releases the items before the group just written. Later items go into the other half.
  void alternate() {
    previous.reset();
    Half reused = previous;
    previous = current;
    current = reused;
  }

  /// Releases all items.
  void reset() {
    current.reset();
    previous.reset();
  }

  @Override
  public void close() throws IOException {
    try (Half _ = current) {
      previous.close();
    }
  }

  private static final class Half implements AutoCloseable {

    private final ScratchMemory scratch;
    private Arena arena = Arena.ofConfined();

    Half(Path scratchFolder) {
      scratch = new ScratchMemory(scratchFolder);
    }

    void reset() {
      arena.close();
      arena = Arena.ofConfined();
      scratch.reset();
    }

    @Override
    public void close() throws IOException {
      arena.close();
      scratch.close();
    }
  }
}
