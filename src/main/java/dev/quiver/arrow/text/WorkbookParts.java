package dev.quiver.arrow.text;

import java.util.Locale;
import java.util.stream.Collectors;

/// The parts of a workbook with one worksheet, but the worksheet itself: ECMA-376 part 1 §12.
final class WorkbookParts {

  static final String SHEET_NAME = "xl/worksheets/sheet1.xml";

  private static final String XML =
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
  private static final String MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  private static final String RELATIONSHIPS =
      "http://schemas.openxmlformats.org/package/2006/relationships";
  private static final String TYPES =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  private static final String SPREADSHEET =
      "application/vnd.openxmlformats-officedocument.spreadsheetml.";

  /// The start of the worksheet: its first row stays in sight.
  static final String SHEET_START =
      XML
          + "<worksheet xmlns=\"%s\"><sheetViews><sheetView workbookViewId=\"0\">".formatted(MAIN)
          + "<pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" state=\"frozen\"/>"
          + "<selection pane=\"bottomLeft\"/></sheetView></sheetViews>"
          + "<sheetFormatPr defaultRowHeight=\"15\"/>";

  /// The index of the style of names.
  static final int NAME_STYLE = SheetFormat.ALL.size();

  private static final int SHEET_NAME_LENGTH_MAX = 31;

  /// The codes of formats of users start here: ECMA-376 part 1 §18.8.30.
  private static final int FIRST_FORMAT = 164;

  private WorkbookParts() {}

  /// Returns the media types of the parts, which comes first in a workbook.
  static String contentTypes() {
    return XML
        + "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
        + "<Default Extension=\"rels\""
        + " ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
        + type("/xl/workbook.xml", "sheet.main")
        + type("/" + SHEET_NAME, "worksheet")
        + type("/xl/styles.xml", "styles")
        + "</Types>";
  }

  private static String type(String part, String kind) {
    return "<Override PartName=\"%s\" ContentType=\"%s%s+xml\"/>"
        .formatted(part, SPREADSHEET, kind);
  }

  /// Returns the relationship to the workbook.
  static String packageRelationships() {
    return relationships(relationship(1, "officeDocument", "xl/workbook.xml"));
  }

  /// Returns the relationships of the workbook.
  static String workbookRelationships() {
    return relationships(
        relationship(1, "worksheet", "worksheets/sheet1.xml")
            + relationship(2, "styles", "styles.xml"));
  }

  private static String relationships(String content) {
    return XML + "<Relationships xmlns=\"%s\">%s</Relationships>".formatted(RELATIONSHIPS, content);
  }

  private static String relationship(int id, String kind, String target) {
    return "<Relationship Id=\"rId%d\" Type=\"%s/%s\" Target=\"%s\"/>"
        .formatted(id, TYPES, kind, target);
  }

  /// Returns the list of worksheets.
  ///
  /// @param name letters, digits and `._-`
  /// @param filter the range with the filter, such as `$A$1:$C$7`, or an empty text for none
  static String workbook(String name, String filter) {
    String sheet = sheetName(name);
    String names =
        filter.isEmpty()
            ? ""
            : "<definedNames><definedName name=\"_xlnm._FilterDatabase\" localSheetId=\"0\""
                + " hidden=\"1\">'%s'!%s</definedName></definedNames>".formatted(sheet, filter);
    return XML
        + "<workbook xmlns=\"%s\" xmlns:r=\"%s\">".formatted(MAIN, TYPES)
        + "<workbookPr/><sheets><sheet name=\"%s\" sheetId=\"1\" r:id=\"rId1\"/></sheets>"
            .formatted(sheet)
        + names
        + "</workbook>";
  }

  /// Returns the name of the worksheet, which has few characters and is not that of a worksheet of
  /// Excel's own.
  private static String sheetName(String name) {
    if (name.toLowerCase(Locale.ROOT).equals("history")) {
      return name + "_";
    }
    return name.substring(0, Math.min(name.length(), SHEET_NAME_LENGTH_MAX));
  }

  /// Returns the styles: those of [SheetFormat#ALL], then that of names.
  static String styles() {
    String formats =
        SheetFormat.ALL.stream()
            .filter(format -> id(format) > 0)
            .map(format ->
                "<numFmt numFmtId=\"%d\" formatCode=\"%s\"/>"
                    .formatted(id(format), format.code().replace("\"", "&quot;")))
            .collect(Collectors.joining());
    String styles =
        SheetFormat.ALL.stream()
            .map(format -> style(id(format), 0, " applyNumberFormat=\"1\""))
            .collect(Collectors.joining());
    return XML
        + "<styleSheet xmlns=\"%s\">".formatted(MAIN)
        + "<numFmts>"
        + formats
        + "</numFmts>"
        + counted("fonts", 2, font("") + font("<b/>"))
        + counted(
            "fills",
            2,
            "<fill><patternFill patternType=\"none\"/></fill>"
                + "<fill><patternFill patternType=\"gray125\"/></fill>")
        + counted("borders", 1, "<border><left/><right/><top/><bottom/><diagonal/></border>")
        + counted(
            "cellStyleXfs", 1, "<xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/>")
        + counted("cellXfs", SheetFormat.ALL.size() + 1, styles + style(0, 1, " applyFont=\"1\""))
        + counted("cellStyles", 1, "<cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/>")
        + "</styleSheet>";
  }

  private static int id(SheetFormat format) {
    return format.code().equals(SheetFormat.GENERAL.code())
        ? 0
        : FIRST_FORMAT + SheetFormat.ALL.indexOf(format);
  }

  private static String counted(String element, int count, String content) {
    return "<%1$s count=\"%2$d\">%3$s</%1$s>".formatted(element, count, content);
  }

  private static String font(String properties) {
    return "<font>%s<sz val=\"11\"/><name val=\"Calibri\"/><family val=\"2\"/></font>"
        .formatted(properties);
  }

  private static String style(int format, int font, String applied) {
    return "<xf numFmtId=\"%d\" fontId=\"%d\" fillId=\"0\" borderId=\"0\" xfId=\"0\"%s/>"
        .formatted(format, font, applied);
  }
}
