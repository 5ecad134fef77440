package dev.quiver.arrow.codec;

import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/// Decodes LZ4 sequences far from both ends of source and destination. It stops before a sequence
/// that is near an end or malformed, and leaves that to [Lz4Block].
///
/// It works on addresses: accesses to a constant segment are compiled to single instructions, while
/// accesses to others depend on the kinds of segments that the whole process has used. The JVM
/// checks nothing then. Each sequence therefore begins with a check that its fixed parts fit, and
/// each length that continues after the token is compared with the rest.
///
/// It is the only code that reads and writes memory unchecked. A fault here could end the process
/// or show memory of others, so [Lz4Frame#decodeUnchecked] can turn it off: blocks of text then
/// take 3.0 times the processor time, and timestamps 1.9 times (medians of 15 rounds).
final class UncheckedLz4Sequences {

  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final int LENGTH_IN_TOKEN_MAXIMUM = 15;
  private static final int MATCH_BYTE_SIZE_MINIMUM = 4;
  private static final int OFFSET_BYTE_SIZE = 2;
  private static final int WORD = Long.BYTES;

  /// The most literals that fit in a word beside the token and the offset. Most sequences have no
  /// more.
  private static final int LITERALS_IN_WORD_MAXIMUM = WORD - 1 - OFFSET_BYTE_SIZE;

  /// The bytes that a sequence may read if its lengths are in the token, or after long literals:
  /// the token, two words of literals, and the offset.
  private static final int INPUT_ROOM = 1 + 2 * WORD + OFFSET_BYTE_SIZE;

  /// The bytes that a sequence may write: fourteen literals and a match of at most nineteen bytes,
  /// and two excess words. The check of a longer match omits its four minimum bytes.
  private static final int OUTPUT_ROOM = 6 * WORD;

  /// From this size on, `MemorySegment.copy` is faster than a loop over words.
  private static final int BULK_BYTE_SIZE_MINIMUM = 160;

  /// The factors that repeat a pattern through a word, by the size of the pattern.
  private static final long[] REPETITIONS = {
    0,
    0x0101_0101_0101_0101L,
    0x0001_0001_0001_0001L,
    0x0001_0000_0100_0001L,
    0x0000_0001_0000_0001L,
    0x0000_0100_0000_0001L,
    0x0001_0000_0000_0001L,
    0x0100_0000_0000_0001L
  };

  private final MemorySegment source;
  private final MemorySegment destination;

  /// The position up to which the source is decoded.
  private long position;

  private UncheckedLz4Sequences(MemorySegment source, MemorySegment destination) {
    this.source = source;
    this.destination = destination;
  }

  /// @return null if one of them has no address, or is not accessible
  static @Nullable UncheckedLz4Sequences of(MemorySegment source, MemorySegment destination) {
    return isUsable(source) && isUsable(destination) && !destination.isReadOnly()
        ? new UncheckedLz4Sequences(source, destination)
        : null;
  }

  private static boolean isUsable(MemorySegment segment) {
    return segment.isNative()
        && segment.scope().isAlive()
        && segment.isAccessibleBy(Thread.currentThread());
  }

  /// Returns the position in the source of the first sequence that was not decoded.
  long position() {
    return position;
  }

  /// Decodes sequences. All positions are offsets in the segments, and within their bounds.
  ///
  /// @return the end of the decoded content
  /// @see Lz4Block#decode
  long decode(long start, long end, long windowStart, long outputStart, long outputEnd) {
    long sourceAddress = source.address();
    long destinationAddress = destination.address();
    try {
      long output =
          decodeAddresses(
              sourceAddress + start,
              sourceAddress + end,
              destinationAddress + windowStart,
              destinationAddress + outputStart,
              destinationAddress + outputEnd);
      position -= sourceAddress;
      return output - destinationAddress;
    } finally {
      Reference.reachabilityFence(source);
      Reference.reachabilityFence(destination);
    }
  }

