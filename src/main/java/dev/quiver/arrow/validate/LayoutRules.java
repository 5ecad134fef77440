package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.UnionMode;
import java.util.List;
import java.util.Locale;

/// The rules of [Level#LAYOUT]. An array that breaks one is not examined any further.
final class LayoutRules {

  private final Findings findings;

  LayoutRules(Findings findings) {
    this.findings = findings;
  }

  void check(ArrayData array, FieldPath path) {
    int found = findings.count();
    checkCounts(array, path);
    if (findings.count() == found) {
      checkNullCount(array, path);
      checkBuffers(array, path);
      checkChildLengths(array, path);
      checkDictionary(array, path);
    }
    if (findings.count() != found) {
      return;
    }
    for (ArrayData child : array.children()) {
      check(child, path.child(child.field()));
    }
  }

  /// Checks the counts without which buffers and children cannot be found at all.
  private void checkCounts(ArrayData array, FieldPath path) {
    if (array.length() < 0) {
      findings.add(Rule.LENGTH, path, "0 or more", Long.toString(array.length()), "length");
    }
    Layout layout = array.layout();
    int bufferCount = array.buffers().size();
    int needed = layout.buffers().size();
    if (layout.variadic() ? bufferCount < needed : bufferCount != needed) {
      findings.add(
          Rule.BUFFER_COUNT,
          path,
          needed + (layout.variadic() ? " or more buffers" : " buffers"),
          Integer.toString(bufferCount),
          "buffers");
    }
    checkChildCount(array, layout, path);
  }

  private void checkChildCount(ArrayData array, Layout layout, FieldPath path) {
    int expected = array.field().storageChildren().size();
    if (layout.childCount() != Layout.ANY_CHILDREN) {
      expected = layout.childCount();
    } else if (array.field().storageType() instanceof ArrowType.Union(_, List<Integer> typeIds)) {
      expected = typeIds.size();
    }
    if (array.children().size() != expected) {
      findings.add(
          Rule.CHILD_COUNT,
          path,
          expected + " children",
          Integer.toString(array.children().size()),
          "children");
      return;
    }
    checkChildTypes(array, path);
  }

  private void checkChildTypes(ArrayData array, FieldPath path) {
    ArrowType type = array.field().storageType();
    if (type instanceof ArrowType.Map) {
      ArrayData entries = array.children().getFirst();
      if (!(entries.field().storageType() instanceof ArrowType.Struct)
          || entries.children().size() != 2) {
        addChildType(path, "entries of a key and a value", entries.field());
      }
    } else if (type instanceof ArrowType.RunEndEncoded) {
      Field runEnds = array.children().getFirst().field();
      if (runEnds.dictionary() != null
          || !(runEnds.type() instanceof ArrowType.Int(int bitWidth, boolean signed))
          || !signed
          || bitWidth < 16) {
        addChildType(path, "run ends of int16, int32 or int64", runEnds);
      }
    }
  }

  private void addChildType(FieldPath path, String expected, Field found) {
    findings.add(
        Rule.CHILD_TYPE, path, expected, Findings.excerpt(found.describeType()), "children[0]");
  }

  private void checkNullCount(ArrayData array, FieldPath path) {
    long length = array.length();
    long nullCount = array.nullCount();
    if (nullCount < -1 || nullCount > length) {
      findings.add(
          Rule.NULL_COUNT_RANGE, path, "-1 to " + length, Long.toString(nullCount), "null count");
    } else if (array.field().storageType() instanceof ArrowType.Null
        && nullCount != length
        && nullCount != -1) {
      findings.add(
          Rule.NULL_COUNT_OF_NULLS,
          path,
          "the length of " + length,
          Long.toString(nullCount),
          "null count");
    } else if (array.layout().hasValidity()
        && nullCount > 0
        && array.buffers().getFirst().byteSize() == 0) {
      findings.add(
          Rule.VALIDITY, path, "a validity buffer for " + nullCount + " nulls", "none", "validity");
    }
  }

