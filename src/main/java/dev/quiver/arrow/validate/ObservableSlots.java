package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A walk from a column to its descendants that applies rules to the observable slots of each.
/// Arrays must satisfy the rules of [Level#OFFSETS].
final class ObservableSlots {

  private final Findings findings;
  private final Arena arena;
  private final SlotRules rules;

  /// @param arena memory for slots that are referred to out of order
  ObservableSlots(Findings findings, Arena arena, SlotRules rules) {
    this.findings = findings;
    this.arena = arena;
    this.rules = rules;
  }

  /// Checks the slots of `array` in `observed`, and the slots that they refer to.
  void check(ArrayData array, FieldPath path, ObservedRange observed) {
    if (findings.isFull() || !concernAnyOf(array)) {
      return;
    }
    if (rules.concern(array)) {
      rules.check(array, path, observed);
    }
    ObservedRange slots = observed.valid(array.validity());
    switch (array.field().storageType()) {
      case ArrowType.VariableList _ -> checkChild(array, 0, path, lists(array, slots));
      case ArrowType.ViewList _ ->
          checkChild(array, 0, path, Scattered.ofListViews(array, slots, arena));
      case ArrowType.FixedSizeList(int listSize) -> {
        if (listSize != 0) {
          checkChild(array, 0, path, new ObservedRange.OfFixedSizeLists(slots, listSize));
        }
      }
      case ArrowType.Struct() -> {
        for (int i = 0; i < array.children().size(); i++) {
          checkChild(array, i, path, slots);
        }
      }
      case ArrowType.Union type -> checkUnion(array, type, path, slots);
      case ArrowType.RunEndEncoded() -> {
        ArrayData runEnds = array.children().getFirst();
        Integers ends = Integers.of(runEnds, BufferRole.DATA);
        checkChild(array, 1, path, new ObservedRange.OfRuns(slots, ends, runEnds.length()));
      }
      case ArrowType.Null _,
          ArrowType.Bool _,
          ArrowType.FixedWidth _,
          ArrowType.VariableBytes _,
          ArrowType.ViewBytes _ -> {}
    }
  }

  /// Returns the child slots of the lists that `slots` selects.
  static ObservedRange lists(ArrayData array, ObservedRange slots) {
    return array.length() == 0
        ? ObservedRange.all(0)
        : new ObservedRange.OfLists(slots, Integers.of(array, BufferRole.OFFSETS), array.length());
  }

  /// Returns whether any of the rules concerns the array or a descendant.
  private boolean concernAnyOf(ArrayData array) {
    return rules.concern(array) || array.children().stream().anyMatch(this::concernAnyOf);
  }

  private void checkChild(ArrayData array, int index, FieldPath path, ObservedRange observed) {
    ArrayData child = array.children().get(index);
    check(child, path.child(child.field()), observed);
  }

  private void checkUnion(
      ArrayData array, ArrowType.Union type, FieldPath path, ObservedRange slots) {
    MemorySegment typeIds = array.buffer(BufferRole.TYPE_IDS);
    for (int i = 0; i < array.children().size(); i++) {
      byte typeId = (byte) (int) type.typeIds().get(i);
      if (!concernAnyOf(array.children().get(i))) {
        continue;
      }
      ObservedRange selecting =
          new ObservedRange.Both(
              slots.length(), slots, new ObservedRange.OfTypeId(slots.length(), typeIds, typeId));
      ObservedRange observed =
          type.mode() == UnionMode.SPARSE
              ? selecting
              : Scattered.ofDenseUnion(array, i, selecting, arena);
      checkChild(array, i, path, observed);
    }
  }
}
