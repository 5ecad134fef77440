package dev.quiver.web;

import org.jspecify.annotations.Nullable;

/// The two representations that are stored: a suffix, a media type and a variant of the entity tag.
enum StoredFormat implements DatasetFormat {
  FILE(".arrow", ArrowMediaTypes.FILE, null),
  STREAM(".arrows", ArrowMediaTypes.STREAM, "arrows");

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

  @Nullable String variant() {
    return variant;
  }
}
