package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.validate.kernel.Blocks;
import java.lang.foreign.MemorySegment;

/// The rules of [Level#VALUES].
final class ValueRules implements SlotRules {

  private final Findings findings;
  private final Blocks blocks;

  ValueRules(Findings findings, Blocks blocks) {
    this.findings = findings;
    this.blocks = blocks;
  }

  @Override
  public boolean concern(ArrayData array) {
    ArrowType type = array.field().type();
    return array.field().dictionary() != null
        || type instanceof ArrowType.Text
        || type instanceof ArrowType.BinaryView
        || type instanceof ArrowType.Map;
  }

  @Override
  public void check(ArrayData array, FieldPath path, ObservedRange observed) {
    ObservedRange slots = observed.valid(array.validity());
    if (array.field().dictionary() != null) {
      new IndexRule(findings, blocks).check(array, path, slots);
      return;
    }
    switch (array.field().type()) {
      case ArrowType.Utf8(), ArrowType.LargeUtf8() ->
          new Utf8Rule(findings, blocks).check(array, path, slots);
      case ArrowType.Utf8View() -> new ViewRules(findings, blocks, true).check(array, path, slots);
      case ArrowType.BinaryView() ->
          new ViewRules(findings, blocks, false).check(array, path, slots);
      case ArrowType.Map _ ->
          checkEntries(array.children().getFirst(), path, ObservableSlots.lists(array, slots));
      case ArrowType.Null _,
          ArrowType.Bool _,
          ArrowType.RunEndEncoded _,
          ArrowType.FixedWidth _,
          ArrowType.Nested _,
          ArrowType.Bytes _ -> {}
    }
  }

  private void checkEntries(ArrayData entries, FieldPath path, ObservedRange observed) {
    ArrayData keys = entries.children().getFirst();
    FieldPath entriesPath = path.child(entries.field());
    checkNotNull(Rule.MAP_ENTRY_NULL, entries, entriesPath, observed);
    checkNotNull(Rule.MAP_KEY_NULL, keys, entriesPath.child(keys.field()), observed);
  }

  private void checkNotNull(Rule rule, ArrayData array, FieldPath path, ObservedRange observed) {
    MemorySegment validity = array.validity();
    if (validity.byteSize() == 0) {
      return;
    }
    for (long i = observed.next(0); i < observed.length(); i = observed.next(i + 1)) {
      if (!Bitmaps.get(validity, i)) {
        findings.addAt(rule, path, i, "a value", "null", "slots");
        if (findings.isFull()) {
          return;
        }
      }
    }
  }
}
