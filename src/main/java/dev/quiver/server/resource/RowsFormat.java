package dev.quiver.server.resource;

import dev.quiver.arrow.text.TextFormat;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.server.http.MediaTypes;
import dev.quiver.server.http.TagVariant;

/// The formats that are rendered row by row.
public enum RowsFormat implements StreamedFormat {
  JSON(".json", "application/json", TextFormat.JSON, "inline"),
  JSON_LINES(".jsonl", MediaTypes.JSON_LINES, TextFormat.JSON_LINES, "inline"),
  CSV(".csv", "text/csv; charset=utf-8; header=present", TextFormat.CSV, "attachment"),
  TSV(".tsv", "text/tab-separated-values; charset=utf-8", TextFormat.TSV, "attachment");

  private final String suffix;
  private final String mediaType;
  private final TextFormat text;
  private final String disposition;

  RowsFormat(String suffix, String mediaType, TextFormat text, String disposition) {
    this.suffix = suffix;
    this.mediaType = mediaType;
    this.text = text;
    this.disposition = disposition;
  }

  @Override
  public String suffix() {
    return suffix;
  }

  @Override
  public String mediaType() {
    return mediaType;
  }

  public TextFormat text() {
    return text;
  }

  /// Returns whether browsers display the text (`inline`) or save it (`attachment`).
  public String disposition() {
    return disposition;
  }

  public TagVariant variant(TextOptions options) {
    return TagVariant.text(suffix.substring(1), options.numbers().name())
        .cut(options.maxValueByteSize());
  }
}
