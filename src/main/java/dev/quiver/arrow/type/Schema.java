package dev.quiver.arrow.type;

import java.util.List;

/// The columns of a record batch, and the properties shared by all batches of a stream or file.
///
/// @param endianness the byte order of bodies
/// @param features the features that the writer declared, usually none
public record Schema(
    List<Field> fields, Metadata metadata, Endianness endianness, List<Feature> features) {

  public Schema {
    fields = List.copyOf(fields);
    features = List.copyOf(features);
  }

  /// Returns a little-endian schema without metadata.
  public static Schema of(Field... fields) {
    return new Schema(List.of(fields), Metadata.EMPTY, Endianness.LITTLE, List.of());
  }

  public Schema withEndianness(Endianness newEndianness) {
    return new Schema(fields, metadata, newEndianness, features);
  }

  public Schema withFields(List<Field> newFields) {
    return new Schema(newFields, metadata, endianness, features);
  }

  public Schema withMetadata(Metadata newMetadata) {
    return new Schema(fields, newMetadata, endianness, features);
  }
}
