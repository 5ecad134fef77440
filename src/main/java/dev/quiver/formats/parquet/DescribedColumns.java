package dev.quiver.formats.parquet;

import dev.quiver.arrow.memory.ByteString;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

/// The columns that a key of a footer describes in JSON: an object of which one member has them, as
/// the members of an object or as an array of objects with their names.
///
/// * [GeoParquet](https://geoparquet.org/releases/v1.1.0/): `geo`
/// * [pandas](https://pandas.pydata.org/docs/development/developer.html): `pandas`
/// * Spark, Avro and Iceberg: the schema of the rows
///
/// Readers of the first two look at the columns that they know. Those of the others take the schema
/// for that of the file.
public enum DescribedColumns {
  GEO("geo", "columns", /* isWhole= */ false),
  PANDAS("pandas", "columns", /* isWhole= */ false),
  SPARK("org.apache.spark.sql.parquet.row.metadata", "fields", /* isWhole= */ true),
  AVRO("parquet.avro.schema", "fields", /* isWhole= */ true),
  OLD_AVRO("avro.schema", "fields", /* isWhole= */ true),
  ICEBERG("iceberg.schema", "fields", /* isWhole= */ true);

  private static final JsonFactory JSON = new JsonFactory();

  private final String key;
  private final String member;
  private final boolean isWhole;

  /// @param member has the columns
  /// @param isWhole whether readers take the columns for all of the file
  DescribedColumns(String key, String member, boolean isWhole) {
    this.key = key;
    this.member = member;
    this.isWhole = isWhole;
  }

  /// Returns the description that is the value of a key, or null if none.
  public static @Nullable DescribedColumns of(String key) {
    for (DescribedColumns described : values()) {
      if (described.key.equals(key)) {
        return described;
      }
    }
    return null;
  }

  /// Returns whether readers take the columns for all of the file, with the types that it states.
  boolean isWhole() {
    return isWhole;
  }

  /// Returns whether a file has the described columns and, if readers take them for all, no others.
  /// Text that is not a description describes none, and is right.
  ///
  /// @param value of the key
  /// @param written the names of the columns of the file
  public boolean areRight(ByteString value, Set<String> written) {
    try (JsonParser parser = JSON.createParser(value.toByteArray())) {
      Set<String> names = names(parser);
      return names.isEmpty() || (isWhole ? names.equals(written) : written.containsAll(names));
    } catch (JacksonException e) {
      return true;
    }
  }

  private Set<String> names(JsonParser parser) {
    Set<String> names = new HashSet<>();
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return names;
    }
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      boolean hasColumns = parser.currentName().equals(member);
      JsonToken value = parser.nextToken();
      if (hasColumns && value == JsonToken.START_OBJECT) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          names.add(parser.currentName());
          parser.nextToken();
          parser.skipChildren();
        }
      } else if (hasColumns && value == JsonToken.START_ARRAY) {
        addElements(parser, names);
      } else {
        parser.skipChildren();
      }
    }
    return names;
  }

  private static void addElements(JsonParser parser, Set<String> names) {
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      String name = parser.currentToken() == JsonToken.START_OBJECT ? name(parser) : null;
      if (name != null) {
        names.add(name);
      }
    }
  }

  /// Returns the name of a column. For pandas, `field_name` is that in the file.
  private static @Nullable String name(JsonParser parser) {
    String name = null;
    String fieldName = null;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String property = parser.currentName();
      if (parser.nextToken() != JsonToken.VALUE_STRING) {
        parser.skipChildren();
      } else if (property.equals("name")) {
        name = parser.getString();
      } else if (property.equals("field_name")) {
        fieldName = parser.getString();
      }
    }
    return fieldName == null ? name : fieldName;
  }
}
