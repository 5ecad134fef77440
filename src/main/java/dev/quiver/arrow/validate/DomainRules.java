package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.validate.kernel.Blocks;
import java.lang.foreign.MemorySegment;

/// The rules of [Level#DOMAIN] that values can break. All values are checked at once, and single
/// slots only if that fails. Only the first invalid slot of each array is reported, since a
/// writer's mistake usually affects every slot.
final class DomainRules implements SlotRules {

  private static final long SECONDS_PER_DAY = 86_400;
  private static final long MILLISECONDS_PER_DAY = SECONDS_PER_DAY * 1_000;

  private final Findings findings;
  private final Blocks blocks;

  DomainRules(Findings findings, Blocks blocks) {
    this.findings = findings;
    this.blocks = blocks;
  }

  @Override
  public boolean concern(ArrayData array) {
    return mayHoldForbiddenNulls(array)
        || switch (array.field().storageType()) {
          case ArrowType.Decimal _, ArrowType.Time _ -> true;
          case ArrowType.Date(DateUnit unit) -> unit == DateUnit.MILLISECOND;
          case ArrowType.Null _,
              ArrowType.Bool _,
              ArrowType.RunEndEncoded _,
              ArrowType.Nested _,
              ArrowType.FixedWidth _,
              ArrowType.VariableBytes _,
              ArrowType.ViewBytes _ ->
              false;
        };
  }

  @Override
  public void check(ArrayData array, FieldPath path, ObservedRange observed) {
    if (mayHoldForbiddenNulls(array)) {
      checkNotNull(array, path, observed);
    }
    MemorySegment data =
        array.layout().indexOf(BufferRole.DATA) < 0
            ? MemorySegment.NULL
            : array.buffer(BufferRole.DATA);
    ObservedRange slots = observed.valid(array.validity());
    switch (array.field().storageType()) {
      case ArrowType.Decimal(int precision, _, int bitWidth) -> {
        DecimalRange range = DecimalRange.of(precision, bitWidth);
        if (range.containsAll(blocks, data, slots.length())) {
          return;
        }
        long slot = slots.first(i -> !range.contains(data, i));
        if (slot < slots.length()) {
          String expected = "at most " + precision + " digits";
          add(Rule.DECIMAL_PRECISION, path, slot, expected, range.describe(data, slot));
        }
      }
      case ArrowType.Date(DateUnit unit) when unit == DateUnit.MILLISECOND -> {
        if (areWholeDays(data, slots.length())) {
          return;
        }
        long slot =
            slots.first(i -> LittleEndian.getInt64(data, i << 3) % MILLISECONDS_PER_DAY != 0);
        if (slot < slots.length()) {
          String expected = "whole days, a multiple of " + MILLISECONDS_PER_DAY + ",";
          String found = Long.toString(LittleEndian.getInt64(data, slot << 3));
          add(Rule.DATE_WHOLE_DAYS, path, slot, expected, found);
        }
      }
      case ArrowType.Time(TimeUnit unit, int bitWidth) -> {
        Integers times = new Integers(data, bitWidth >>> 3);
        long day = SECONDS_PER_DAY * unit.perSecond();
        if (blocks.areBelow(data, times.byteWidth(), 0, slots.length(), day)) {
          return;
        }
        long slot = slots.first(i -> times.get(i) < 0 || times.get(i) >= day);
        if (slot < slots.length()) {
          String expected = "a time of day, 0 to less than " + day + ",";
          add(Rule.TIME_OF_DAY, path, slot, expected, Long.toString(times.get(slot)));
        }
      }
      case ArrowType.Null _,
          ArrowType.Bool _,
          ArrowType.RunEndEncoded _,
          ArrowType.Nested _,
          ArrowType.FixedWidth _,
          ArrowType.VariableBytes _,
          ArrowType.ViewBytes _ -> {}
    }
  }

  private static boolean mayHoldForbiddenNulls(ArrayData array) {
    return !array.field().nullable() && LogicalNulls.mayBeIn(array);
  }

  private void checkNotNull(ArrayData array, FieldPath path, ObservedRange observed) {
    long slot = LogicalNulls.first(array, observed);
    if (slot < observed.length()) {
      add(Rule.NOT_NULLABLE, path, slot, "a value, since the field is not nullable,", "null");
    }
  }

  private boolean areWholeDays(MemorySegment data, long length) {
    int blockLength = Blocks.BYTE_SIZE / Long.BYTES;
    for (long from = 0; from < length; from += blockLength) {
      int count = (int) Math.min(blockLength, length - from);
      long[] milliseconds = blocks.int64s(data, from, count);
      for (int i = 0; i < count; i++) {
        if (milliseconds[i] % MILLISECONDS_PER_DAY != 0) {
          return false;
        }
      }
    }
    return true;
  }

  private void add(Rule rule, FieldPath path, long slot, String expected, String found) {
    findings.addAt(rule, path, slot, expected, found, "slots");
  }
}
