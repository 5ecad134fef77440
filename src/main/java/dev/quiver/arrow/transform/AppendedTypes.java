package dev.quiver.arrow.transform;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The types of appended rows of another format: the types of the dataset's columns, as far as the
/// rows can be cast to them.
///
/// Columns of the same name belong together, in order where several have one name. Where no cast
/// leads to the dataset's type, or the cast would give values another meaning, the column keeps its
/// type, and the append fails by the difference.
///
/// @param schema the columns of the rows, whose dictionaries have numbers of their own
/// @param names of the columns that have the dataset's types
public record AppendedTypes(Schema schema, Set<String> names) {

  public AppendedTypes {
    names = Set.copyOf(names);
  }

  /// @param read the schema of the rows as they are read, without dictionaries, with their names
  /// @param own the schema that the rows have without a dataset, of as many columns
  /// @param stored the schema of the dataset
  public static AppendedTypes of(Schema read, Schema own, Schema stored) {
    Map<String, Deque<Field>> storedByName = new HashMap<>();
    stored
        .fields()
        .forEach(field ->
            storedByName.computeIfAbsent(field.name(), _ -> new ArrayDeque<>()).add(field));
    Dictionaries dictionaries = new Dictionaries();
    List<Field> fields = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < read.fields().size(); i++) {
      Deque<Field> named = storedByName.get(own.fields().get(i).name());
      Field target = named == null ? null : named.poll();
      Field field = own.fields().get(i);
      if (target != null && casts(read.fields().get(i), target)) {
        field = target;
        names.add(target.name());
      }
      fields.add(dictionaries.numbered(field));
    }
    return new AppendedTypes(own.withFields(fields), names);
  }

  private static boolean casts(Field read, Field stored) {
    return Casts.of(read, stored) != null && hasSameMeaning(read, stored);
  }

  /// Returns whether values keep their meaning: integers do not become durations, texts not
  /// numbers, times of day do not become instants, and fields of structs keep their names.
  private static boolean hasSameMeaning(Field read, Field stored) {
    switch (stored.type()) {
      case ArrowType.Duration _ -> {
        return read.type() instanceof ArrowType.Duration;
      }
      case ArrowType.Timestamp(_, var zone) -> {
        return read.type() instanceof ArrowType.Timestamp(_, var other)
            && isZoned(zone) == isZoned(other);
      }
      case ArrowType.Int _ -> {
        return read.type() instanceof ArrowType.Int;
      }
      case ArrowType.Null() -> {
        return true;
      }
      case ArrowType.RunEndEncoded() -> {
        return hasSameMeaning(read, stored.children().getLast());
      }
      default -> {}
    }
    for (int i = 0; i < read.children().size(); i++) {
      Field child = read.children().get(i);
      Field other = stored.children().get(i);
      if (read.type() instanceof ArrowType.Struct && !child.name().equals(other.name())
          || !(read.type() instanceof ArrowType.Map
              ? hasSameEntries(child, other)
              : hasSameMeaning(child, other))) {
        return false;
      }
    }
    return true;
  }

  /// The names of a map's entries are not data.
  private static boolean hasSameEntries(Field read, Field stored) {
    return hasSameMeaning(read.children().getFirst(), stored.children().getFirst())
        && hasSameMeaning(read.children().getLast(), stored.children().getLast());
  }

  private static boolean isZoned(@Nullable String zone) {
    return zone != null && !zone.isEmpty();
  }

  /// Numbers of dictionaries, in order.
  private static final class Dictionaries {

    private long count;

    Field numbered(Field field) {
      return field.withDictionaries(
          encoding -> new DictionaryEncoding(count++, encoding.indexType(), /* ordered= */ false));
    }
  }
}
