package dev.quiver.store.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The requested columns and rows of a version.
///
/// @param columns comma-separated lists in the syntax of [dev.quiver.arrow.transform.Projection];
///   empty for all columns
/// @param offset the number of rows to skip; if negative, the first row counted from the end, such
///   as -100 for the last hundred
/// @param limit the maximum number of rows
/// @param sample the maximum number of rows to keep of these, spread evenly; null for all
/// @param dictionaries the values that dictionaries have
/// @param matches the rows among which `numbers` count; null for all
/// @param numbers the rows among which `offset`, `limit` and `sample` count, all within `matches`;
///   null for all of those
public record Selection(
    List<String> columns,
    long offset,
    long limit,
    @Nullable Integer sample,
    DictionaryValues dictionaries,
    @Nullable RowMatches matches,
    @Nullable RowNumbers numbers) {

  /// All columns and rows.
  public static final Selection ALL = new Selection(List.of(), 0, Long.MAX_VALUE);

  public Selection {
    columns = List.copyOf(columns);
    if (limit < 0 || sample != null && sample < 0) {
      throw new IllegalArgumentException(
          "Expected 0 or more but found limit %d and sample %d".formatted(limit, sample));
    }
  }

  /// A selection among all rows.
  public Selection(
      List<String> columns,
      long offset,
      long limit,
      @Nullable Integer sample,
      DictionaryValues dictionaries) {
    this(columns, offset, limit, sample, dictionaries, /* matches= */ null, /* numbers= */ null);
  }

  /// A selection with whole dictionaries.
  public Selection(List<String> columns, long offset, long limit, @Nullable Integer sample) {
    this(columns, offset, limit, sample, DictionaryValues.ALL);
  }

  public Selection(List<String> columns, long offset, long limit) {
    this(columns, offset, limit, null);
  }

  /// Returns the number of first rows of the version that the selection needs, or [Long#MAX_VALUE]
  /// if it may need all.
  public long firstRows() {
    boolean isStart = offset >= 0 && sample == null && matches == null && numbers == null;
    return isStart && limit < Long.MAX_VALUE - offset ? offset + limit : Long.MAX_VALUE;
  }

  /// Returns a selection of the same columns among some rows.
  public Selection among(RowMatches rows) {
    return new Selection(columns, offset, limit, sample, dictionaries, rows, numbers);
  }

  /// Returns a selection of the same columns among chosen rows.
  public Selection choosing(@Nullable RowNumbers chosen) {
    return new Selection(columns, offset, limit, sample, dictionaries, matches, chosen);
  }

  /// Returns a selection of other ones among the same rows.
  public Selection window(long first, long count) {
    return new Selection(columns, first, count, null, dictionaries, matches, numbers);
  }
}