  private long decodeAddresses(
      long start, long end, long windowStart, long outputStart, long outputEnd) {
    long input = start;
    long output = outputStart;
    long inputLast = end - INPUT_ROOM;
    long outputLast = outputEnd - OUTPUT_ROOM;
    while (input <= inputLast && output <= outputLast) {
      long from = input;
      long to = output;
      long word = LittleEndian.getInt64(MEMORY, from);
      int token = (int) word & 0xFF;
      int literals = token >>> 4;
      int distance;
      if (literals <= LITERALS_IN_WORD_MAXIMUM) {
        LittleEndian.setInt64(MEMORY, to, word >>> Byte.SIZE);
        distance = (int) (word >>> Byte.SIZE + (literals << 3)) & 0xFFFF;
        from += 1 + literals + OFFSET_BYTE_SIZE;
        to += literals;
      } else {
        from++;
        if (literals != LENGTH_IN_TOKEN_MAXIMUM) {
          copyWord(from, to);
          copyWord(from + WORD, to + WORD);
          from += literals;
          to += literals;
        } else {
          long byteSize = literals;
          int next = 0xFF;
          while (next == 0xFF && from <= inputLast) {
            next = getInt8(from++);
            byteSize += next;
          }
          if (byteSize > inputLast - from || byteSize > outputLast - to) {
            break;
          }
          copyLiterals(from, to, byteSize);
          from += byteSize;
          to += byteSize;
        }
        distance = LittleEndian.getInt16(MEMORY, from) & 0xFFFF;
        from += OFFSET_BYTE_SIZE;
      }
      if (distance == 0 || distance > to - windowStart) {
        break;
      }
      long byteSize = token & 0xF;
      if (byteSize == LENGTH_IN_TOKEN_MAXIMUM) {
        int next = 0xFF;
        while (next == 0xFF && from <= inputLast) {
          next = getInt8(from++);
          byteSize += next;
        }
        if (next == 0xFF || byteSize > outputLast - to) {
          break;
        }
      }
      byteSize += MATCH_BYTE_SIZE_MINIMUM;
      if (distance >= WORD) {
        long repeated = to - distance;
        copyWord(repeated, to);
        copyWord(repeated + WORD, to + WORD);
        if (byteSize > 2 * WORD) {
          copyRestOfMatch(repeated, to, byteSize);
        }
      } else {
        repeatPattern(distance, to, byteSize);
      }
      input = from;
      output = to + byteSize;
    }
    position = input;
    return output;
  }

  private static void copyLiterals(long from, long to, long byteSize) {
    if (byteSize >= BULK_BYTE_SIZE_MINIMUM) {
      MemorySegment.copy(MEMORY, from, MEMORY, to, byteSize);
      return;
    }
    for (long copied = 0; copied < byteSize; copied += 2 * WORD) {
      copyWord(from + copied, to + copied);
      copyWord(from + copied + WORD, to + copied + WORD);
    }
  }

  /// The source of a match has always been written: it begins at least eight bytes before the
  /// output, and copies move eight bytes at a time.
  private static void copyRestOfMatch(long from, long to, long byteSize) {
    if (byteSize >= BULK_BYTE_SIZE_MINIMUM && to - from >= byteSize) {
      MemorySegment.copy(MEMORY, from, MEMORY, to, byteSize);
      return;
    }
    for (long copied = 2 * WORD; copied < byteSize; copied += 2 * WORD) {
      copyWord(from + copied, to + copied);
      copyWord(from + copied + WORD, to + copied + WORD);
    }
  }

  /// Repeats a pattern of less than eight bytes, a word at a time. The step is the largest multiple
  /// of the pattern's size. Only the pattern counts in the word that it is read from.
  private static void repeatPattern(int distance, long to, long byteSize) {
    long mask = (1L << (distance << 3)) - 1;
    long pattern =
        (LittleEndian.getInt64(MEMORY, to - distance) & mask) * REPETITIONS[distance & 7];
    int step = WORD - WORD % distance;
    for (long copied = 0; copied < byteSize; copied += step) {
      LittleEndian.setInt64(MEMORY, to + copied, pattern);
    }
  }

  private static int getInt8(long address) {
    return LittleEndian.getInt8(MEMORY, address) & 0xFF;
  }

  private static void copyWord(long from, long to) {
    LittleEndian.setInt64(MEMORY, to, LittleEndian.getInt64(MEMORY, from));
  }
}
