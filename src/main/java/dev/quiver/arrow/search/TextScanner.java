package dev.quiver.arrow.search;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;

/// A search through the values of arrays of text and of UUIDs. Consecutive values are searched as
/// one text. Used by one thread.
final class TextScanner {

  /// A multiple of 64.
  private static final int SLOTS = 1024;

  /// The number of blocks of values, or of parts of a long value, between two checks.
  private static final int CHECKED_BLOCKS = 8;

  private static final int BLOCK_BYTE_SIZE = BlockMemory.TEXT_BYTE_SIZE;
  private static final int VIEW_BYTE_SIZE = Array.BinaryView.VIEW_BYTE_SIZE;
  private static final int UUID_BYTE_SIZE = 16;
  private static final String UUID_FORM = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  private static final byte[] HEXADECIMAL = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  private final FoldedLiteral literal;
  private final Runnable check;
  private final BlockMemory memory = new BlockMemory();
  private final long[] offsets = new long[SLOTS + 1];
  private final byte[] uuid = new byte[UUID_FORM.length() + FoldedLiteral.PADDING_BYTE_SIZE];

  /// The folded characters of a value, or of a part of one after the end of the part before.
  private final byte[] folded;

  private int blocks;

  /// @param check runs after some thousand values or some hundred KiB of a long one
  TextScanner(FoldedLiteral literal, Runnable check) {
    this.literal = literal;
    this.check = check;
    this.folded =
        new byte
            [literal.byteSize()
                + CaseFolding.EXPANSION_MAXIMUM * BLOCK_BYTE_SIZE
                + FoldedLiteral.PADDING_BYTE_SIZE];
  }

  /// Adds the wanted slots with the literal to the found ones.
  ///
  /// @param array of text or UUIDs
  /// @param wanted valid slots, a bit for each
  void find(ArrayData array, long length, long[] wanted, long[] found) {
    if (array.field().isUuid() && !literal.mayBeInUuid()) {
      return;
    }
    for (long from = 0; from < length; from += SLOTS) {
      int n = (int) Math.min(SLOTS, length - from);
      int first = (int) (from >>> 6);
      long any = 0;
      for (int i = first; i < first + (n + Long.SIZE - 1 >>> 6); i++) {
        any |= wanted[i];
      }
      if (any != 0) {
        countBlock();
        switch ((Array.Bytes) Array.of(array)) {
          case Array.VariableBinary _ -> findInDelimited(array, from, n, wanted, found);
          case Array.BinaryView views -> findInViews(views, from, n, wanted, found);
          case Array.FixedWidth uuids -> findInUuids(uuids, from, n, wanted, found);
        }
      }
    }
  }

  private void countBlock() {
    blocks++;
    if (blocks % CHECKED_BLOCKS == 0) {
      check.run();
    }
  }

  private void findInDelimited(ArrayData array, long from, int n, long[] wanted, long[] found) {
    Integers ends = Integers.of(array, BufferRole.OFFSETS);
    MemorySegment data = array.buffer(BufferRole.DATA);
    if (ends.byteWidth() == Long.BYTES) {
      MemorySegment.copy(ends.segment(), LittleEndian.INT64, from << 3, offsets, 0, n + 1);
    } else {
      int[] narrow = memory.ints(ends.segment(), from, n + 1);
      for (int i = 0; i <= n; i++) {
        offsets[i] = narrow[i];
      }
    }
    int end;
    for (int start = 0; start < n; start = end) {
      end = start + 1;
      if (!isSet(wanted, from + start)) {
        continue;
      }
      long base = offsets[start];
      if (offsets[end] - base > BLOCK_BYTE_SIZE) {
        if (isInLong(data, base, offsets[end] - base)) {
          set(found, from + start);
        }
        continue;
      }
      while (end < n && offsets[end + 1] - base <= BLOCK_BYTE_SIZE) {
        end++;
      }
      findInBlock(data, from, start, end, wanted, found);
    }
  }

  /// Searches the values from `start` to `end`, whose bytes fit a block.
  private void findInBlock(
      MemorySegment data, long from, int start, int end, long[] wanted, long[] found) {
    long base = offsets[start];
    int byteSize = (int) (offsets[end] - base);
    byte[] block = memory.bytes(data, base, byteSize);
    if (literal.isAscii()) {
      int slot = start;
      int at = literal.find(block, 0, byteSize);
      while (at >= 0) {
        while (offsets[slot + 1] - base <= at) {
          slot++;
        }
        int next = at + 1;
        if (at + literal.byteSize() <= offsets[slot + 1] - base) {
          if (isSet(wanted, from + slot)) {
            set(found, from + slot);
          }
          next = (int) (offsets[slot + 1] - base);
        }
        at = literal.find(block, next, byteSize);
      }
    }
    if (CaseFolding.isAscii(block, 0, byteSize)) {
      return;
    }
    for (int slot = start; slot < end; slot++) {
      if (isSet(wanted, from + slot)
          && !isSet(found, from + slot)
          && isInFolded(block, (int) (offsets[slot] - base), (int) (offsets[slot + 1] - base))) {
        set(found, from + slot);
      }
    }
  }

