package dev.quiver.arrow.memory;

/// The limits on an Arrow input. The configuration names each by its key.
///
/// @param metadataBytes flatbuffer metadata of one message, or a footer
/// @param bodyBytes the body of one message
/// @param batchRows rows of one record batch
/// @param fields fields of a schema, children included
/// @param depth nesting levels of a field
/// @param dictionaryBytes one dictionary, decompressed
/// @param decompressionRatio maximum decompressed bytes per compressed byte. It applies to a buffer
///   above the size that the schema can require, and to all bodies of an input above a moderate
///   total. It also bounds the cost of overlapping buffers and dictionaries per uploaded byte.
/// @param uploadBatches record batches of one upload
public record Limits(
    Limit metadataBytes,
    Limit bodyBytes,
    Limit batchRows,
    Limit fields,
    Limit depth,
    Limit dictionaryBytes,
    Limit decompressionRatio,
    Limit uploadBatches) {

  /// The defaults, which `src/docs/configuration.md` lists.
  public static final Limits DEFAULT =
      of(64L << 20, 16L << 30, Integer.MAX_VALUE, 100_000, 64, 1L << 30, 1_000, 1_000_000);

  /// The limits on data that was accepted before, within the limits of its time.
  public static final Limits ACCEPTED =
      of(
          Long.MAX_VALUE,
          Long.MAX_VALUE,
          Long.MAX_VALUE,
          Long.MAX_VALUE,
          1000,
          Long.MAX_VALUE,
          Long.MAX_VALUE,
          Long.MAX_VALUE);

  /// Returns limits with these maxima, named without a configuration, in component order.
  public static Limits of(
      long metadataBytes,
      long bodyBytes,
      long batchRows,
      long fields,
      long depth,
      long dictionaryBytes,
      long decompressionRatio,
      long uploadBatches) {
    return new Limits(
        new Limit("metadata-bytes", metadataBytes),
        new Limit("body-bytes", bodyBytes),
        new Limit("batch-rows", batchRows),
        new Limit("schema-fields", fields),
        new Limit("schema-depth-levels", depth),
        new Limit("dictionary-bytes", dictionaryBytes),
        new Limit("decompression-ratio", decompressionRatio),
        new Limit("upload-batches", uploadBatches));
  }
}
