package dev.quiver.store.file;

import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.statistics.BatchStatistics;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A source of messages in canonical form, each at the position of its block.
public interface MessageSource {

  /// Returns the message of a block, without its body.
  ///
  /// @param index the index of the message, for errors
  /// @throws dev.quiver.arrow.memory.InputException if it is damaged
  EncapsulatedMessage message(Block block, long index) throws IOException;

  /// Returns the body, either mapped for the lifetime of `arena` or in `memory`.
  MemorySegment body(Block block, Arena arena, ScratchMemory memory) throws IOException;

  /// Returns the statistics of a record batch, or null if unknown.
  @Nullable BatchStatistics statistics(Block block) throws IOException;
}
