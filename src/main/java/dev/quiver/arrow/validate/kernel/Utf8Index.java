package dev.quiver.arrow.validate.kernel;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// An index that decides whether any range of a buffer is UTF-8, after reading the buffer about
/// once.
///
/// Views may refer to the same bytes any number of times, so reading them for each view could take
/// quadratic time. UTF-8 is self-synchronizing, which makes three conditions sufficient. A range is
/// valid if it contains no bad byte, its first byte is not a continuation, and its last character
/// ends in it. A byte is bad if it belongs to no character of the whole buffer.
public final class Utf8Index {

  /// The distance between the index's entries.
  static final int BLOCK_BYTE_SIZE = 256;

  /// The reciprocal of the share of a buffer after which it is read whole. Views may also use
  /// little of a large buffer.
  private static final int REQUESTED_PART = 64;

  private static final long NONE = Long.MAX_VALUE;

  private final MemorySegment segment;
  private final Blocks blocks;

  /// The total size of the requested ranges while the buffer is unread.
  private long requestedByteSize;

  /// The classification of the buffer, once read.
  private Blocks.@Nullable Text text;

  /// The first bad byte in or after each block, if the buffer has one.
  private long @Nullable [] nextBad;

  public Utf8Index(MemorySegment segment, Blocks blocks) {
    this.segment = segment;
    this.blocks = blocks;
  }

  public MemorySegment segment() {
    return segment;
  }

  /// Returns the classification of the buffer, or null while unread.
  public Blocks.@Nullable Text text() {
    return text;
  }

  public boolean isValid(long start, long end) {
    if (start == end) {
      return true;
    }
    if (text == null) {
      requestedByteSize += end - start;
      if (requestedByteSize < segment.byteSize() / REQUESTED_PART) {
        return blocks.text(segment, start, end) != Blocks.Text.OTHER;
      }
      text = blocks.text(segment, 0, segment.byteSize());
    }
    return switch (text) {
      case ASCII -> true;
      case UTF8 -> !continues(start) && !continues(end);
      case OTHER -> !continues(start) && endsWithCharacter(end) && firstBad(start) >= end;
    };
  }

  /// Returns whether the byte continues a character.
  private boolean continues(long position) {
    return position < segment.byteSize() && Utf8Search.isContinuation(segment, position);
  }

  private boolean endsWithCharacter(long end) {
    long last = end - 1;
    while (last > end - Utf8Search.CHARACTER_BYTE_SIZE_MAXIMUM
        && Utf8Search.isContinuation(segment, last)) {
      last--;
    }
    return Utf8Search.characterByteSize(segment, last, end) != 0;
  }

  /// Returns the first bad byte from `start`, which starts a character. The index covers everything
  /// from the next block on.
  private long firstBad(long start) {
    if (nextBad == null) {
      nextBad = index();
    }
    int nextBlock = (int) (start / BLOCK_BYTE_SIZE) + 1;
    long position = start;
    while (position < Math.min((long) nextBlock * BLOCK_BYTE_SIZE, segment.byteSize())) {
      int byteSize = Utf8Search.characterByteSize(segment, position, segment.byteSize());
      if (byteSize == 0) {
        return position;
      }
      position += byteSize;
    }
    return nextBlock < nextBad.length ? nextBad[nextBlock] : NONE;
  }

  private long[] index() {
    long byteSize = segment.byteSize();
    long bad = Utf8Search.firstInvalid(segment, 0, byteSize);
    long[] index = new long[Math.toIntExact(Math.ceilDiv(byteSize, BLOCK_BYTE_SIZE))];
    Arrays.fill(index, NONE);
    int filled = 0;
    while (bad != Utf8Search.VALID) {
      int block = (int) (bad / BLOCK_BYTE_SIZE);
      for (; filled <= block; filled++) {
        index[filled] = bad;
      }
      bad = Utf8Search.firstInvalid(segment, bad + 1, byteSize);
    }
    return index;
  }
}
