package dev.quiver.formats.csv;

import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Advice;
import dev.quiver.formats.AppendedDataset;
import dev.quiver.formats.ColumnType;
import dev.quiver.formats.FileParameters;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.OptionValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The options of the last upload to a dataset, which are tried first for a file that is appended
/// to it.
///
/// @param options of the client, and those of the last upload for what they leave open
/// @param added the parameters of the last upload among them
/// @param dataset the schema of the dataset
record CsvLastUpload(CsvOptions options, Map<String, List<String>> added, Schema dataset) {

  /// The name of the options of the last upload in what was found.
  static final String FOUND = "lastUpload";

  private static final String ROWS = CsvOptions.PREFIX + "rows";
  private static final String COMMENT = CsvOptions.PREFIX + "comment";
  private static final String SKIP = CsvOptions.PREFIX + "skip";
  private static final String TYPES = CsvOptions.PREFIX + "types";

  /// Returns the options to try, or null if there are no others than those of the client.
  static @Nullable CsvLastUpload of(CsvOptions options, @Nullable AppendedDataset dataset) {
    if (dataset == null
        || options.table() != null
        || !dataset.lastUpload().format().equals(options.format().name())) {
      return null;
    }
    FileParameters last = dataset.lastUpload();
    Map<String, List<String>> added = new TreeMap<>(last.values());
    options.stated().keySet().forEach(name -> added.remove(CsvOptions.PREFIX + name));
    if (dataset.schema().fields().size() == 1) {
      // One name does not show whether a delimiter is meant.
      added.remove(CsvOptions.PREFIX + "delimiter");
    }
    try {
      CsvOptions before = CsvOptions.parse(options.format(), last.values());
      Map<String, ColumnType> types = new TreeMap<>(before.types());
      types.keySet().removeAll(options.types().keySet());
      added.remove(TYPES);
      if (!types.isEmpty()) {
        added.put(TYPES, texts(types));
      }
      return added.isEmpty()
          ? null
          : new CsvLastUpload(options.and(added), added, dataset.schema());
    } catch (InvalidOptionException e) {
      // They do not go together.
      return null;
    }
  }

  private static List<String> texts(Map<String, ColumnType> types) {
    List<String> texts = new ArrayList<>();
    types.forEach((column, type) -> texts.add(OptionValues.typed(column, type.displayName())));
    return texts;
  }

  /// Returns whether a file has the manner of the last one: its header has names of the dataset and
  /// no others, or its first row has as many fields as the dataset has columns.
  ///
  /// @param table the first record of the table, and those after it
  boolean fits(List<CsvSample.Row> table, boolean header) {
    if (table.isEmpty()) {
      return false;
    }
    CsvSample.Row first = table.getFirst();
    List<Field> columns = dataset.fields();
    if (!header) {
      return first.count() >= columns.size() && first.filledCount() <= columns.size();
    }
    List<String> names = first.texts().subList(0, first.filledCount());
    return !names.isEmpty() && columns.stream().map(Field::name).toList().containsAll(names);
  }

  /// Returns the types that the file's options state. Percentages of the last upload are left out
  /// where the file has none, as text has none that the service writes.
  Map<String, ColumnType> types(List<CsvSample.Row> table) {
    Map<String, ColumnType> types = new HashMap<>(options.types());
    List<String> names = table.getFirst().texts();
    Set<String> kept = new HashSet<>();
    for (int i = 0; i < names.size(); i++) {
      int column = i;
      if (table.stream().anyMatch(row -> isPercentage(row, column))) {
        kept.add(names.get(i));
      }
    }
    Map<String, List<String>> before = Map.of(TYPES, added.getOrDefault(TYPES, List.of()));
    CsvOptions.parse(options.format(), before)
        .types()
        .forEach((column, type) -> {
          if (type.kind() == ColumnType.Kind.PERCENT && !kept.contains(column)) {
            types.remove(column);
          }
        });
    return types;
  }

  private static boolean isPercentage(CsvSample.Row row, int column) {
    return column < row.count() && row.fields().get(column).stripTrailing().endsWith("%");
  }

  /// Returns warnings about what the options of the last upload have left out of a file, whose
  /// client has not stated them.
  ///
  /// @param found what was found in the file
  /// @param rowCount the rows that were left out for what is in them
  /// @param hasComments whether comments were left out
  static List<Advice> leftOut(Map<String, Object> found, long rowCount, boolean hasComments) {
    if (!(found.get(FOUND) instanceof Map<?, ?> last)) {
      return List.of();
    }
    List<Advice> advice = new ArrayList<>();
    if (last.containsKey(SKIP) && !"0".equals(last.get(SKIP))) {
      advice.add(leftOut(last, "the first lines", SKIP, "0", "reads them"));
    }
    if (last.containsKey(COMMENT) && hasComments) {
      advice.add(leftOut(last, "comments", COMMENT, "", "reads them"));
    }
    if (last.containsKey(ROWS) && rowCount > 0) {
      advice.add(
          leftOut(
              last,
              rowCount == 1 ? "1 row" : "%,d rows".formatted(rowCount),
              ROWS,
              "strict",
              "rejects such rows"));
    }
    return advice;
  }

  private static Advice leftOut(
      Map<?, ?> last, String what, String option, String other, String effect) {
    return new Advice(
        "%s=%s of the last upload leaves out %s; %s=%s %s"
            .formatted(option, last.get(option), what, option, other, effect),
        option,
        other,
        /* column= */ null);
  }

  /// Returns the parameters of the last upload, ready to be sent.
  Map<String, Object> told() {
    Map<String, Object> told = new TreeMap<>();
    added.forEach((name, all) -> told.put(name, all.size() == 1 ? all.getFirst() : all));
    return told;
  }
}
