package dev.quiver.formats.excel;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;

/// The rows of a sheet as lines with the same number of fields each, but for empty ones. Columns
/// beside the table are left out; the first text of one in a row above it, which is a title, stands
/// in the first field. Used by one thread.
final class SheetText extends FilterInputStream {

  private static final int PIECE_BYTE_SIZE = 64 << 10;

  /// The field of each column, up to the last one of the table, or -1 for one beside it.
  private final int[] fields;

  private final int tableWidth;

  private final byte[] piece = new byte[PIECE_BYTE_SIZE];
  private int pieceStart;
  private int pieceEnd;
  private byte[] lines = new byte[PIECE_BYTE_SIZE];
  private int start;
  private int end;

  /// The bytes that are still to be read.
  private long rest;

  /// The rows at the start that are given as empty ones.
  private int skippedRows;

  /// The column of the next byte.
  private int column;

  /// The column beside the table whose text is the title of the row, or -1 without a title.
  private int titleColumn = -1;

  /// The fields of the row that were begun.
  private int fieldCount;

  /// @param text lines of TSV, each with as many fields as its last cell needs
  /// @param byteSize the bytes of it that are read
  /// @param columns those of the table, counted from 0
  /// @param skippedRows rows at the start that are given as empty ones
  SheetText(InputStream text, long byteSize, List<Integer> columns, int skippedRows) {
    super(text);
    this.rest = byteSize;
    this.skippedRows = skippedRows;
    this.tableWidth = columns.size();
    this.fields = new int[columns.isEmpty() ? 0 : columns.getLast() + 1];
    Arrays.fill(fields, -1);
    for (int i = 0; i < tableWidth; i++) {
      fields[columns.get(i)] = i;
    }
  }

  @Override
  public int read() throws IOException {
    return fill() ? lines[start++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, end - start);
    System.arraycopy(lines, start, bytes, offset, count);
    start += count;
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = 0;
    while (skipped < count && fill()) {
      int next = (int) Math.min(count - skipped, end - start);
      start += next;
      skipped += next;
    }
    return skipped;
  }

  @Override
  public int available() {
    return end - start;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  /// Returns whether there is a byte.
  private boolean fill() throws IOException {
    while (start == end) {
      if (pieceStart == pieceEnd) {
        int count = in.read(piece, 0, (int) Math.min(piece.length, rest));
        if (count <= 0) {
          return false;
        }
        rest -= count;
        pieceStart = 0;
        pieceEnd = count;
      }
      start = 0;
      end = 0;
      // A short row becomes as many fields as there are columns.
      while (pieceStart < pieceEnd && end < PIECE_BYTE_SIZE) {
        add(piece[pieceStart++]);
      }
    }
    return true;
  }

  private void add(byte next) {
    if (next == '\n') {
      endRow();
    } else if (next == '\t') {
      column++;
    } else if (skippedRows == 0) {
      int field = field();
      while (fieldCount <= field) {
        beginField();
      }
      if (field >= 0) {
        put(next);
      }
    }
  }

  /// Returns the field of the next byte, or -1 if it is left out.
  private int field() {
    int field = column < fields.length ? fields[column] : -1;
    if (field < 0 && fieldCount == 0) {
      titleColumn = column;
    }
    if (titleColumn < 0) {
      return field;
    }
    return column == titleColumn ? 0 : field > 0 ? field : -1;
  }

  private void beginField() {
    if (fieldCount > 0) {
      put((byte) '\t');
    }
    fieldCount++;
  }

  private void endRow() {
    if (skippedRows > 0) {
      skippedRows--;
    }
    while (fieldCount > 0 && fieldCount < tableWidth) {
      beginField();
    }
    put((byte) '\n');
    column = 0;
    titleColumn = -1;
    fieldCount = 0;
  }

  private void put(byte next) {
    if (end == lines.length) {
      lines = Arrays.copyOf(lines, 2 * lines.length);
    }
    lines[end++] = next;
  }
}
