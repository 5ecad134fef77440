package dev.quiver.formats.csv;

import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.io.InputStream;

/// The text of a CSV file in blocks, each of which begins with what the one before has left. Used
/// by one thread.
final class CsvInput implements AutoCloseable {

  static final int RECORD_BYTE_SIZE_MAXIMUM = 2_000_000;

  /// The bytes that are read at a time.
  private static final int PIECE_BYTE_SIZE = 256 << 10;

  private static final int FIRST = CsvBlock.PADDING_BYTE_SIZE;

  private final CsvText file;
  private final boolean isSheet;
  private final InputStream text;
  private CsvBlock block = new CsvBlock(0);

  /// The offset in the block of the first byte that it leaves, and that after its last byte.
  private int next = FIRST;

  private int limit = FIRST;
  private boolean ended;

  CsvInput(CsvText file, boolean isSheet) throws IOException {
    this.file = file;
    this.isSheet = isSheet;
    block.reserveText(FIRST);
    this.text = file.open();
  }

  CsvBlock block() {
    return block;
  }

  /// Returns the offset of the next record.
  int next() {
    return next;
  }

  /// Returns that offset within the text of the file.
  long byteOffset() {
    return block.byteOffset + next - FIRST;
  }

  /// Returns the offset within the text of the file of a byte of the block.
  long byteOffset(int offset) {
    return block.byteOffset + offset - FIRST;
  }

  /// Returns the offset after the last byte that was read.
  int limit() {
    return limit;
  }

  /// Returns whether the file ends there.
  boolean isEnded() {
    return ended;
  }

  /// Begins a block, which may be the one before again.
  void begin(CsvBlock begun) {
    int byteSize = limit - next;
    begun.reserveText(FIRST + byteSize);
    System.arraycopy(block.text, next, begun.text, FIRST, byteSize);
    begun.begin(byteOffset());
    block = begun;
    next = FIRST;
    limit = FIRST + byteSize;
  }

  /// Leaves the bytes from an offset on to the next block, or to the next record.
  void leave(int offset) {
    next = offset;
    block.end(offset);
    if (offset == limit) {
      block.clearPadding();
    }
  }

  /// Leaves out the bytes before an offset, if they are many and the block has no record yet.
  ///
  /// @return where these bytes are then
  int compact(int offset) {
    if (block.rowCount > 0 || offset - FIRST <= PIECE_BYTE_SIZE) {
      return offset;
    }
    next = offset;
    begin(block);
    return next;
  }

  /// Reads on in the file. Returns false at its end, and if the block is full.
  ///
  /// @param start of the record that goes on
  /// @throws ForeignDataException if that is too long
  boolean read(int start) throws IOException {
    requireLength(start, limit);
    boolean isFull = limit - FIRST > CsvBlock.BYTE_SIZE_MAXIMUM - PIECE_BYTE_SIZE;
    if (ended || isFull && block.rowCount > 0) {
      return false;
    }
    block.reserveText(limit + PIECE_BYTE_SIZE);
    int count = text.readNBytes(block.text, limit, PIECE_BYTE_SIZE);
    ended = count < PIECE_BYTE_SIZE;
    limit += count;
    return true;
  }

  /// @throws ForeignDataException if a record is too long
  void requireLength(int start, int end) throws IOException {
    if (end - start > RECORD_BYTE_SIZE_MAXIMUM) {
      throw isSheet
          ? CsvErrors.tooLongRow(RECORD_BYTE_SIZE_MAXIMUM, line(start))
          : CsvErrors.tooLong(RECORD_BYTE_SIZE_MAXIMUM, line(start));
    }
  }

  /// Returns the number of the line in which a byte of the block is. If the block has records, the
  /// next one finds the same error again, and only that needs to know.
  long line(int offset) throws IOException {
    return block.rowCount > 0 ? 0 : file.line(block.byteOffset + offset - FIRST);
  }

  @Override
  public void close() throws IOException {
    text.close();
  }
}
