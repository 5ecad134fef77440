package dev.quiver.validate;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.BufferRole;
import dev.quiver.columnar.FieldPath;
import dev.quiver.columnar.Integers;
import java.lang.foreign.MemorySegment;

/// The rule that text is UTF-8, for text that offsets delimit.
///
/// The bytes of neighbouring slots are neighbours, so that a run of slots is checked at once: its
/// bytes, and that no slot starts inside a character. All slots are tried as one run first, since
/// text in null slots is rare and rarely wrong. Only where a run fails are its slots looked at.
final class TextRule {

  private final Findings findings;

  TextRule(Findings findings) {
    this.findings = findings;
  }

  void check(ArrayData array, FieldPath path, Selection slots) {
    if (array.length() == 0) {
      return;
    }
    Integers offsets = Integers.of(array, BufferRole.OFFSETS);
    MemorySegment data = array.buffer(BufferRole.DATA);
    if (isValid(data, offsets, 0, array.length())) {
      return;
    }
    long end;
    for (long start = slots.next(0);
        start < slots.length() && !findings.isFull();
        start = slots.next(end)) {
      end = slots.runEnd(start);
      if (!isValid(data, offsets, start, end)) {
        report(data, offsets, path, start, end);
      }
    }
  }

  private static boolean isValid(MemorySegment data, Integers offsets, long start, long end) {
    long byteEnd = offsets.get(end);
    long nonAscii = Utf8.skipAscii(data, offsets.get(start), byteEnd);
    if (nonAscii == byteEnd) {
      return true;
    }
    if (Utf8.firstInvalid(data, nonAscii, byteEnd) != Utf8.VALID) {
      return false;
    }
    for (long i = start + 1; i < end; i++) {
      long offset = offsets.get(i);
      if (offset < byteEnd && Utf8.isContinuation(data, offset)) {
        return false;
      }
    }
    return true;
  }

  private void report(MemorySegment data, Integers offsets, FieldPath path, long start, long end) {
    for (long i = start; i < end && !findings.isFull(); i++) {
      long byteStart = offsets.get(i);
      long invalid = Utf8.firstInvalid(data, byteStart, offsets.get(i + 1));
      if (invalid != Utf8.VALID) {
        String found =
            "0x%02x in its byte %d".formatted(Utf8.unsigned(data, invalid), invalid - byteStart);
        findings.addAt(Rule.UTF8, path, i, "UTF-8", found, "slots");
      }
    }
  }
}
