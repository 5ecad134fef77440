package dev.quiver.arrow.validate;

import static dev.quiver.arrow.validate.Level.DOMAIN;
import static dev.quiver.arrow.validate.Level.LAYOUT;
import static dev.quiver.arrow.validate.Level.OFFSETS;
import static dev.quiver.arrow.validate.Level.VALUES;

import java.net.URI;

/// The rules that valid data satisfies, each stated in the columnar specification.
public enum Rule {
  COLUMN_COUNT(
      LAYOUT, "recordbatch-message", "A record batch has a column for each field of its schema."),
  COLUMN_LENGTH(LAYOUT, "recordbatch-message", "Every column has the length of its record batch."),
  LENGTH(LAYOUT, "array-lengths", "A length is not negative."),
  BUFFER_COUNT(LAYOUT, "buffer-listing-for-each-layout", "An array has the buffers of its layout."),
  CHILD_COUNT(LAYOUT, "physical-memory-layout", "An array has the children of its type."),
  CHILD_TYPE(
      LAYOUT,
      "data-types",
      "The entries of a map are structs of a key and a value, and run ends are signed integers of"
          + " at least 16 bits; neither is dictionary-encoded."),
  NULL_COUNT_RANGE(LAYOUT, "null-count", "A null count is from 0 to the length, or -1 if unknown."),
  NULL_COUNT_OF_NULLS(LAYOUT, "null-layout", "All slots of a null array are null."),
  VALIDITY(LAYOUT, "validity-bitmaps", "An array with nulls has a validity buffer."),
  BUFFER_SIZE(
      LAYOUT,
      "buffer-listing-for-each-layout",
      "A buffer has as many elements as the array's length requires."),
  STRUCT_CHILD_LENGTH(
      LAYOUT, "struct-layout", "The children of a struct are at least as long as the struct."),
  UNION_CHILD_LENGTH(
      LAYOUT, "sparse-union", "The children of a sparse union are at least as long as the union."),
  FIXED_SIZE_LIST_CHILD_LENGTH(
      LAYOUT,
      "fixed-size-list-layout",
      "The child of a fixed-size list is long enough for all its lists."),
  RUN_COUNT(LAYOUT, "run-end-encoded-layout", "Every run end has a value."),
  RUN_END_NULL(LAYOUT, "run-end-encoded-layout", "Run ends are not null."),
  DICTIONARY(
      LAYOUT,
      "dictionary-encoded-layout",
      "A dictionary-encoded array has a dictionary, unless all its slots are null."),

  NULL_COUNT(
      OFFSETS, "null-count", "A null count other than 0 is the number of zeros in the validity."),
  OFFSET_FIRST(OFFSETS, "variable-size-binary-layout", "The first offset is not negative."),
  OFFSET_ORDER(OFFSETS, "variable-size-binary-layout", "No offset is less than the previous one."),
  OFFSET_LAST(
      OFFSETS,
      "variable-size-binary-layout",
      "The last offset is at most the size of the data or the length of the child."),
  LIST_VIEW_RANGE(
      OFFSETS, "listview-layout", "The slots of each list view, null or not, are in the child."),
  RUN_END_ORDER(
      OFFSETS,
      "run-end-encoded-layout",
      "Run ends are positive, and each is larger than the previous one."),
  RUN_END_LAST(
      OFFSETS, "run-end-encoded-layout", "The last run ends at or after the array's length."),
  UNION_TYPE_ID(OFFSETS, "union-layout", "Every type id is one of the union's."),
  UNION_OFFSET(
      OFFSETS,
      "dense-union",
      "Every offset of a dense union is in the child that the type id selects."),
  UNION_OFFSET_ORDER(
      OFFSETS, "dense-union", "The offsets of a dense union into one child do not decrease."),

  UTF8(VALUES, "data-types", "Text is UTF-8."),
  VIEW_SIZE(VALUES, "variable-size-binary-view-layout", "The size of a view is not negative."),
  VIEW_PADDING(
      VALUES,
      "variable-size-binary-view-layout",
      "The bytes of a view after an inline value are zero."),
  VIEW_BUFFER_INDEX(
      VALUES,
      "variable-size-binary-view-layout",
      "A view points to one of the array's data buffers."),
  VIEW_RANGE(
      VALUES,
      "variable-size-binary-view-layout",
      "The bytes that a view points to are in the data buffer."),
  VIEW_PREFIX(
      VALUES,
      "variable-size-binary-view-layout",
      "A view repeats the first four bytes that it points to."),
  DICTIONARY_INDEX(
      VALUES, "dictionary-encoded-layout", "Every index that is not null is in the dictionary."),
  MAP_ENTRY_NULL(VALUES, "data-types", "The entries of a map are not null."),
  MAP_KEY_NULL(VALUES, "data-types", "The keys of a map are not null."),

  DECIMAL_PRECISION(DOMAIN, "data-types", "A decimal has no more digits than its precision."),
  DATE_WHOLE_DAYS(DOMAIN, "data-types", "A date in milliseconds is a whole number of days."),
  TIME_OF_DAY(DOMAIN, "data-types", "A time is at least 0 and less than a day."),
  NOT_NULLABLE(
      DOMAIN,
      "schema-message",
      "A non-nullable field has no null slots, except under null parents."),
  CHILD_NULLABLE(
      DOMAIN, "data-types", "The entries and keys of a map, and run ends, are not nullable."),
  TIMEZONE(DOMAIN, "data-types", "A time zone is in the tz database, or is an offset."),
  EXTENSION_STORAGE(
      DOMAIN, "extension-types", "A canonical extension type has its specified storage."),
  EXTENSION_METADATA(
      DOMAIN, "extension-types", "A canonical extension type has its specified metadata.");

  private final Level level;
  private final String section;
  private final String description;

  Rule(Level level, String section, String description) {
    this.level = level;
    this.section = section;
    this.description = description;
  }

  /// Returns the lowest level that checks the rule.
  public Level level() {
    return level;
  }

  /// Returns the URL of the specification's section with the rule.
  public URI link() {
    return URI.create("https://arrow.apache.org/docs/format/Columnar.html#" + section);
  }

  /// Returns the rule as a sentence.
  public String description() {
    return description;
  }
}
