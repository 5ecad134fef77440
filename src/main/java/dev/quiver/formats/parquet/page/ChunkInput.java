package dev.quiver.formats.parquet.page;

import dev.quiver.formats.parquet.file.ColumnChunk;
import dev.quiver.formats.parquet.file.ParquetErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// The bytes of a column chunk in order, some of them buffered in an array.
///
/// Other columns may use the same array in between. Bytes that were buffered but not consumed are
/// then read again.
final class ChunkInput {

  private final FileChannel file;
  private final int readByteSize;
  private final PageBuffers buffers;
  private int position;
  private int end;
  private long filePosition;
  private long fileEnd;

  /// The bytes after the end that pages may need.
  private long excess;

  /// @param readByteSize the number of bytes to buffer, unless more are requested
  ChunkInput(FileChannel file, int readByteSize, PageBuffers buffers) {
    this.file = file;
    this.readByteSize = readByteSize;
    this.buffers = buffers;
  }

  /// Moves to the start of a chunk.
  void begin(ColumnChunk chunk) throws IOException {
    if (chunk.byteOffset() > file.size() - chunk.byteSize()) {
      throw ParquetErrors.damaged("pages before its end");
    }
    filePosition = chunk.byteOffset();
    fileEnd = filePosition + chunk.byteSize();
    excess = 0;
    position = 0;
    end = 0;
  }

  /// Returns the array with the buffered bytes, followed by [PageBytes#ROOM] bytes.
  byte[] bytes() {
    return buffers.input();
  }

  /// Returns the offset of the next byte in the array.
  int position() {
    return position;
  }

  /// Lets pages reach beyond the declared end of the chunk, within the file.
  void allowExcess(int byteSize) throws IOException {
    excess = Math.min(byteSize, file.size() - fileEnd);
  }

  /// Returns the number of bytes left in the chunk, not positive at its end.
  long left() {
    return end - position + fileEnd - filePosition;
  }

  /// Returns the number of bytes that a page may have, at least [#left].
  long reach() {
    return left() + excess;
  }

  /// Returns the number of bytes left in the array.
  int available() {
    return end - position;
  }

  /// Buffers at least `count` bytes, or those that a page may have.
  void request(int count) throws IOException {
    if (!buffers.isUsedBy(this)) {
      filePosition -= end - position;
      position = 0;
      end = 0;
    }
    int needed = (int) Math.min(count, reach());
    if (needed > end - position) {
      fill(needed);
    }
  }

  private void fill(int needed) throws IOException {
    int capacity = Math.max(needed, readByteSize);
    ByteBuffer buffer = ByteBuffer.wrap(reserve(capacity));
    while (end < needed) {
      int part = (int) Math.min(capacity - end, fileEnd + excess - filePosition);
      int count = file.read(buffer.limit(end + part).position(end), filePosition);
      if (count < 0) {
        throw ParquetErrors.damaged("pages before its end");
      }
      end += count;
      filePosition += count;
    }
  }

  /// Moves the buffered bytes to the start of an array that is large enough.
  private byte[] reserve(int capacity) {
    byte[] source = buffers.input();
    byte[] target = buffers.input(this, capacity + PageBytes.ROOM);
    System.arraycopy(source, position, target, 0, end - position);
    end -= position;
    position = 0;
    return target;
  }

  /// Moves past bytes, buffered or not.
  void skip(int count) {
    int buffered = Math.min(count, end - position);
    position += buffered;
    if (count - buffered > fileEnd + excess - filePosition) {
      throw ParquetErrors.damaged("pages within their column");
    }
    filePosition += count - buffered;
  }
}
