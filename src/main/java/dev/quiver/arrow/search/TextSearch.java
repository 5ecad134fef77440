package dev.quiver.arrow.search;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/// A search for the rows of a version that have a literal in any of their texts, after full case
/// folding of both.
///
/// Texts are those of `utf8`, `large_utf8` and `utf8_view`, with JSON as it is stored, and of
/// UUIDs. They may be in dictionaries, in runs, and at any depth of structs, lists and maps. A
/// value below a null is not there. Unions are not searched.
///
/// Shared by threads, each of which has a [RowSearch].
public final class TextSearch {

  private final FoldedLiteral literal;
  private final int[] columns;

  /// The slots with the literal, a bit each, by the id of a dictionary.
  private final Map<Long, long[]> dictionaries = new HashMap<>();

  private TextSearch(FoldedLiteral literal, int[] columns) {
    this.literal = literal;
    this.columns = columns;
  }

  /// @param literal at least one character
  /// @param schema of the version
  public static TextSearch of(String literal, Schema schema) {
    List<Field> fields = schema.fields();
    int[] columns = IntStream.range(0, fields.size()).filter(i -> hasText(fields.get(i))).toArray();
    return new TextSearch(new FoldedLiteral(literal), columns);
  }

  /// Returns whether a field has texts that are searched.
  static boolean hasText(Field field) {
    return isText(field)
        || !(field.type() instanceof ArrowType.Union)
            && field.children().stream().anyMatch(TextSearch::hasText);
  }

  /// Returns whether the values of a field are texts.
  static boolean isText(Field field) {
    return field.type() instanceof ArrowType.Text || field.isUuid();
  }

  /// Returns the indices of the columns that are searched, in ascending order.
  public int[] columns() {
    return columns.clone();
  }

  /// Returns the approximate heap that the search of a batch takes at most: a bit for each row, and
  /// two for each value of a dictionary, item of a list and run.
  ///
  /// @param batch the [#columns] of a batch
  public static long heapByteSize(RecordBatch batch) {
    long bits = batch.length();
    for (ArrayData column : batch.columns()) {
      bits += bits(column);
    }
    return bits / Byte.SIZE;
  }

  private static long bits(ArrayData array) {
    ArrayData dictionary = array.dictionary();
    if (dictionary != null) {
      return 2 * dictionary.length() + bits(dictionary);
    }
    boolean isStruct = array.field().type() instanceof ArrowType.Struct;
    long bits = 0;
    for (ArrayData child : array.children()) {
      bits += (isStruct ? 0 : 2 * child.length()) + bits(child);
    }
    return bits;
  }

  /// Returns a search for one thread.
  ///
  /// @param check runs now and then, also within a dictionary, and throws if the search is to end
  public RowSearch rows(Runnable check) {
    return new RowSearch(this, new TextScanner(literal, check));
  }

  /// Returns the slots of a dictionary with the literal, which the first caller finds.
  synchronized long[] dictionary(long id, Function<Long, long[]> search) {
    long[] present = dictionaries.get(id);
    if (present == null) {
      present = search.apply(id);
      dictionaries.put(id, present);
    }
    return present;
  }
}
