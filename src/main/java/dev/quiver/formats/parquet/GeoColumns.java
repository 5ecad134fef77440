package dev.quiver.formats.parquet;

import dev.quiver.arrow.memory.ByteString;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

/// The columns that the metadata of GeoParquet describes: the names within `columns` of a JSON
/// object.
///
/// [File metadata](https://geoparquet.org/releases/v1.1.0/)
final class GeoColumns {

  /// The key of the footer.
  static final String KEY = "geo";

  private static final String COLUMNS = "columns";
  private static final JsonFactory JSON = new JsonFactory();

  private GeoColumns() {}

  /// Returns whether all described columns are among those of a file. Other text describes none.
  ///
  /// @param value of [#KEY]
  static boolean areAmong(ByteString value, Set<String> names) {
    try (JsonParser parser = JSON.createParser(value.toByteArray())) {
      return names.containsAll(names(parser));
    } catch (JacksonException e) {
      return true;
    }
  }

  private static Set<String> names(JsonParser parser) {
    Set<String> names = new HashSet<>();
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return names;
    }
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      boolean isColumns = parser.currentName().equals(COLUMNS);
      if (parser.nextToken() == JsonToken.START_OBJECT && isColumns) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          names.add(parser.currentName());
          parser.nextToken();
          parser.skipChildren();
        }
      } else {
        parser.skipChildren();
      }
    }
    return names;
  }
}
