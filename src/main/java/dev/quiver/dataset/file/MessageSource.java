package dev.quiver.dataset.file;

import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Messages in their canonical form, each where its block says it is.
public interface MessageSource {

  /// @param index for errors
  /// @throws dev.quiver.input.InputException when it is damaged
  EncapsulatedMessage message(Block block, long index) throws IOException;

  /// The body, mapped as long as `arena` lives, or in `memory`.
  MemorySegment body(Block block, Arena arena, ScratchMemory memory) throws IOException;
}
