package dev.quiver.formats.excel;

import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The formats of numbers by the styles of cells (ECMA-376, part 1, §18.8).
///
/// @param formats by the index of the style
record CellStyles(List<NumberFormat> formats) {

  static final CellStyles NONE = new CellStyles(List.of());

  private static final int STYLE_COUNT_MAXIMUM = 1 << 16;

  /// Reads the part of the styles.
  ///
  /// @throws ForeignDataException if there are more than a workbook has
  static CellStyles read(XmlPart xml) throws IOException {
    Map<String, String> codes = new HashMap<>();
    List<String> ids = new ArrayList<>();
    while (xml.nextChild()) {
      switch (xml.element()) {
        case "numFmts" -> readCodes(xml, codes);
        case "cellXfs" -> readStyles(xml, ids);
        default -> xml.skip();
      }
    }
    xml.finish();
    Map<String, NumberFormat> formats = new HashMap<>();
    return new CellStyles(
        ids.stream()
            .map(id -> formats.computeIfAbsent(id, each -> format(each, codes.get(each))))
            .toList());
  }

  private static NumberFormat format(String id, @Nullable String code) {
    if (code != null) {
      return NumberFormat.ofCode(code);
    }
    return id.matches("\\d{1,9}") ? NumberFormat.ofId(Integer.parseInt(id)) : NumberFormat.NUMBER;
  }

  private static void readCodes(XmlPart xml, Map<String, String> codes) {
    while (xml.nextChild("numFmt")) {
      String id = xml.attribute("numFmtId");
      String code = xml.attribute("formatCode");
      if (id != null && code != null) {
        codes.put(id.strip(), code);
      }
      requireCount(codes.size());
      xml.skip();
    }
  }

  private static void readStyles(XmlPart xml, List<String> ids) {
    while (xml.nextChild("xf")) {
      String id = xml.attribute("numFmtId");
      ids.add(id == null ? "0" : id.strip());
      requireCount(ids.size());
      xml.skip();
    }
  }

  private static void requireCount(int count) {
    if (count > STYLE_COUNT_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected at most %,d styles in a workbook but found more"
              .formatted(STYLE_COUNT_MAXIMUM));
    }
  }

  /// Returns the format of a style, or null if the workbook lacks the style.
  @Nullable NumberFormat format(int style) {
    return style < formats.size() ? formats.get(style) : null;
  }
}
