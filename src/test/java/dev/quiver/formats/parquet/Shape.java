package dev.quiver.formats.parquet;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The type of a nested column, whose values become levels by the definition of the Dremel paper,
/// independently of the reader.
///
/// @param children one for a list, any number for a struct; empty for an integer
record Shape(boolean isOptional, boolean isList, List<Shape> children) {

  private static final int LIST = 3;

  /// A slot of a leaf.
  private record Slot(int repetition, int definition, @Nullable Object value) {}

  static Shape integer(boolean isOptional) {
    return new Shape(isOptional, false, List.of());
  }

  static Shape list(boolean isOptional, Shape element) {
    return new Shape(isOptional, true, List.of(element));
  }

  static Shape struct(boolean isOptional, Shape... children) {
    return new Shape(isOptional, false, List.of(children));
  }

  static Shape random(Random random, int depth) {
    boolean isOptional = random.nextBoolean();
    return switch (depth == 0 ? 0 : random.nextInt(4)) {
      case 0 -> integer(isOptional);
      case 1 -> {
        int count = 1 + random.nextInt(3);
        yield struct(
            isOptional,
            IntStream.range(0, count)
                .mapToObj(_ -> random(random, depth - 1))
                .toArray(Shape[]::new));
      }
      default -> list(isOptional, random(random, depth - 1));
    };
  }

  /// Returns a random value: a `Long`, a `List` of elements or children, or null.
  @Nullable Object value(Random random) {
    if (isOptional && random.nextInt(4) == 0) {
      return null;
    }
    if (children.isEmpty()) {
      return (long) random.nextInt();
    }
    List<@Nullable Object> values = new ArrayList<>();
    if (isList) {
      for (int i = random.nextInt(4); i > 0; i--) {
        values.add(children.getFirst().value(random));
      }
    } else {
      children.forEach(child -> values.add(child.value(random)));
    }
    return values;
  }

  private int leafCount() {
    return children.isEmpty() ? 1 : children.stream().mapToInt(Shape::leafCount).sum();
  }

  /// Adds the schema of a column.
  void addSchema(ParquetBytes file, String name) {
    int repetition = isOptional ? ParquetBytes.OPTIONAL : ParquetBytes.REQUIRED;
    if (children.isEmpty()) {
      file.leaf(ParquetBytes.INT32, repetition, name);
    } else if (isList) {
      file.group(repetition, name, 1, LIST).group(ParquetBytes.REPEATED, "list", 1, -1);
      children.getFirst().addSchema(file, "element");
    } else {
      file.group(repetition, name, children.size(), -1);
      for (int i = 0; i < children.size(); i++) {
        children.get(i).addSchema(file, "f" + i);
      }
    }
  }

  /// Adds the chunks of all leaves, whose pages end at random slots.
  ///
  /// @param rows values of this shape
  /// @param pageSlotMaximum the maximum number of slots in a page
  void addChunks(
      ParquetBytes file, List<@Nullable Object> rows, Random random, int pageSlotMaximum) {
    List<List<Slot>> leaves = new ArrayList<>();
    for (int i = leafCount(); i > 0; i--) {
      leaves.add(new ArrayList<>());
    }
    rows.forEach(row -> shred(row, 0, 0, 0, leaves));
    List<int[]> maxima = new ArrayList<>();
    addMaxima(0, 0, maxima);
    for (int i = 0; i < leaves.size(); i++) {
      List<Slot> slots = leaves.get(i);
      List<byte[]> pages = new ArrayList<>();
      for (int start = 0; start < slots.size(); ) {
        int end = Math.min(slots.size(), start + 1 + random.nextInt(pageSlotMaximum));
        pages.add(page(slots.subList(start, end), maxima.get(i)[0], maxima.get(i)[1]));
        start = end;
      }
      file.chunk(ParquetBytes.INT32, slots.size(), false, pages.toArray(byte[][]::new));
    }
  }

  private void addMaxima(int repetition, int definition, List<int[]> maxima) {
    int here = definition + (isOptional ? 1 : 0);
    if (children.isEmpty()) {
      maxima.add(new int[] {repetition, here});
    }
    int step = isList ? 1 : 0;
    children.forEach(child -> child.addMaxima(repetition + step, here + step, maxima));
  }

  private void shred(
      @Nullable Object value, int repetition, int depth, int definition, List<List<Slot>> leaves) {
    int here = definition + (isOptional ? 1 : 0);
    if (value == null || isList && ((List<?>) value).isEmpty()) {
      leaves.forEach(
          leaf -> leaf.add(new Slot(repetition, value == null ? definition : here, null)));
    } else if (children.isEmpty()) {
      leaves.getFirst().add(new Slot(repetition, here, value));
    } else if (isList) {
      List<?> elements = (List<?>) value;
      for (int i = 0; i < elements.size(); i++) {
        children
            .getFirst()
            .shred(elements.get(i), i == 0 ? repetition : depth + 1, depth + 1, here + 1, leaves);
      }
    } else {
      int first = 0;
      for (int i = 0; i < children.size(); i++) {
        int end = first + children.get(i).leafCount();
        children
            .get(i)
            .shred(((List<?>) value).get(i), repetition, depth, here, leaves.subList(first, end));
        first = end;
      }
    }
  }

  private static byte[] page(List<Slot> slots, int repetitionMaximum, int definitionMaximum) {
    int[] values =
        slots.stream()
            .filter(slot -> slot.value != null)
            .mapToInt(slot -> ((Long) slot.value).intValue())
            .toArray();
    return ParquetBytes.page(
        slots.size(),
        0,
        levels(repetitionMaximum, slots.stream().mapToInt(Slot::repetition).toArray()),
        levels(definitionMaximum, slots.stream().mapToInt(Slot::definition).toArray()),
        ParquetBytes.int32(values));
  }

  private static byte[] levels(int maximum, int[] levels) {
    return maximum == 0
        ? new byte[0]
        : ParquetBytes.levels(Integer.SIZE - Integer.numberOfLeadingZeros(maximum), levels);
  }
}
