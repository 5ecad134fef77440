package dev.quiver.arrow.codec;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import java.lang.foreign.MemorySegment;

/// The parts that LZ4 and Zstandard frames share: a magic number, and skippable frames, whose magic
/// numbers are the same.
final class Frames {

  static final int MAGIC_BYTE_SIZE = 4;

  /// Sixteen magic numbers mark a skippable frame; these bits identify them.
  private static final int SKIPPABLE_MAGIC = 0x184D2A50;

  private static final int SKIPPABLE_MAGIC_MASK = 0xFFFF_FFF0;

  private Frames() {}

  static boolean isSkippable(int magic) {
    return (magic & SKIPPABLE_MAGIC_MASK) == SKIPPABLE_MAGIC;
  }

  /// Checks that a frame has `byteSize` more bytes.
  ///
  /// @param what name of the bytes
  static void require(MemorySegment source, long position, long byteSize, String what) {
    long rest = source.byteSize() - position;
    if (rest < byteSize) {
      throw new TruncatedInputException(
          "the " + byteSize + " bytes of " + what,
          Long.toString(rest),
          InputLocation.byteOffset(position));
    }
  }

  /// Checks that nothing follows a frame.
  ///
  /// @param end the end of the frame
  /// @param magic the magic number of another such frame
  /// @param format the name of the format
  static void requireEnd(MemorySegment source, long end, int magic, String format) {
    long following = source.byteSize() - end;
    if (following == 0) {
      return;
    }
    String found = following + " more bytes";
    if (following >= MAGIC_BYTE_SIZE) {
      int next = LittleEndian.getInt32(source, end);
      if (next == magic) {
        found = "a second frame";
      } else if (isSkippable(next)) {
        found = "a skippable frame";
      }
    }
    throw new MalformedInputException(
        "nothing after one " + format + " frame", found, InputLocation.byteOffset(end));
  }
}