  private void findInViews(Array.BinaryView views, long from, int n, long[] wanted, long[] found) {
    byte[] block = memory.bytes(views.views(), from * VIEW_BYTE_SIZE, n * VIEW_BYTE_SIZE);
    for (int i = 0; i < n; i++) {
      if (!isSet(wanted, from + i)) {
        continue;
      }
      int view = i * VIEW_BYTE_SIZE;
      int byteSize = LittleEndian.getInt32(block, view);
      int start = view + Integer.BYTES;
      boolean isFound;
      if (byteSize <= Array.BinaryView.INLINE_BYTE_SIZE_MAX) {
        isFound = isIn(block, start, start + byteSize);
      } else {
        long location = LittleEndian.getInt64(block, view + Long.BYTES);
        MemorySegment data = views.dataBuffers().get((int) location);
        if (byteSize > BLOCK_BYTE_SIZE) {
          isFound = isInLong(data, location >>> Integer.SIZE, byteSize);
          // The parts of the value took the place of the views.
          memory.bytes(views.views(), from * VIEW_BYTE_SIZE, n * VIEW_BYTE_SIZE);
        } else {
          int end = n * VIEW_BYTE_SIZE;
          memory.appendBytes(data, location >>> Integer.SIZE, byteSize, end);
          isFound = isIn(block, end, end + byteSize);
        }
      }
      if (isFound) {
        set(found, from + i);
      }
    }
  }

  private void findInUuids(Array.FixedWidth uuids, long from, int n, long[] wanted, long[] found) {
    byte[] block = memory.bytes(uuids.values(), from * UUID_BYTE_SIZE, n * UUID_BYTE_SIZE);
    for (int i = 0; i < n; i++) {
      if (isSet(wanted, from + i)) {
        writeUuid(block, i * UUID_BYTE_SIZE);
        if (literal.find(uuid, 0, UUID_FORM.length()) >= 0) {
          set(found, from + i);
        }
      }
    }
  }

  private void writeUuid(byte[] bytes, int start) {
    int at = start;
    for (int i = 0; i < UUID_FORM.length(); i++) {
      if (UUID_FORM.charAt(i) == '-') {
        uuid[i] = '-';
      } else {
        uuid[i] = HEXADECIMAL[bytes[at] >>> 4 & 0xF];
        i++;
        uuid[i] = HEXADECIMAL[bytes[at] & 0xF];
        at++;
      }
    }
  }

  /// Returns whether a value has the literal.
  private boolean isIn(byte[] text, int start, int end) {
    return literal.isAscii() && literal.find(text, start, end) >= 0 || isInFolded(text, start, end);
  }

  /// Returns whether a value that does not have the literal as it is has it after folding.
  private boolean isInFolded(byte[] text, int start, int end) {
    boolean mayBeFound =
        literal.isAscii()
            ? CaseFolding.foldsToAscii(text, start, end)
            : !CaseFolding.isAscii(text, start, end);
    return mayBeFound
        && literal.find(folded, 0, CaseFolding.fold(text, start, end, folded, 0)) >= 0;
  }

  /// Returns whether a value that does not fit a block has the literal.
  private boolean isInLong(MemorySegment data, long start, long byteSize) {
    long end = start + byteSize;
    int kept = 0;
    long position = start;
    while (position < end) {
      countBlock();
      int length = (int) Math.min(BLOCK_BYTE_SIZE, end - position);
      byte[] part = memory.bytes(data, position, length);
      int whole = position + length < end ? wholeCharacters(part, length) : length;
      int foldedEnd = CaseFolding.fold(part, 0, whole, folded, kept);
      if (literal.find(folded, 0, foldedEnd) >= 0) {
        return true;
      }
      kept = Math.min(literal.byteSize() - 1, foldedEnd);
      System.arraycopy(folded, foldedEnd - kept, folded, 0, kept);
      position += whole;
    }
    return false;
  }

  /// Returns the number of bytes of whole characters at the start of a text.
  private static int wholeCharacters(byte[] text, int length) {
    int last = length - 1;
    while (last > length - 4 && (text[last] & 0xC0) == 0x80) {
      last--;
    }
    return last + CaseFolding.byteSize(text[last]) > length ? last : length;
  }

  static boolean isSet(long[] words, long slot) {
    return (words[(int) (slot >>> 6)] >>> slot & 1) != 0;
  }

  static void set(long[] words, long slot) {
    words[(int) (slot >>> 6)] |= 1L << slot;
  }
}