  private void checkBuffers(ArrayData array, FieldPath path) {
    List<BufferLayout> layouts = array.layout().buffers();
    for (int i = 0; i < layouts.size(); i++) {
      BufferLayout layout = layouts.get(i);
      long byteSize = array.buffers().get(i).byteSize();
      if (layout.role() == BufferRole.VALIDITY && (byteSize == 0 || array.nullCount() == 0)) {
        continue;
      }
      String expected;
      try {
        long needed = layout.minimumByteSize(array.length());
        if (byteSize >= needed) {
          continue;
        }
        expected = needed + " or more bytes";
      } catch (ArithmeticException e) {
        expected = "more than 2⁶³ bytes";
      }
      expected += " for " + array.length() + " slots";
      findings.add(Rule.BUFFER_SIZE, path, expected, Long.toString(byteSize), name(layout.role()));
    }
  }

  private void checkChildLengths(ArrayData array, FieldPath path) {
    switch (array.field().storageType()) {
      case ArrowType.Struct() -> checkChildrenCover(Rule.STRUCT_CHILD_LENGTH, array, path);
      case ArrowType.Union(UnionMode mode, _) -> {
        if (mode == UnionMode.SPARSE) {
          checkChildrenCover(Rule.UNION_CHILD_LENGTH, array, path);
        }
      }
      case ArrowType.FixedSizeList(int listSize) -> checkFixedSizeList(array, listSize, path);
      case ArrowType.RunEndEncoded() -> checkRuns(array, path);
      case ArrowType.Null _,
          ArrowType.Bool _,
          ArrowType.FixedWidth _,
          ArrowType.Nested _,
          ArrowType.VariableBytes _,
          ArrowType.ViewBytes _ -> {}
    }
  }

  private void checkChildrenCover(Rule rule, ArrayData array, FieldPath path) {
    for (int i = 0; i < array.children().size(); i++) {
      long childLength = array.children().get(i).length();
      if (childLength < array.length()) {
        addChildLength(rule, path, array.length() + " or more slots", childLength, i);
      }
    }
  }

  private void checkFixedSizeList(ArrayData array, int listSize, FieldPath path) {
    long childLength = array.children().getFirst().length();
    boolean overflows = Math.multiplyHigh(array.length(), listSize) != 0;
    long needed = array.length() * listSize;
    if (overflows || needed < 0 || childLength < needed) {
      String expected = "%d × %d or more slots".formatted(array.length(), listSize);
      addChildLength(Rule.FIXED_SIZE_LIST_CHILD_LENGTH, path, expected, childLength, 0);
    }
  }

  private void checkRuns(ArrayData array, FieldPath path) {
    ArrayData runEnds = array.children().getFirst();
    long valueCount = array.children().getLast().length();
    if (valueCount < runEnds.length()) {
      String expected = runEnds.length() + " or more values, one for each run end,";
      addChildLength(Rule.RUN_COUNT, path, expected, valueCount, 1);
    }
    if (runEnds.nullCount() > 0) {
      findings.add(
          Rule.RUN_END_NULL,
          path,
          "no nulls in the run ends",
          Long.toString(runEnds.nullCount()),
          "children[0]");
    }
  }

  private void addChildLength(Rule rule, FieldPath path, String expected, long found, int child) {
    findings.add(rule, path, expected, Long.toString(found), "children[" + child + "]");
  }

  private void checkDictionary(ArrayData array, FieldPath path) {
    if (array.field().dictionary() != null
        && array.dictionary() == null
        && array.nullCount() != -1
        && array.nullCount() < array.length()) {
      findings.add(
          Rule.DICTIONARY,
          path,
          "a dictionary for %d slots that are not null"
              .formatted(array.length() - array.nullCount()),
          "none",
          "dictionary");
    }
  }

  /// Returns the name of a buffer in messages.
  static String name(BufferRole role) {
    return switch (role) {
      case VALIDITY, OFFSETS, SIZES, VIEWS, DATA -> role.name().toLowerCase(Locale.ROOT);
      case SLOT_OFFSETS -> "offsets";
      case TYPE_IDS -> "type ids";
    };
  }
}
