package dev.quiver.server.resource;

import dev.quiver.server.http.MediaTypes;

/// Parquet, which a worker writes to a file before it is sent.
public enum ParquetFormat implements DatasetFormat {
  PARQUET;

  @Override
  public String suffix() {
    return ".parquet";
  }

  @Override
  public String mediaType() {
    return MediaTypes.PARQUET;
  }
}
