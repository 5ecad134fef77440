package dev.quiver.arrow.transform;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The types that a schema stored beside data says its columns have, as far as the data can be cast
/// to them.
///
/// A stored schema is a claim. Where no cast leads to a type, the column keeps the one that was
/// read.
///
/// @param schema the columns with the stored names, types and metadata. Its dictionaries have
///   numbers of their own, since writers give all of them the same, and are unordered: the order of
///   the values is not in the data.
/// @param keptColumns the columns whose stored type is another than the one they keep
/// @param unorderedColumns the columns with a dictionary that was ordered
public record StoredTypes(Schema schema, List<String> keptColumns, List<String> unorderedColumns) {

  public StoredTypes {
    keptColumns = List.copyOf(keptColumns);
    unorderedColumns = List.copyOf(unorderedColumns);
  }

  /// @param read the schema of the data as it is read, without dictionaries
  /// @param names of the columns in the file, as many as the schema has
  /// @param stored the schema beside the data, or null if absent. It is ignored if it has other
  ///   columns.
  public static StoredTypes of(Schema read, List<String> names, @Nullable Schema stored) {
    return of(read, names, stored, new BitSet());
  }

  /// Returns the types of [#of(Schema, List, Schema)], except for some columns.
  ///
  /// @param kept the indices of columns that keep the type that was read
  public static StoredTypes of(
      Schema read, List<String> names, @Nullable Schema stored, BitSet kept) {
    return new Restoration(read, names, kept).restore(stored);
  }

  /// The collected columns.
  private static final class Restoration {

    private final Schema read;
    private final List<String> names;
    private final BitSet kept;
    private final List<Field> fields = new ArrayList<>();
    private final List<String> keptColumns = new ArrayList<>();
    private final List<String> unorderedColumns = new ArrayList<>();
    private long dictionaryCount;

    Restoration(Schema read, List<String> names, BitSet kept) {
      this.read = read;
      this.names = names;
      this.kept = kept;
    }

    StoredTypes restore(@Nullable Schema stored) {
      Schema matching =
          stored != null && stored.fields().stream().map(Field::name).toList().equals(names)
              ? stored
              : null;
      for (int i = 0; i < names.size(); i++) {
        Field field = read.fields().get(i).withName(names.get(i));
        fields.add(
            matching == null ? field : restored(field, matching.fields().get(i), kept.get(i)));
      }
      Schema schema = read.withFields(fields);
      return new StoredTypes(
          matching == null ? schema : schema.withMetadata(matching.metadata()),
          stored == null || matching != null ? keptColumns : names,
          unorderedColumns);
    }

    private Field restored(Field field, Field stored, boolean isKept) {
      if (isKept || Casts.of(field, stored) == null || !hasSameFields(field, stored)) {
        keptColumns.add(field.name());
        return field;
      }
      if (isOrdered(stored)) {
        unorderedColumns.add(field.name());
      }
      return withOwnDictionaries(stored);
    }

    /// Returns whether structs have fields of the same names. A tool may have renamed or reordered
    /// the types of the data, and kept the schema beside it.
    private static boolean hasSameFields(Field read, Field stored) {
      List<Field> fields = read.children();
      for (int i = 0; i < fields.size(); i++) {
        Field field = fields.get(i);
        Field claimed = stored.children().get(i);
        boolean named = read.type() instanceof ArrowType.Struct;
        if (named && !field.name().equals(claimed.name())
            || !hasSameFields(
                // The names of a map's entries are not data.
                read.type() instanceof ArrowType.Map ? unnamed(field) : field,
                read.type() instanceof ArrowType.Map ? unnamed(claimed) : claimed)) {
          return false;
        }
      }
      return true;
    }

    private static Field unnamed(Field entries) {
      return new Field(
          entries.name(),
          entries.nullable(),
          entries.type(),
          entries.dictionary(),
          entries.children().stream().map(field -> field.withName("")).toList(),
          entries.metadata());
    }

    private static boolean isOrdered(Field field) {
      DictionaryEncoding encoding = field.dictionary();
      return encoding != null && encoding.ordered()
          || field.children().stream().anyMatch(Restoration::isOrdered);
    }

    private Field withOwnDictionaries(Field field) {
      return field.withDictionaries(
          encoding -> new DictionaryEncoding(dictionaryCount++, encoding.indexType(), false));
    }
  }
}
