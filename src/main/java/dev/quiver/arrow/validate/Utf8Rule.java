package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.validate.kernel.Blocks;
import dev.quiver.arrow.validate.kernel.Utf8Search;
import java.lang.foreign.MemorySegment;

/// The rule that text delimited by offsets is UTF-8.
///
/// Neighboring slots have neighboring bytes, so slots are checked together: their bytes, and that
/// no slot starts inside a character. Null slots are included, since text in them is rare and
/// rarely invalid. Only if that fails are slots checked one by one.
final class Utf8Rule {

  /// The number of slots checked one by one around an invalid one.
  private static final long SLOTS = 1 << 12;

  private final Findings findings;
  private final Blocks blocks;

  Utf8Rule(Findings findings, Blocks blocks) {
    this.findings = findings;
    this.blocks = blocks;
  }

  void check(ArrayData array, FieldPath path, ObservedRange slots) {
    long length = slots.length();
    if (length == 0) {
      return;
    }
    Integers offsets = Integers.of(array, BufferRole.OFFSETS);
    MemorySegment data = array.buffer(BufferRole.DATA);
    if (blocks.areText(data, offsets, 0, length)) {
      return;
    }
    ObservedRange walked = CachingSelection.of(slots);
    for (long from = 0; from < length && !findings.isFull(); from += SLOTS) {
      long to = Math.min(length, from + SLOTS);
      if (!blocks.areText(data, offsets, from, to)) {
        check(data, offsets, path, walked, from, to);
      }
    }
  }

  private void check(
      MemorySegment data,
      Integers offsets,
      FieldPath path,
      ObservedRange slots,
      long from,
      long to) {
    long end;
    for (long start = slots.next(from); start < to; start = slots.next(end)) {
      end = Math.min(to, slots.runEnd(start));
      for (long i = start; i < end; i++) {
        check(data, offsets, path, i);
        if (findings.isFull()) {
          return;
        }
      }
    }
  }

  private void check(MemorySegment data, Integers offsets, FieldPath path, long slot) {
    long start = offsets.get(slot);
    long invalid = Utf8Search.firstInvalid(data, start, offsets.get(slot + 1));
    if (invalid != Utf8Search.VALID) {
      String found =
          "0x%02x in byte %d".formatted(Utf8Search.unsigned(data, invalid), invalid - start);
      findings.addAt(Rule.UTF8, path, slot, "UTF-8", found, "slots");
    }
  }
}
