package dev.quiver.columnar;

import java.util.List;

/// The columns of a record batch, and what holds for all batches of a stream or file.
///
/// @param endianness the byte order of bodies
/// @param features what the writer announced; most announce nothing
public record Schema(
    List<Field> fields, Metadata metadata, Endianness endianness, List<Feature> features) {

  public Schema {
    fields = List.copyOf(fields);
    features = List.copyOf(features);
  }

  /// A little-endian schema without metadata.
  public static Schema of(Field... fields) {
    return new Schema(List.of(fields), Metadata.EMPTY, Endianness.LITTLE, List.of());
  }

  public Schema withEndianness(Endianness newEndianness) {
    return new Schema(fields, metadata, newEndianness, features);
  }

  public Schema withMetadata(Metadata newMetadata) {
    return new Schema(fields, newMetadata, endianness, features);
  }
}
