package dev.quiver.arrow.codec;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A decoder of LZ4 blocks: sequences of literals and of matches, which repeat earlier output.
///
/// ```text
/// Block    → Sequence* LastSequence
/// Sequence → Token LiteralLength* Literals Offset:2 MatchLength*
/// Token    → literal length in the upper four bits, match length less 4 in the lower four
/// ```
///
/// A length of fifteen in the token continues in bytes that are added, up to the first that is not
/// 255. The last sequence ends after its literals. See
/// <https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md>.
///
/// In native memory most of it is left to [UncheckedLz4Sequences], unless `quiver.unchecked-lz4` is
/// `false`. This class decodes the ends, malformed blocks, and blocks on the heap.
///
/// Copies move eight bytes at a time and may write past their end, but not past the destination's.
/// Later output overwrites the excess. Near the destination's end, copies move single bytes.
final class Lz4Block {

  private static final int LENGTH_IN_TOKEN_MAXIMUM = 15;
  private static final int MATCH_BYTE_SIZE_MINIMUM = 4;
  private static final int OFFSET_BYTE_SIZE = 2;
  private static final int WORD = Long.BYTES;

  /// From this size on, `MemorySegment.copy` is faster than a loop over words.
  private static final int BULK_BYTE_SIZE_MINIMUM = 96;

  private final MemorySegment source;
  private final MemorySegment destination;

  /// The last positions at which whole words are read and written.
  private final long sourceSafeEnd;

  private final long destinationSafeEnd;

  /// The position in the source where the current sequence continues.
  private long position;

  private boolean lastSequence;

  /// Null for segments on the heap, and if every access is checked.
  private final @Nullable UncheckedLz4Sequences sequences;

  /// A decoder of the blocks of one frame.
  ///
  /// @param unchecked whether [UncheckedLz4Sequences] may decode
  Lz4Block(MemorySegment source, MemorySegment destination, boolean unchecked) {
    this.source = source;
    this.destination = destination;
    this.sourceSafeEnd = source.byteSize() - WORD;
    this.destinationSafeEnd = destination.byteSize() - WORD;
    this.sequences = unchecked ? UncheckedLz4Sequences.of(source, destination) : null;
  }

  /// Decodes the block at `start` to `end` of the source.
  ///
  /// @param windowStart the first byte of the destination that matches may repeat
  /// @param outputStart the start of the block's content in the destination
  /// @param outputEnd the latest end of the content
  /// @return the end of the content
  long decode(long start, long end, long windowStart, long outputStart, long outputEnd) {
    long input = start;
    long output = outputStart;
    while (true) {
      if (sequences != null) {
        output = sequences.decode(input, end, windowStart, output, outputEnd);
        input = sequences.position();
      }
      position = input;
      output = sequence(end, windowStart, output, outputEnd);
      input = position;
      if (lastSequence) {
        return output;
      }
    }
  }

  /// Decodes one sequence of any shape.
  private long sequence(long end, long windowStart, long outputStart, long outputEnd) {
    if (position == end) {
      throw truncated("a token", end);
    }
    int token = LittleEndian.getInt8(source, position++) & 0xFF;
    long output = literals(token >>> 4, end, outputStart, outputEnd);
    lastSequence = position == end;
    return lastSequence ? output : match(token & 0xF, end, windowStart, output, outputEnd);
  }

  private long literals(int lengthInToken, long end, long output, long outputEnd) {
    long byteSize = lengthInToken;
    if (byteSize == LENGTH_IN_TOKEN_MAXIMUM) {
      byteSize = longLength(byteSize, end);
    }
    if (byteSize > end - position) {
      throw truncated(byteSize + " bytes of literals", end);
    }
    if (byteSize > outputEnd - output) {
      throw tooLong("literals", byteSize, outputEnd - output);
    }
    long from = position;
    long to = output + byteSize;
    position += byteSize;
    if (byteSize >= BULK_BYTE_SIZE_MINIMUM
        || from + byteSize > sourceSafeEnd
        || to > destinationSafeEnd) {
      MemorySegment.copy(source, from, destination, output, byteSize);
      return to;
    }
    for (; output < to; output += WORD, from += WORD) {
      LittleEndian.setInt64(destination, output, LittleEndian.getInt64(source, from));
    }
    return to;
  }

