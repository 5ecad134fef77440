package dev.quiver.validate;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.BufferRole;
import dev.quiver.columnar.FieldPath;
import dev.quiver.columnar.Integers;
import dev.quiver.validate.kernel.Blocks;
import dev.quiver.validate.kernel.Utf8;
import java.lang.foreign.MemorySegment;

/// The rule that text is UTF-8, for text that offsets delimit.
///
/// The bytes of neighbouring slots are neighbours, so that many slots are checked at once: their
/// bytes, and that no slot starts inside a character. Null slots are checked with the others, since
/// text in them is rare and rarely wrong. Only where that fails slots are looked at.
final class TextRule {

  /// How many slots are looked at because of one that is wrong.
  private static final long SLOTS = 1 << 12;

  private final Findings findings;
  private final Blocks blocks;

  TextRule(Findings findings, Blocks blocks) {
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
    long invalid = Utf8.firstInvalid(data, start, offsets.get(slot + 1));
    if (invalid != Utf8.VALID) {
      String found =
          "0x%02x in its byte %d".formatted(Utf8.unsigned(data, invalid), invalid - start);
      findings.addAt(Rule.UTF8, path, slot, "UTF-8", found, "slots");
    }
  }
}
