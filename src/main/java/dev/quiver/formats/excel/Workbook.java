package dev.quiver.formats.excel;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.excel.PackageParts.Relationship;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A workbook (Office Open XML, ECMA-376), transitional or strict, whose shared texts are all in
/// memory. A process of its own, whose memory is limited, reads it.
public final class Workbook {

  private static final int SHEET_COUNT_MAXIMUM = 1_000;
  private static final int SHEET_NAME_LENGTH_MAXIMUM = 255;
  private static final String VISIBLE = "visible";

  private final PackageParts parts;
  private final List<Sheet> sheets = new ArrayList<>();
  private boolean is1904;
  private SheetTexts texts = SheetTexts.NONE;
  private CellStyles styles = CellStyles.NONE;

  private Workbook(PackageParts parts) {
    this.parts = parts;
  }

  /// A sheet with cells, rather than a chart.
  ///
  /// @param part that of its rows
  private record Sheet(String name, boolean isVisible, String part) {}

  /// Writes a sheet of a workbook as lines of TSV, and what [SheetSummary] tells of it.
  ///
  /// @param sheet its name or its number, counted from 1; null for the first visible one with cells
  /// @param nulls texts that stand for missing values
  /// @param inflated bytes to which the parts that are read inflate
  /// @param checkpoint throws an exception if reading is to end
  /// @throws ForeignDataException if the file is no workbook that can be read
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if its parts inflate to more
  public static void write(
      Path file,
      @Nullable String sheet,
      Set<String> nulls,
      Limit inflated,
      ByteSink sink,
      Runnable checkpoint)
      throws IOException {
    try (PackageParts parts = PackageParts.open(file, inflated, checkpoint)) {
      Workbook workbook = new Workbook(parts);
      workbook.read();
      workbook.write(sheet, nulls, sink);
    }
  }

  /// Reads everything but the sheets.
  private void read() throws IOException {
    String main = PackageParts.part(parts.relationships(""), "officeDocument");
    if (main == null) {
      throw PackageParts.other(
          parts.has("content.xml") ? "an OpenDocument file" : "another document or archive");
    }
    if (main.endsWith(".bin")) {
      throw PackageParts.other("a binary one (.xlsb)");
    }
    List<Relationship> relationships = parts.relationships(main);
    try (XmlPart xml = parts.open(main)) {
      if (!xml.isAt("workbook")) {
        throw PackageParts.other("another document");
      }
      while (xml.nextChild()) {
        switch (xml.element()) {
          case "workbookPr" -> {
            is1904 = Set.of("1", "true", "on").contains(String.valueOf(xml.attribute("date1904")));
            xml.skip();
          }
          case "sheets" -> readSheets(xml, relationships);
          default -> xml.skip();
        }
      }
      xml.finish();
    }
    String stylesPart = PackageParts.part(relationships, "styles");
    if (stylesPart != null && parts.has(stylesPart)) {
      try (XmlPart xml = parts.open(stylesPart)) {
        styles = CellStyles.read(xml);
      }
    }
    String textsPart = PackageParts.part(relationships, "sharedStrings");
    if (textsPart != null && parts.has(textsPart)) {
      try (XmlPart xml = parts.open(textsPart)) {
        texts = SheetTexts.read(xml);
      }
    }
  }

  private void readSheets(XmlPart xml, List<Relationship> relationships) {
    while (xml.nextChild("sheet")) {
      String name = String.valueOf(xml.attribute("name"));
      String id = String.valueOf(xml.relationshipId());
      String state = xml.attribute("state");
      xml.skip();
      if (name.length() > SHEET_NAME_LENGTH_MAXIMUM) {
        throw ForeignDataException.of(
            "Expected names of sheets of at most %d characters but found %d"
                .formatted(SHEET_NAME_LENGTH_MAXIMUM, name.length()));
      }
      Relationship target =
          relationships.stream().filter(each -> each.id().equals(id)).findFirst().orElse(null);
      if (target == null) {
        throw PackageParts.unreadable("its sheet \"%s\" has no part".formatted(name));
      }
      if (target.type().equals("worksheet")) {
        sheets.add(new Sheet(name, state == null || state.equals(VISIBLE), target.part()));
      }
      if (sheets.size() > SHEET_COUNT_MAXIMUM) {
        throw ForeignDataException.of(
            "Expected at most %,d sheets but found more".formatted(SHEET_COUNT_MAXIMUM));
      }
    }
  }

  private void write(@Nullable String wanted, Set<String> nulls, ByteSink sink) throws IOException {
    List<String> names = sheets.stream().map(Sheet::name).toList();
    Sheet sheet = wanted == null ? firstWithCells() : find(wanted, names);
    SheetWriter writer = new SheetWriter(sink, styles, is1904, nulls);
    if (sheet != null) {
      try (SheetReader cells = open(sheet)) {
        while (cells.next()) {
          writer.add(cells);
        }
        cells.finish();
      }
    }
    writer.finish(names, sheet == null ? null : sheet.name());
  }

  private SheetReader open(Sheet sheet) throws IOException {
    return new SheetReader(parts.open(sheet.part()), texts);
  }

  private @Nullable Sheet find(String wanted, List<String> names) {
    int index = names.indexOf(wanted);
    if (index < 0 && wanted.matches("[1-9]\\d{0,8}")) {
      index = Integer.parseInt(wanted) - 1;
    }
    return index >= 0 && index < sheets.size() ? sheets.get(index) : null;
  }

  /// Returns the first visible sheet that has a cell with a value, or else the first sheet, or null
  /// without any.
  private @Nullable Sheet firstWithCells() throws IOException {
    for (Sheet sheet : sheets) {
      if (sheet.isVisible() && hasCells(sheet)) {
        return sheet;
      }
    }
    return sheets.isEmpty() ? null : sheets.getFirst();
  }

  private boolean hasCells(Sheet sheet) throws IOException {
    try (SheetReader cells = open(sheet)) {
      while (cells.next()) {
        if (!cells.text().isEmpty()) {
          return true;
        }
      }
      return false;
    }
  }
}
