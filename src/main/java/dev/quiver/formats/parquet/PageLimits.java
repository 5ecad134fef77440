package dev.quiver.formats.parquet;

import dev.quiver.arrow.memory.Limit;

/// The limits of [PageMemory].
///
/// @param share bytes that each of the files may take that are read at a time
/// @param whole bytes that one of these files may take, at least as many
public record PageLimits(Limit share, Limit whole) {

  /// Returns the same limit for all files.
  public static PageLimits of(Limit limit) {
    return new PageLimits(limit, limit);
  }
}
