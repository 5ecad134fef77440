package dev.quiver.web;

import dev.quiver.render.Numbers;
import dev.quiver.render.Renderer;
import dev.quiver.render.TextFormat;
import java.util.Locale;

/// The representations that are rendered row by row.
enum RowsFormat implements DatasetFormat {
  JSON(".json", "application/json", TextFormat.JSON, "inline"),
  JSON_LINES(".jsonl", "application/x-ndjson", TextFormat.JSON_LINES, "inline"),
  CSV(".csv", "text/csv; charset=utf-8; header=present", TextFormat.CSV, "attachment");

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

  TextFormat text() {
    return text;
  }

  /// Whether browsers show it or save it.
  String disposition() {
    return disposition;
  }

  /// The variant of the entity tag: no two texts that differ have the same.
  String variant(Numbers numbers) {
    return "%s-%d-%s"
        .formatted(
            suffix.substring(1), Renderer.FORMAT_NUMBER, numbers.name().toLowerCase(Locale.ROOT));
  }
}
