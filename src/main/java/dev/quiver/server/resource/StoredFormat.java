package dev.quiver.server.resource;

import dev.quiver.server.http.MediaTypes;
import dev.quiver.server.http.TagVariant;

/// The two stored formats: a suffix, a media type and a variant of the entity tag.
public enum StoredFormat implements StreamedFormat {
  FILE(".arrow", MediaTypes.ARROW_FILE),
  STREAM(".arrows", MediaTypes.ARROW_STREAM);

  private final String suffix;
  private final String mediaType;

  StoredFormat(String suffix, String mediaType) {
    this.suffix = suffix;
    this.mediaType = mediaType;
  }

  @Override
  public String suffix() {
    return suffix;
  }

  @Override
  public String mediaType() {
    return mediaType;
  }

  /// Returns the variant of the stored bytes.
  public TagVariant storedVariant() {
    return this == FILE ? TagVariant.STORED_FILE : variant();
  }

  /// Returns the variant from which those of selected and recompressed bytes are derived.
  public TagVariant variant() {
    return TagVariant.of(suffix.substring(1));
  }
}
