package dev.quiver.store.write;

import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.transform.ExactCasts;
import dev.quiver.arrow.transform.FieldPairs;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.version.DatasetName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The columns of an upload that a dataset lacks and gets, in the order of the upload.
///
/// @param schema the schema of the dataset with the new columns behind its own. They are nullable,
///   since existing rows have nulls there
/// @param common the schema of the upload without the new columns
/// @param count the number of new columns
record NewColumns(Schema schema, Schema common, int count) {

  /// Finds the new columns of an upload.
  ///
  /// @param name the name of the dataset
  /// @param limits the limits on the schema that the dataset gets
  /// @throws dev.quiver.store.version.SchemaMismatchException if two columns would have the same
  ///   name, or if the type of a new column has no nulls
  static NewColumns of(DatasetName name, Schema stored, Schema uploaded, Limits limits) {
    Set<String> names = new HashSet<>();
    stored.fields().forEach(field -> names.add(field.name()));
    List<Field> fields = new ArrayList<>(stored.fields());
    List<Field> common = new ArrayList<>(uploaded.fields());
    SchemaMatch match = new SchemaMatch();
    Map<Long, Long> ids = new HashMap<>();
    Set<Long> used = new HashSet<>(DictionaryFields.of(stored).byId().keySet());
    int[] positions = FieldPairs.of(stored.fields(), uploaded.fields()).extra();
    for (int position : positions) {
      Field uploadedField = uploaded.fields().get(position);
      Field field =
          uploadedField
              .withNullable(true)
              .withDictionaries(encoding -> renumbered(encoding, ids, used));
      if (!names.add(field.name())) {
        match.addRepeated(uploadedField);
      } else if (ExactCasts.nulls(field) == null) {
        match.addWithoutNulls(uploadedField);
      }
      fields.add(field);
    }
    match.throwIfDifferent(name);
    for (int i = positions.length - 1; i >= 0; i--) {
      common.remove(positions[i]);
    }
    if (positions.length > 0) {
      limits.fields().check(count(fields), "fields in a schema", InputLocation.UNKNOWN);
    }
    return new NewColumns(stored.withFields(fields), uploaded.withFields(common), positions.length);
  }

  /// Returns no new columns.
  static NewColumns none(Schema stored, Schema uploaded) {
    return new NewColumns(stored, uploaded, 0);
  }

  /// Returns whether a field is one of the new columns.
  boolean contains(int position) {
    return position >= schema.fields().size() - count;
  }

  /// Gives a dictionary the lowest number that the dataset has not used. Fields that share a
  /// dictionary go on to share it.
  private static DictionaryEncoding renumbered(
      DictionaryEncoding encoding, Map<Long, Long> ids, Set<Long> used) {
    long id =
        ids.computeIfAbsent(
            encoding.id(),
            _ -> {
              long unused = 0;
              while (!used.add(unused)) {
                unused++;
              }
              return unused;
            });
    return new DictionaryEncoding(id, encoding.indexType(), encoding.ordered());
  }

  private static long count(List<Field> fields) {
    long count = fields.size();
    for (Field field : fields) {
      count += count(field.children());
    }
    return count;
  }
}
