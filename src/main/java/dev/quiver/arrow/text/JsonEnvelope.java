package dev.quiver.arrow.text;

import dev.quiver.arrow.type.Field;
import java.io.IOException;
import java.util.List;

/// An object around the rows of a JSON document. The number of rows follows them, since a stream
/// does not know it before.
///
/// ```text
/// Envelope → { "columns": [ Column, … ], "data": [ Row, … ], "rows": number }
/// Column   → { "name": text, "type": text }
/// ```
///
/// A column has the name of its member in the rows, and the type as [Field#describeType] tells it.
final class JsonEnvelope {

  private JsonEnvelope() {}

  /// Writes the text before the rows.
  static void open(List<Field> fields, TextOutput output) throws IOException {
    output.put("{\"columns\":[");
    int index = 0;
    for (String name : UniqueNames.distinct(fields)) {
      output.put(index == 0 ? "{\"name\":" : ",{\"name\":");
      put(name, output);
      output.put(",\"type\":");
      put(fields.get(index).describeType(), output);
      output.put("}");
      index++;
    }
    output.put("],\"data\":[");
  }

  /// Writes the text after the rows.
  static void close(long rowCount, TextOutput output) throws IOException {
    output.put(rowCount == 0 ? "],\"rows\":" : "\n],\"rows\":");
    output.putInteger(rowCount);
    output.put("}\n");
  }

  private static void put(String text, TextOutput output) throws IOException {
    byte[] string = JsonStrings.PLAIN.bytes(text);
    output.put(string, 0, string.length);
  }
}
