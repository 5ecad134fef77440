package dev.quiver.golden;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.read.DictionaryValues;
import dev.quiver.store.read.Selection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A selection with its expected result, derived from values alone.
record Picked(Selection selection, Decoded expected) {

  /// Returns representative selections: reordered columns, a single column, a struct field; rows at
  /// the start, middle and end, also counted from the end, one, none, and beyond both ends; and
  /// combinations of these, and samples.
  static List<Picked> all(Decoded all) {
    long rows = all.batches().stream().mapToLong(Picked::rows).sum();
    int columns = all.schema().fields().size();
    List<List<String>> tokens = new ArrayList<>(List.of(List.of()));
    if (columns > 0) {
      tokens.add(IntStream.range(0, columns).mapToObj(i -> token(columns - 1 - i)).toList());
      tokens.add(List.of(token(columns / 2)));
    }
    for (int i = columns - 1; i >= 0; i--) {
      List<Integer> path = childPath(all.schema().fields().get(i));
      if (path != null) {
        tokens.add(List.of(token(i) + ".[" + path.getLast() + "]"));
        i = -1;
      }
    }
    long[][] ranges = {
      {0, Long.MAX_VALUE},
      {1, Long.MAX_VALUE},
      {0, Math.max(0, rows - 1)},
      {rows / 3, rows / 3 + 1},
      {rows / 2, 1},
      {rows, 5},
      {2, 0},
      {-1, Long.MAX_VALUE},
      {-(rows / 3) - 2, rows / 3},
      {Long.MIN_VALUE, Math.max(0, rows - 1)}
    };
    List<Picked> picked = new ArrayList<>();
    for (List<String> chosen : tokens) {
      for (long[] range : ranges) {
        picked.add(of(all, new Selection(chosen, range[0], range[1])));
      }
      for (int sample : new int[] {0, 1, (int) rows / 3, Math.max(0, (int) rows - 1)}) {
        picked.add(of(all, new Selection(chosen, 0, Long.MAX_VALUE, sample)));
        picked.add(of(all, new Selection(chosen, 2, Math.max(0, rows - 3), sample)));
      }
    }
    return picked;
  }

  /// Returns the same selection with dictionaries that have only used values.
  Picked withUsedDictionaries() {
    Selection reduced =
        new Selection(
            selection.columns(),
            selection.offset(),
            selection.limit(),
            selection.sample(),
            DictionaryValues.USED);
    return new Picked(reduced, expected);
  }

  private static Picked of(Decoded all, Selection selection) {
    Decoded rows = new Decoded(all.schema(), rows(all.batches(), selection));
    return new Picked(
        selection, selection.columns().isEmpty() ? rows : columns(rows, selection.columns()));
  }

  private static String token(int column) {
    return "[" + column + "]";
  }

  private static long rows(List<List<@Nullable Object>> batch) {
    return batch.isEmpty() ? 0 : batch.getFirst().size();
  }

  /// Returns the batches that have any of the rows, each with those that it has.
  private static List<List<List<@Nullable Object>>> sample(
      List<List<List<@Nullable Object>>> batches, long start, long end, int count) {
    Set<Long> sampled = new HashSet<>();
    for (long i = 0; i < count; i++) {
      sampled.add(start + i * (end - start) / count);
    }
    List<List<List<@Nullable Object>>> selected = new ArrayList<>();
    long before = 0;
    for (List<List<@Nullable Object>> batch : batches) {
      List<List<@Nullable Object>> columns = new ArrayList<>();
      batch.forEach(_ -> columns.add(new ArrayList<>()));
      for (int row = 0; row < rows(batch); row++) {
        for (int column = 0; column < columns.size() && sampled.contains(before + row); column++) {
          columns.get(column).add(batch.get(column).get(row));
        }
      }
      if (rows(columns) > 0) {
        selected.add(columns);
      }
      before += rows(batch);
    }
    return selected;
  }

  private static List<List<List<@Nullable Object>>> rows(
      List<List<List<@Nullable Object>>> batches, Selection selection) {
    long total = batches.stream().mapToLong(Picked::rows).sum();
    long start =
        selection.offset() < 0
            ? Math.max(total + selection.offset(), 0)
            : Math.min(selection.offset(), total);
    long end = start + Math.min(selection.limit(), total - start);
    Integer sample = selection.sample();
    if (sample != null && sample < end - start) {
      return sample(batches, start, end, sample);
    }
    if (start == 0 && end == total) {
      return batches;
    }
    List<List<List<@Nullable Object>>> selected = new ArrayList<>();
    long before = 0;
    for (List<List<@Nullable Object>> batch : batches) {
      int from = (int) Math.clamp(start - before, 0, rows(batch));
      int to = (int) Math.clamp(end - before, 0, rows(batch));
      boolean between = rows(batch) == 0 && start < before && before < end;
      if (from < to || between) {
        selected.add(
            batch.stream().<List<@Nullable Object>>map(all -> all.subList(from, to)).toList());
      }
      before += rows(batch);
    }
    return selected;
  }

  private static Decoded columns(Decoded all, List<String> tokens) {
    List<Field> fields = new ArrayList<>();
    List<List<List<@Nullable Object>>> batches = new ArrayList<>();
    all.batches().forEach(_ -> batches.add(new ArrayList<>()));
    for (String token : tokens) {
      String[] steps = token.replaceAll("[\\[\\]]", "").split("\\.");
      int column = Integer.parseInt(steps[0]);
      Field field = all.schema().fields().get(column);
      int child = steps.length == 1 ? -1 : Integer.parseInt(steps[1]);
      fields.add(child < 0 ? field : withOnly(field, child));
      for (int i = 0; i < batches.size(); i++) {
        List<@Nullable Object> values = all.batches().get(i).get(column);
        batches.get(i).add(child < 0 ? values : only(field, values, child));
      }
    }
    Schema schema = all.schema();
    return new Decoded(
        new Schema(fields, schema.metadata(), schema.endianness(), schema.features()), batches);
  }

  /// Returns the position of the last field of a struct, which may be inside lists, or null if
  /// absent.
  private static @Nullable List<Integer> childPath(Field field) {
    if (field.dictionary() != null || field.children().isEmpty()) {
      return null;
    }
    if (field.type() instanceof ArrowType.Struct) {
      return List.of(field.children().size() - 1);
    }
    return isList(field) ? childPath(field.children().getFirst()) : null;
  }

  private static boolean isList(Field field) {
    return field.type() instanceof ArrowType.List
        || field.type() instanceof ArrowType.LargeList
        || field.type() instanceof ArrowType.ListView
        || field.type() instanceof ArrowType.LargeListView
        || field.type() instanceof ArrowType.FixedSizeList;
  }

  private static Field withOnly(Field field, int child) {
    Field kept = field.children().get(isList(field) ? 0 : child);
    return new Field(
        field.name(),
        field.nullable(),
        field.type(),
        null,
        List.of(isList(field) ? withOnly(kept, child) : kept),
        new Metadata(
            field.metadata().entries().stream()
                .filter(entry -> !entry.key().startsWith("ARROW:extension:"))
                .toList()));
  }

  private static List<@Nullable Object> only(
      Field field, List<@Nullable Object> values, int child) {
    List<@Nullable Object> kept = new ArrayList<>();
    for (Object value : values) {
      if (!(value instanceof List<?> slots)) {
        kept.add(null);
      } else if (isList(field)) {
        kept.add(only(field.children().getFirst(), new ArrayList<>(slots), child));
      } else {
        kept.add(Collections.singletonList(slots.get(child)));
      }
    }
    return Collections.unmodifiableList(kept);
  }
}
