package dev.quiver.validate;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.BufferRole;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.UnionMode;
import dev.quiver.memory.Bitmaps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The rules of [Level#VALUES], for arrays that keep to those of the levels before, in the slots
/// that can be observed.
final class ValueRules {

  private final Findings findings;
  private final Arena arena;

  /// @param arena where the slots are gathered that are referred to out of order
  ValueRules(Findings findings, Arena arena) {
    this.findings = findings;
    this.arena = arena;
  }

  /// Checks the slots of `array` that are in `observed`, whether null or not.
  void check(ArrayData array, String path, Selection observed) {
    if (findings.isFull() || !hasRules(array.field())) {
      return;
    }
    Selection slots = observed.valid(array.validity());
    if (array.field().dictionary() != null) {
      new IndexRule(findings).check(array, path, slots);
      return;
    }
    switch (array.field().type()) {
      case ArrowType.Utf8(), ArrowType.LargeUtf8() ->
          new TextRule(findings).check(array, path, slots);
      case ArrowType.Utf8View() -> new ViewRules(findings, true).check(array, path, slots);
      case ArrowType.BinaryView() -> new ViewRules(findings, false).check(array, path, slots);
      case ArrowType.List(), ArrowType.LargeList() ->
          checkChild(array, 0, path, lists(array, slots));
      case ArrowType.Map _ -> {
        Selection entries = lists(array, slots);
        checkEntries(array.children().getFirst(), path, entries);
        checkChild(array, 0, path, entries);
      }
      case ArrowType.ListView(), ArrowType.LargeListView() ->
          checkChild(array, 0, path, Scattered.ofListViews(array, slots, arena));
      case ArrowType.FixedSizeList(int listSize) ->
          checkChild(array, 0, path, new Selection.OfFixedSizeLists(slots, listSize));
      case ArrowType.Struct() -> {
        for (int i = 0; i < array.children().size(); i++) {
          checkChild(array, i, path, slots);
        }
      }
      case ArrowType.Union type -> checkUnion(array, type, path, slots);
      case ArrowType.RunEndEncoded() -> {
        ArrayData runEnds = array.children().getFirst();
        Integers ends = Integers.of(runEnds, BufferRole.DATA);
        checkChild(array, 1, path, new Selection.OfRuns(slots, ends, runEnds.length()));
      }
      case ArrowType.Null _,
          ArrowType.Bool _,
          ArrowType.Int _,
          ArrowType.FloatingPoint _,
          ArrowType.Decimal _,
          ArrowType.Date _,
          ArrowType.Time _,
          ArrowType.Timestamp _,
          ArrowType.Duration _,
          ArrowType.Interval _,
          ArrowType.FixedSizeBinary _,
          ArrowType.Binary _,
          ArrowType.LargeBinary _ -> {}
    }
  }

  /// Whether any of the rules concerns the field or one below it.
  private static boolean hasRules(Field field) {
    return field.dictionary() != null
        || switch (field.type()) {
          case ArrowType.Utf8 _,
              ArrowType.LargeUtf8 _,
              ArrowType.Utf8View _,
              ArrowType.BinaryView _,
              ArrowType.Map _ ->
              true;
          case ArrowType.FixedSizeList(int listSize) ->
              listSize != 0 && field.children().stream().anyMatch(ValueRules::hasRules);
          case ArrowType.List _,
              ArrowType.LargeList _,
              ArrowType.ListView _,
              ArrowType.LargeListView _,
              ArrowType.Struct _,
              ArrowType.Union _,
              ArrowType.RunEndEncoded _ ->
              field.children().stream().anyMatch(ValueRules::hasRules);
          case ArrowType.Null _,
              ArrowType.Bool _,
              ArrowType.Int _,
              ArrowType.FloatingPoint _,
              ArrowType.Decimal _,
              ArrowType.Date _,
              ArrowType.Time _,
              ArrowType.Timestamp _,
              ArrowType.Duration _,
              ArrowType.Interval _,
              ArrowType.FixedSizeBinary _,
              ArrowType.Binary _,
              ArrowType.LargeBinary _ ->
              false;
        };
  }

  private void checkChild(ArrayData array, int index, String path, Selection observed) {
    ArrayData child = array.children().get(index);
    check(child, path + "." + child.field().name(), observed);
  }

  private static Selection lists(ArrayData array, Selection slots) {
    return array.length() == 0
        ? Selection.all(0)
        : new Selection.OfLists(slots, Integers.of(array, BufferRole.OFFSETS), array.length());
  }

  private void checkEntries(ArrayData entries, String path, Selection observed) {
    ArrayData keys = entries.children().getFirst();
    String entriesPath = path + "." + entries.field().name();
    checkNotNull(Rule.MAP_ENTRY_NULL, entries, entriesPath, observed);
    checkNotNull(Rule.MAP_KEY_NULL, keys, entriesPath + "." + keys.field().name(), observed);
  }

  private void checkNotNull(Rule rule, ArrayData array, String path, Selection observed) {
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

  private void checkUnion(ArrayData array, ArrowType.Union type, String path, Selection slots) {
    MemorySegment typeIds = array.buffer(BufferRole.TYPE_IDS);
    for (int i = 0; i < array.children().size(); i++) {
      byte typeId = (byte) (int) type.typeIds().get(i);
      if (!hasRules(array.children().get(i).field())) {
        continue;
      }
      Selection selecting =
          new Selection.Both(
              slots.length(), slots, new Selection.OfTypeId(slots.length(), typeIds, typeId));
      Selection observed =
          type.mode() == UnionMode.SPARSE
              ? selecting
              : Scattered.ofDenseUnion(array, i, selecting, arena);
      checkChild(array, i, path, observed);
    }
  }
}
