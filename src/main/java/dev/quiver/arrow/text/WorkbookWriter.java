package dev.quiver.arrow.text;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// A writer of record batches as a workbook of Excel with one worksheet, batch by batch, in
/// constant memory: ECMA-376.
///
/// The first row has the names of the columns. It is bold, stays in sight and has a filter. Equal
/// batches yield equal bytes with the same runtime of Java, whose library compresses them. Batches
/// must be valid, including their dictionaries. Not thread-safe.
///
/// A change of the bytes for the same data requires another number in entity tags (`TagVariant`).
public final class WorkbookWriter implements AutoCloseable {

  /// The limit on the rows below the names of the columns.
  public static final Limit ROWS = new Limit("a worksheet of Excel", 1_048_575);

  public static final Limit COLUMNS = new Limit(ROWS.name(), 16_384);

  /// The limit on the length of a cell's text, in UTF-16 code units.
  public static final Limit CHARACTERS = SheetCells.CHARACTERS;

  private static final int BUFFER_BYTE_SIZE = 32 << 10;

  /// The sizes in an archive have 32 bits.
  private static final long SHEET_BYTE_SIZE_MAX = 0xFFFF_FFFEL;

  /// The level at which more effort saves little.
  private static final int COMPRESSION_LEVEL = 4;

  /// Archives have no time, so that they are equal; this is the earliest.
  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private static final int COLUMN_WIDTH_MAX = 60;

  /// The width of the button of a filter, in characters.
  private static final int BUTTON_WIDTH = 4;

  private static final PreparedText ROW = PreparedText.of("<row r=\"");
  private static final PreparedText ROW_START = PreparedText.of("\">");
  private static final PreparedText ROW_END = PreparedText.of("</row>");

  private final Archive archive;
  private final String name;
  private final List<SheetColumn> columns = new ArrayList<>();
  private final SheetCells cells = new SheetCells();
  private final TextOutput output;
  private final DelimitedFields rows;

  /// The rows so far, the names among them.
  private long rowCount;

  /// Starts a workbook.
  ///
  /// @param name the name of the worksheet, of letters, digits and `._-`
  /// @param limit the maximum size of the worksheet before it is compressed
  /// @throws TooLargeInputException if there are too many columns, or a name is too long
  public WorkbookWriter(String name, TextOptions options, Schema schema, ByteSink sink, Limit limit)
      throws IOException {
    List<Field> fields = schema.fields();
    COLUMNS.check(fields.size(), "columns", InputLocation.UNKNOWN);
    for (Field field : fields) {
      columns.add(new SheetColumn(columns.size(), field, cells, options));
    }
    List<SlotWriter.OfField> writers = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      writers.add(columns.get(i).ofNonNull(fields.get(i)));
    }
    this.name = name;
    this.rows =
        new DelimitedFields(
            Collections.nCopies(fields.size(), PreparedText.NOTHING),
            writers,
            PreparedText.NOTHING,
            ROW_END);
    this.archive = new Archive(sink);
    this.output =
        new TextOutput(
            part -> archive.write(part.toArray(LittleEndian.INT8)),
            new Limit(limit.name(), Math.min(limit.maximum(), SHEET_BYTE_SIZE_MAX)),
            BUFFER_BYTE_SIZE);
    begin(UniqueNames.distinct(fields));
  }

  private void begin(List<String> names) throws IOException {
    archive.put("[Content_Types].xml", WorkbookParts.contentTypes());
    archive.put("_rels/.rels", WorkbookParts.packageRelationships());
    archive.begin(WorkbookParts.SHEET_NAME);
    output.put(WorkbookParts.SHEET_START);
    putWidths(names);
    output.put("<sheetData>");
    beginRow();
    PreparedText style = PreparedText.of(Integer.toString(WorkbookParts.NAME_STYLE));
    for (int i = 0; i < names.size(); i++) {
      columns.get(i).writeName(names.get(i), style, output);
    }
    output.put(ROW_END);
  }

  private void putWidths(List<String> names) throws IOException {
    if (names.isEmpty()) {
      return;
    }
    output.put("<cols>");
    for (int i = 0; i < names.size(); i++) {
      int width =
          Math.clamp(
              names.get(i).length() + BUTTON_WIDTH,
              columns.get(i).format().width(),
              COLUMN_WIDTH_MAX);
      output.put(
          "<col min=\"%1$d\" max=\"%1$d\" width=\"%2$d\" customWidth=\"1\"/>"
              .formatted(i + 1, width));
    }
    output.put("</cols>");
  }

  private void beginRow() throws IOException {
    rowCount++;
    cells.row(rowCount);
    output.put(ROW);
    output.putUnsigned(rowCount);
    output.put(ROW_START);
  }

  /// Writes the rows of a batch of the schema.
  ///
  /// @throws TooLargeInputException if the workbook has too many rows, a text is too long, or the
  ///   worksheet exceeds the limit
  public void write(RecordBatch batch) throws IOException {
    requireRows(rowCount - 1 + batch.length());
    SlotWriter row = rows.of(batch.columns());
    for (long slot = 0; slot < batch.length(); slot++) {
      beginRow();
      row.write(slot, output);
    }
  }

  /// Fails if a worksheet cannot have so many rows.
  ///
  /// @throws TooLargeInputException if it cannot
  public static void requireRows(long count) {
    ROWS.check(count, "rows below the names of the columns", InputLocation.UNKNOWN);
  }

  /// Ends the workbook.
  ///
  /// @return a sentence for each reason for which values are text, in ASCII without quotation marks
  /// @throws TooLargeInputException if the worksheet exceeds the limit
  public List<String> end() throws IOException {
    output.put("</sheetData>");
    String range = "";
    if (!columns.isEmpty()) {
      String last = SheetColumn.letters(columns.size() - 1);
      output.put("<autoFilter ref=\"A1:%s%d\"/>".formatted(last, rowCount));
      range = "$A$1:$%s$%d".formatted(last, rowCount);
    }
    output.put("</worksheet>");
    output.flush();
    archive.closeEntry();
    archive.put("xl/workbook.xml", WorkbookParts.workbook(name, range));
    archive.put("xl/_rels/workbook.xml.rels", WorkbookParts.workbookRelationships());
    archive.put("xl/styles.xml", WorkbookParts.styles());
    archive.finish();
    archive.flush();
    return cells.textCells().sentences();
  }

  /// Releases the memory of the compression. A workbook that has not ended is incomplete.
  @Override
  public void close() {
    archive.release();
  }

  private static final class Archive extends ZipOutputStream {

    Archive(ByteSink sink) {
      super(new BufferedOutputStream(new SinkStream(sink), BUFFER_BYTE_SIZE));
      setLevel(COMPRESSION_LEVEL);
    }

    void begin(String part) throws IOException {
      ZipEntry entry = new ZipEntry(part);
      entry.setTimeLocal(NO_TIME);
      putNextEntry(entry);
    }

    void put(String part, String xml) throws IOException {
      begin(part);
      write(xml.getBytes(StandardCharsets.UTF_8));
      closeEntry();
    }

    void release() {
      def.end();
    }
  }

  private static final class SinkStream extends OutputStream {

    private final ByteSink sink;

    SinkStream(ByteSink sink) {
      this.sink = sink;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      sink.write(MemorySegment.ofArray(bytes).asSlice(offset, length));
    }
  }
}
