package dev.quiver.arrow.ipc;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A reader of a body into memory that grows as bytes arrive, regardless of the declared length.
final class GrowingBody {

  private static final long FIRST_ALLOCATION_BYTE_SIZE = 1 << 20;

  private GrowingBody() {}

  static MemorySegment read(MessageReader messages, Arena arena) throws IOException {
    long byteSize = messages.bodyRemaining();
    if (byteSize <= FIRST_ALLOCATION_BYTE_SIZE) {
      MemorySegment body = arena.allocate(byteSize, Framing.BODY_ALIGNMENT);
      messages.readBodyPart(body);
      return body;
    }
    Arena growing = Arena.ofShared();
    try {
      MemorySegment filled = growing.allocate(FIRST_ALLOCATION_BYTE_SIZE, Framing.BODY_ALIGNMENT);
      messages.readBodyPart(filled);
      while (filled.byteSize() < byteSize / 2) {
        Arena larger = Arena.ofShared();
        MemorySegment grown;
        try {
          grown = grow(messages, filled, filled.byteSize() * 2, larger);
        } catch (IOException | RuntimeException | Error e) {
          larger.close();
          throw e;
        }
        growing.close();
        growing = larger;
        filled = grown;
      }
      return grow(messages, filled, byteSize, arena);
    } finally {
      growing.close();
    }
  }

  private static MemorySegment grow(
      MessageReader messages, MemorySegment filled, long byteSize, Arena arena) throws IOException {
    MemorySegment grown = arena.allocate(byteSize, Framing.BODY_ALIGNMENT);
    MemorySegment.copy(filled, 0, grown, 0, filled.byteSize());
    messages.readBodyPart(grown.asSlice(filled.byteSize()));
    return grown;
  }
}
