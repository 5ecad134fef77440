package dev.quiver.formats.excel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// A workbook that is written part by part, so that it may have what programs write in different
/// ways, and what none should.
public final class WorkbookFile {

  private static final String SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  private static final String DOCUMENT =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  private static final String PACKAGE =
      "http://schemas.openxmlformats.org/package/2006/relationships";
  private static final String TYPES =
      "http://schemas.openxmlformats.org/package/2006/content-types";
  private static final String TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.";

  private final List<String> names = new ArrayList<>();
  private final List<String> attributes = new ArrayList<>();
  private final Map<String, String> parts = new LinkedHashMap<>();
  private String properties = "";
  private boolean isStrict;

  /// Adds a sheet.
  ///
  /// @param rows the elements `row`
  public WorkbookFile sheet(String name, String rows) {
    return sheet(name, "", rows);
  }

  /// @param attributes of the element `sheet`, such as `state="hidden"`
  WorkbookFile sheet(String name, String stated, String rows) {
    names.add(name);
    attributes.add(stated);
    return part(
        "xl/worksheets/sheet%d.xml".formatted(names.size()),
        "<worksheet xmlns=\"%s\"><sheetData>%s</sheetData></worksheet>".formatted(SHEETS, rows));
  }

  /// Sets the attributes of the element `workbookPr`.
  WorkbookFile properties(String stated) {
    properties = stated;
    return this;
  }

  /// Adds the shared texts.
  ///
  /// @param texts the elements `si`
  WorkbookFile texts(String texts) {
    return part("xl/sharedStrings.xml", "<sst xmlns=\"%s\">%s</sst>".formatted(SHEETS, texts));
  }

  /// Adds formats, of which the first cell format is 1 and has the code of the first.
  WorkbookFile formats(String... codes) {
    StringBuilder formats = new StringBuilder();
    StringBuilder cells = new StringBuilder("<xf numFmtId=\"0\"/>");
    for (int i = 0; i < codes.length; i++) {
      String code = codes[i].replace("&", "&amp;").replace("\"", "&quot;");
      formats.append("<numFmt numFmtId=\"%d\" formatCode=\"%s\"/>".formatted(164 + i, code));
      cells.append("<xf numFmtId=\"%d\"/>".formatted(164 + i));
    }
    return part(
        "xl/styles.xml",
        "<styleSheet xmlns=\"%s\"><numFmts>%s</numFmts><cellXfs>%s</cellXfs></styleSheet>"
            .formatted(SHEETS, formats, cells));
  }

  /// Writes the namespaces of Strict Open XML (ECMA-376, part 1).
  WorkbookFile strict() {
    isStrict = true;
    return this;
  }

  public WorkbookFile part(String name, String content) {
    parts.put(name, content);
    return this;
  }

  public byte[] bytes() throws IOException {
    Path file = Files.createTempFile("workbook", ".xlsx");
    try {
      writeTo(file);
      return Files.readAllBytes(file);
    } finally {
      Files.delete(file);
    }
  }

  public void writeTo(Path file) throws IOException {
    StringBuilder types = new StringBuilder();
    StringBuilder sheets = new StringBuilder();
    StringBuilder relationships = new StringBuilder();
    types.append(type("xl/workbook.xml", "sheet.main+xml"));
    if (parts.containsKey("xl/sharedStrings.xml")) {
      types.append(type("xl/sharedStrings.xml", "sharedStrings+xml"));
    }
    if (parts.containsKey("xl/styles.xml")) {
      types.append(type("xl/styles.xml", "styles+xml"));
    }
    for (int i = 1; i <= names.size(); i++) {
      types.append(type("xl/worksheets/sheet%d.xml".formatted(i), "worksheet+xml"));
      sheets.append(
          "<sheet name=\"%s\" sheetId=\"%d\" %s r:id=\"r%d\"/>"
              .formatted(names.get(i - 1), i, attributes.get(i - 1), i));
      relationships.append(
          relationship("r" + i, "worksheet", "worksheets/sheet%d.xml".formatted(i)));
    }
    relationships.append(relationship("texts", "sharedStrings", "sharedStrings.xml"));
    relationships.append(relationship("styles", "styles", "styles.xml"));
    Map<String, String> all = new LinkedHashMap<>();
    all.put("[Content_Types].xml", "<Types xmlns=\"%s\">%s</Types>".formatted(TYPES, types));
    all.put(
        "_rels/.rels",
        "<Relationships xmlns=\"%s\">%s</Relationships>"
            .formatted(PACKAGE, relationship("r1", "officeDocument", "xl/workbook.xml")));
    all.put(
        "xl/workbook.xml",
        "<workbook xmlns=\"%s\" xmlns:r=\"%s\"><workbookPr %s/><sheets>%s</sheets></workbook>"
            .formatted(SHEETS, DOCUMENT, properties, sheets));
    all.put(
        "xl/_rels/workbook.xml.rels",
        "<Relationships xmlns=\"%s\">%s</Relationships>".formatted(PACKAGE, relationships));
    all.putAll(parts);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, String> part : all.entrySet()) {
        zip.putNextEntry(new ZipEntry(part.getKey()));
        String content =
            isStrict
                ? part.getValue()
                    .replace(SHEETS, "http://purl.oclc.org/ooxml/spreadsheetml/main")
                    .replace(DOCUMENT, "http://purl.oclc.org/ooxml/officeDocument/relationships")
                : part.getValue();
        zip.write(content.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
  }

  private static String relationship(String id, String type, String target) {
    return "<Relationship Id=\"%s\" Type=\"%s/%s\" Target=\"%s\"/>"
        .formatted(id, DOCUMENT, type, target);
  }

  private static String type(String part, String type) {
    return "<Override PartName=\"/%s\" ContentType=\"%s%s\"/>".formatted(part, TYPE, type);
  }

  /// Returns rows from the first one on.
  ///
  /// @param rows the cells of each
  public static String cells(String... rows) {
    StringBuilder elements = new StringBuilder();
    for (int i = 0; i < rows.length; i++) {
      elements.append("<row r=\"%d\">%s</row>".formatted(i + 1, rows[i]));
    }
    return elements.toString();
  }

  /// Returns a cell with a text.
  public static String text(String cell, String text) {
    return "<c r=\"%s\" t=\"inlineStr\"><is><t>%s</t></is></c>".formatted(cell, text);
  }

  /// Returns a cell with a number.
  public static String number(String cell, String number) {
    return "<c r=\"%s\"><v>%s</v></c>".formatted(cell, number);
  }

  /// Returns a cell with a number in a format.
  static String number(String cell, String number, int format) {
    return "<c r=\"%s\" s=\"%d\"><v>%s</v></c>".formatted(cell, format, number);
  }
}
