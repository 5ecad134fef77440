package dev.quiver.validate;

import static dev.quiver.validate.Level.LAYOUT;
import static dev.quiver.validate.Level.OFFSETS;
import static dev.quiver.validate.Level.VALUES;

/// What valid data keeps to. The columnar specification says each in its own words.
public enum Rule {
  COLUMN_COUNT(LAYOUT, "A record batch has a column for each field of its schema."),
  COLUMN_LENGTH(LAYOUT, "Every column has the length of its record batch."),
  LENGTH(LAYOUT, "A length is not negative."),
  BUFFER_COUNT(LAYOUT, "An array has the buffers of its layout."),
  CHILD_COUNT(LAYOUT, "An array has the children of its type."),
  CHILD_TYPE(
      LAYOUT,
      "The entries of a map are structs of a key and a value, and run ends are signed integers of"
          + " at least 16 bits; neither is dictionary-encoded."),
  NULL_COUNT_RANGE(LAYOUT, "A null count is from 0 to the length, or -1 when it is not known."),
  NULL_COUNT_OF_NULLS(LAYOUT, "All slots of a null array are null."),
  VALIDITY(LAYOUT, "An array with nulls has a validity buffer."),
  BUFFER_SIZE(LAYOUT, "A buffer holds as many elements as the array's length needs."),
  STRUCT_CHILD_LENGTH(LAYOUT, "The children of a struct are at least as long as the struct."),
  UNION_CHILD_LENGTH(LAYOUT, "The children of a sparse union are at least as long as the union."),
  FIXED_SIZE_LIST_CHILD_LENGTH(
      LAYOUT, "The child of a fixed-size list has the slots of all its lists."),
  RUN_COUNT(LAYOUT, "Every run end has a value."),
  RUN_END_NULL(LAYOUT, "Run ends are not null."),
  DICTIONARY(LAYOUT, "A dictionary-encoded array has a dictionary, unless all its slots are null."),

  NULL_COUNT(OFFSETS, "A null count other than 0 is the number of zeros in the validity."),
  OFFSET_FIRST(OFFSETS, "The first offset is not negative."),
  OFFSET_ORDER(OFFSETS, "No offset is less than the one before it."),
  OFFSET_LAST(
      OFFSETS, "The last offset is at most the size of the data or the length of the child."),
  LIST_VIEW_RANGE(OFFSETS, "The slots of each list view, null or not, are in the child."),
  RUN_END_ORDER(OFFSETS, "Run ends are positive, and each is larger than the one before it."),
  RUN_END_LAST(OFFSETS, "The last run ends at the array's length or after it."),
  UNION_TYPE_ID(OFFSETS, "Every type id is one of the union's."),
  UNION_OFFSET(OFFSETS, "Every offset of a dense union is in the child that the type id selects."),
  UNION_OFFSET_ORDER(OFFSETS, "The offsets of a dense union into one child do not decrease."),

  UTF8(VALUES, "Text is UTF-8."),
  VIEW_SIZE(VALUES, "The size of a view is not negative."),
  VIEW_PADDING(VALUES, "The bytes of a view after a value in it are zero."),
  VIEW_BUFFER_INDEX(VALUES, "A view points to one of the array's data buffers."),
  VIEW_RANGE(VALUES, "The bytes that a view points to are in the data buffer."),
  VIEW_PREFIX(VALUES, "A view repeats the first four bytes that it points to."),
  DICTIONARY_INDEX(VALUES, "Every index that is not null is in the dictionary."),
  MAP_ENTRY_NULL(VALUES, "The entries of a map are not null."),
  MAP_KEY_NULL(VALUES, "The keys of a map are not null.");

  private final Level level;
  private final String description;

  Rule(Level level, String description) {
    this.level = level;
    this.description = description;
  }

  /// The level from which on the rule is checked.
  public Level level() {
    return level;
  }

  /// The rule as a sentence.
  public String description() {
    return description;
  }
}
