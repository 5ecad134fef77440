package dev.quiver.store.write;

import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.transform.Cast;
import dev.quiver.arrow.transform.ExactCasts;
import dev.quiver.arrow.transform.FieldPairs;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.version.ColumnConversion;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.SchemaMismatchException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The casts by which the columns of an upload become those of a dataset. Columns belong together
/// by their names, in order where several have one name.
///
/// @param schema the schema of the rows that are appended. Its dictionaries have numbers of their
///   own
/// @param sources of each column: its index in the upload, or -1 if the upload lacks it
/// @param casts of each column, null if it stays as it is. A column that the upload lacks is cast
///   from any other, and has nulls
/// @param conversions the columns whose types change
record ColumnCasts(
    Schema schema,
    List<Integer> sources,
    List<@Nullable Cast> casts,
    List<ColumnConversion> conversions) {

  /// Finds the casts.
  ///
  /// @param name the name of the dataset
  /// @throws SchemaMismatchException if a column does not cast, is missing without being nullable,
  ///   or is missing in the dataset
  ///
  /// @param columns the columns of the dataset, and those that it gets
  static ColumnCasts of(DatasetName name, NewColumns columns, Schema uploaded) {
    return new Search(uploaded).of(name, columns);
  }

  /// Returns whether a column has an ordered dictionary, which may not get the values of an upload.
  boolean hasOrderedDictionary() {
    return isOrdered(schema.fields());
  }

  private static boolean isOrdered(List<Field> fields) {
    for (Field field : fields) {
      DictionaryEncoding encoding = field.dictionary();
      if (encoding != null && encoding.ordered() || isOrdered(field.children())) {
        return true;
      }
    }
    return false;
  }

  private static final class Search {

    private static final ArrowType.Int INDICES = new ArrowType.Int(32, /* signed= */ true);

    private final Schema uploaded;
    private final List<Field> fields = new ArrayList<>();
    private final List<Integer> sources = new ArrayList<>();
    private final List<@Nullable Cast> casts = new ArrayList<>();
    private final List<ColumnConversion> conversions = new ArrayList<>();
    private final SchemaMatch match = new SchemaMatch();
    private long nextDictionary;

    /// The names of several columns, of which it is unknown which one the upload lacks.
    private final Set<String> repeated = new HashSet<>();

    Search(Schema uploaded) {
      this.uploaded = uploaded;
      this.nextDictionary =
          DictionaryFields.of(uploaded).byId().keySet().stream()
              .mapToLong(Long::longValue)
              .map(id -> id + 1)
              .max()
              .orElse(0);
    }

    ColumnCasts of(DatasetName name, NewColumns columns) {
      Schema stored = columns.schema();
      Set<String> names = new HashSet<>();
      stored.fields().stream()
          .map(Field::name)
          .filter(each -> !names.add(each))
          .forEach(repeated::add);
      FieldPairs pairs = FieldPairs.of(stored.fields(), uploaded.fields());
      for (int i = 0; i < stored.fields().size(); i++) {
        int source = pairs.uploadedPosition(i);
        if (columns.contains(i)) {
          addNew(source);
        } else {
          add(
              stored.fields().get(i),
              source,
              source == FieldPairs.NONE ? null : uploaded.fields().get(source));
        }
      }
      for (int position : pairs.extra()) {
        match.addExtra(uploaded.fields().get(position));
      }
      match.throwIfDifferent(name);
      return new ColumnCasts(uploaded.withFields(fields), sources, casts, conversions);
    }

    /// Adds a column that the dataset gets as it is, but for its nullability.
    private void addNew(int source) {
      sources.add(source);
      fields.add(uploaded.fields().get(source).withNullable(true));
      casts.add((column, _) -> column);
    }

    private void add(Field stored, int source, @Nullable Field field) {
      sources.add(source);
      if (field != null && SchemaMatch.isSame(stored, field)) {
        fields.add(field);
        casts.add(null);
        return;
      }
      // The numbers of dictionaries within a column are those of its arrays as well.
      Field target = numbered(stored);
      Cast cast =
          field != null
              ? ExactCasts.of(field, target)
              : repeated.contains(stored.name()) ? null : ExactCasts.nulls(target);
      if (cast == null) {
        match.addColumn(stored, field);
      }
      fields.add(target);
      casts.add(cast);
      String from = field == null ? null : describe(field);
      if (!describe(stored).equals(from)) {
        conversions.add(new ColumnConversion(stored.name(), from, describe(stored)));
      }
    }

    private static String describe(Field field) {
      String type = field.withDictionary(null).describeType();
      return field.dictionary() == null ? type : "dictionary of " + type;
    }

    /// Gives dictionaries numbers that no column of the upload has, and indices that are wide
    /// enough for the values of any batch. The dataset keeps its own, as long as they are.
    private Field numbered(Field field) {
      return field.withDictionaries(
          encoding -> new DictionaryEncoding(nextDictionary++, INDICES, encoding.ordered()));
    }
  }
}
