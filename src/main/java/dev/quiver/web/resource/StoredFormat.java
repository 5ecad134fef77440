package dev.quiver.web.resource;

import dev.quiver.web.http.MediaTypes;
import org.jspecify.annotations.Nullable;

/// The two representations that are stored: a suffix, a media type and a variant of the entity tag.
public enum StoredFormat implements DatasetFormat {
  FILE(".arrow", MediaTypes.ARROW_FILE, null),
  STREAM(".arrows", MediaTypes.ARROW_STREAM, "arrows");

  private final String suffix;
  private final String mediaType;
  private final @Nullable String variant;

  StoredFormat(String suffix, String mediaType, @Nullable String variant) {
    this.suffix = suffix;
    this.mediaType = mediaType;
    this.variant = variant;
  }

  @Override
  public String suffix() {
    return suffix;
  }

  @Override
  public String mediaType() {
    return mediaType;
  }

  public @Nullable String variant() {
    return variant;
  }
}
