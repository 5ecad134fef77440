package dev.quiver.formats.parquet.page;

/// The unit of decoding, small enough for the inner caches of a processor.
public final class PageBlock {

  /// The maximum number of slots, a multiple of 64.
  public static final int SLOTS_MAXIMUM = 4096;

  private PageBlock() {}
}
