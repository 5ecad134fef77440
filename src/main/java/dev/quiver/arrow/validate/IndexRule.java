package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.validate.kernel.Blocks;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// The rule that indices are in their dictionary.
///
/// Indices are checked in blocks, null slots included. Only if a block fails are its slots checked
/// one by one.
final class IndexRule {

  private static final long SLOTS = Blocks.MASKED_LENGTH;

  private final Findings findings;
  private final Blocks blocks;

  IndexRule(Findings findings, Blocks blocks) {
    this.findings = findings;
    this.blocks = blocks;
  }

  void check(ArrayData array, FieldPath path, ObservedRange slots) {
    DictionaryEncoding encoding = Objects.requireNonNull(array.field().dictionary());
    ArrayData dictionary = array.dictionary();
    long dictionaryLength = dictionary == null ? 0 : dictionary.length();
    MemorySegment indices = array.buffer(BufferRole.DATA);
    ArrowType.Int type = encoding.indexType();
    long limit = limit(type, dictionaryLength);
    int byteWidth = type.bitWidth() >>> 3;
    if (blocks.areBelow(indices, byteWidth, 0, slots.length(), limit)) {
      return;
    }
    MemorySegment validity = array.validity();
    ObservedRange walked = CachingSelection.of(slots);
    for (long from = 0; from < slots.length() && !findings.isFull(); from += SLOTS) {
      long to = Math.min(slots.length(), from + SLOTS);
      // Null slots often hold -1.
      boolean valid =
          validity.byteSize() == 0
              ? blocks.areBelow(indices, byteWidth, from, to, limit)
              : blocks.areBelowWhereSet(indices, byteWidth, from, to, limit, validity);
      if (!valid) {
        check(indices, type, dictionaryLength, path, walked, from, to);
      }
    }
  }

  private void check(
      MemorySegment indices,
      ArrowType.Int type,
      long dictionaryLength,
      FieldPath path,
      ObservedRange slots,
      long from,
      long to) {
    long limit = limit(type, dictionaryLength);
    int bitWidth = type.bitWidth();
    long outside = firstOutside(indices, bitWidth, limit, from, to);
    while (outside < to) {
      long observed = slots.next(outside);
      if (observed == outside) {
        findings.addAt(
            Rule.DICTIONARY_INDEX,
            path,
            outside,
            "0 to less than " + dictionaryLength + ", the length of the dictionary,",
            describe(indices, type, outside),
            "indices");
        if (findings.isFull()) {
          return;
        }
        observed++;
      }
      outside = firstOutside(indices, bitWidth, limit, observed, to);
    }
  }

  /// Returns the exclusive bound for indices taken as unsigned: the length of the dictionary, or
  /// the smallest negative index if that is less.
  private static long limit(ArrowType.Int type, long dictionaryLength) {
    return type.bitWidth() == Long.SIZE
        ? dictionaryLength
        : Math.min(dictionaryLength, 1L << type.bitWidth() - (type.signed() ? 1 : 0));
  }

  /// Returns the first index out of range. One loop per width avoids a decision per index.
  private static long firstOutside(
      MemorySegment indices, int bitWidth, long limit, long start, long end) {
    long i = start;
    switch (bitWidth) {
      case Byte.SIZE -> {
        while (i < end && (LittleEndian.getInt8(indices, i) & 0xFF) < limit) {
          i++;
        }
      }
      case Short.SIZE -> {
        while (i < end && (LittleEndian.getInt16(indices, i << 1) & 0xFFFF) < limit) {
          i++;
        }
      }
      case Integer.SIZE -> {
        while (i < end && (LittleEndian.getInt32(indices, i << 2) & 0xFFFF_FFFFL) < limit) {
          i++;
        }
      }
      default -> {
        while (i < end && Long.compareUnsigned(LittleEndian.getInt64(indices, i << 3), limit) < 0) {
          i++;
        }
      }
    }
    return i;
  }

  private static String describe(MemorySegment indices, ArrowType.Int type, long index) {
    long bits =
        switch (type.bitWidth()) {
          case Byte.SIZE -> LittleEndian.getInt8(indices, index);
          case Short.SIZE -> LittleEndian.getInt16(indices, index << 1);
          case Integer.SIZE -> LittleEndian.getInt32(indices, index << 2);
          default -> LittleEndian.getInt64(indices, index << 3);
        };
    int unused = Long.SIZE - type.bitWidth();
    return type.signed() ? Long.toString(bits) : Long.toUnsignedString(bits << unused >>> unused);
  }
}