  private long match(int lengthInToken, long end, long windowStart, long output, long outputEnd) {
    if (end - position < OFFSET_BYTE_SIZE) {
      throw truncated("the 2 bytes of a match offset", end);
    }
    int distance = LittleEndian.getInt16(source, position) & 0xFFFF;
    if (distance == 0 || distance > output - windowStart) {
      throw badDistance(distance, output - windowStart);
    }
    position += OFFSET_BYTE_SIZE;
    long byteSize = lengthInToken;
    if (byteSize == LENGTH_IN_TOKEN_MAXIMUM) {
      byteSize = longLength(byteSize, end);
    }
    byteSize += MATCH_BYTE_SIZE_MINIMUM;
    if (byteSize > outputEnd - output) {
      throw tooLong("a match", byteSize, outputEnd - output);
    }
    long to = output + byteSize;
    if (distance == 1 && byteSize >= BULK_BYTE_SIZE_MINIMUM) {
      byte repeated = LittleEndian.getInt8(destination, output - 1);
      destination.asSlice(output, byteSize).fill(repeated);
    } else if (to > destinationSafeEnd) {
      repeatByBytes(output - distance, output, to);
    } else if (distance < WORD) {
      repeatPattern(distance, output, to);
    } else if (byteSize >= BULK_BYTE_SIZE_MINIMUM && distance >= byteSize) {
      MemorySegment.copy(destination, output - distance, destination, output, byteSize);
    } else {
      repeatByWords(output - distance, output, to);
    }
    return to;
  }

  private long longLength(long lengthInToken, long end) {
    long length = lengthInToken;
    while (true) {
      if (position == end) {
        throw truncated("a length byte", end);
      }
      int next = LittleEndian.getInt8(source, position++) & 0xFF;
      length += next;
      if (next != 0xFF) {
        return length;
      }
    }
  }

  /// Each word that is read ends before the one that is written, since they are at least eight
  /// bytes apart.
  private void repeatByWords(long from, long output, long to) {
    for (; output < to; output += WORD, from += WORD) {
      LittleEndian.setInt64(destination, output, LittleEndian.getInt64(destination, from));
    }
  }

  /// Repeats a pattern of less than eight bytes. A word is filled with it, and written at steps of
  /// the largest multiple of the pattern's size.
  private void repeatPattern(int distance, long output, long to) {
    int patternBits = distance << 3;
    long pattern = LittleEndian.getInt64(destination, output - distance) & (1L << patternBits) - 1;
    for (int bits = patternBits; bits < Long.SIZE; bits <<= 1) {
      pattern |= pattern << bits;
    }
    int step = WORD - WORD % distance;
    for (; output < to; output += step) {
      LittleEndian.setInt64(destination, output, pattern);
    }
  }

  private void repeatByBytes(long from, long output, long to) {
    for (; output < to; output++, from++) {
      LittleEndian.setInt8(destination, output, LittleEndian.getInt8(destination, from));
    }
  }

  private InputException truncated(String expected, long end) {
    return new TruncatedInputException(
        expected + " in an LZ4 block",
        (end - position) + " bytes to the block's end",
        InputLocation.byteOffset(position));
  }

  private InputException tooLong(String what, long byteSize, long room) {
    return new MalformedInputException(
        "at most " + room + " more bytes of content in an LZ4 block",
        what + " of " + byteSize + " bytes",
        InputLocation.byteOffset(position));
  }

  private InputException badDistance(int distance, long window) {
    return new MalformedInputException(
        "a match offset from 1 to " + Math.min(window, 0xFFFF) + " in an LZ4 block",
        Integer.toString(distance),
        InputLocation.byteOffset(position));
  }
}
