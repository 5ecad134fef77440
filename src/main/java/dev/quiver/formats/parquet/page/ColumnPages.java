package dev.quiver.formats.parquet.page;

import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.ColumnChunk;
import dev.quiver.formats.parquet.file.CompressionCodec;
import dev.quiver.formats.parquet.file.PageHeader;
import dev.quiver.formats.parquet.file.ParquetErrors;
import java.io.IOException;
import java.lang.foreign.SegmentAllocator;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// The pages of the chunks of one column, one page at a time. Used by one thread at a time.
public final class ColumnPages {

  /// The bytes that fit an array with room after them. The budget of the heap allows far less.
  private static final int PAGE_BYTE_SIZE_MAXIMUM = Integer.MAX_VALUE - 1024;

  /// The bytes that contain most headers. Headers with long statistics are larger.
  private static final int HEADER_BYTE_SIZE = 1 << 10;

  private static final int HEADER_BYTE_SIZE_MAXIMUM = 16 << 20;

  /// The bytes by which a chunk with a dictionary may exceed its declared size, since parquet-mr
  /// before 1.2.9 leaves out the header of the dictionary's page; as many as Arrow C++ allows.
  ///
  /// [PARQUET-816](https://issues.apache.org/jira/browse/PARQUET-816)
  private static final int EXCESS_BYTE_SIZE = 100;

  private final ChunkInput input;
  private final HeapBudget budget;
  private final PageBuffers buffers;
  private final PageHeader header = new PageHeader();
  private final LevelDecoder definitionLevels;
  private final LevelDecoder repetitionLevels;
  private final PageBytes page = new PageBytes();
  private final CRC32 crc = new CRC32();
  private CompressionCodec codec = CompressionCodec.UNCOMPRESSED;

  /// @param readByteSize the bytes of the file that are read at a time
  /// @param buffers arrays that may be shared with other columns of the same task
  public ColumnPages(
      FileChannel file,
      int readByteSize,
      HeapBudget budget,
      PageBuffers buffers,
      int definitionLevelMaximum,
      int repetitionLevelMaximum) {
    this.input = new ChunkInput(file, readByteSize, buffers);
    this.budget = budget;
    this.buffers = buffers;
    this.definitionLevels = new LevelDecoder(definitionLevelMaximum);
    this.repetitionLevels = new LevelDecoder(repetitionLevelMaximum);
  }

  /// Moves to the start of a chunk.
  public void begin(ColumnChunk chunk) throws IOException {
    codec = chunk.codec();
    input.begin(chunk);
  }

  /// Returns the definition levels of the current page.
  public LevelDecoder definitionLevels() {
    return definitionLevels;
  }

  /// Returns the repetition levels of the current page.
  public LevelDecoder repetitionLevels() {
    return repetitionLevels;
  }

  /// Returns the values of the next page, or null at the end of the chunk. The previous page is
  /// then invalid.
  public @Nullable Page next() throws IOException {
    while (input.left() > 0) {
      readHeader();
      if (header.isKnown()) {
        switch (header.kind()) {
          case DATA -> {
            return dataPage();
          }
          case DATA_V2 -> {
            return dataPageOfVersion2();
          }
          case DICTIONARY -> {
            return dictionaryPage();
          }
          case INDEX -> input.skip(header.compressedByteSize());
        }
      } else {
        input.skip(header.compressedByteSize());
      }
    }
    return null;
  }

  /// Moves past the next page after its header.
  ///
  /// @return false at the end of the chunk
  public boolean skip() throws IOException {
    if (input.left() <= 0) {
      return false;
    }
    readHeader();
    input.skip(header.compressedByteSize());
    return true;
  }

  /// Returns the heap that reading the page that was moved past would take: a dictionary is copied.
  public long heapByteSize() {
    long byteSize = header.uncompressedByteSize();
    return header.compressedByteSize() + (isDictionary() ? 2 * byteSize : byteSize);
  }

  /// Returns whether the current page is a dictionary page.
  public boolean isDictionary() {
    return header.isKnown() && header.kind() == PageHeader.Kind.DICTIONARY;
  }

  private void readHeader() throws IOException {
    int byteSize = HEADER_BYTE_SIZE;
    input.request(byteSize);
    while (!header.read(input.bytes(), input.position(), input.position() + input.available())) {
      byteSize *= 4;
      if (input.available() >= input.reach()) {
        throw PageHeader.damaged();
      }
      if (byteSize > HEADER_BYTE_SIZE_MAXIMUM) {
        throw ForeignDataException.of(
            "Expected page headers of at most %,d bytes but found more"
                .formatted(HEADER_BYTE_SIZE_MAXIMUM));
      }
      input.request(byteSize);
    }
    input.skip(header.byteSize());
    if (isDictionary()) {
      input.allowExcess(EXCESS_BYTE_SIZE);
    }
    if (header.compressedByteSize() > input.reach()) {
      throw ParquetErrors.damaged("pages within their column");
    }
    requireLimit(header.compressedByteSize());
    requireLimit(header.uncompressedByteSize());
  }

  private static void requireLimit(int byteSize) {
    if (byteSize > PAGE_BYTE_SIZE_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected pages of at most %,d bytes but found %,d"
              .formatted(PAGE_BYTE_SIZE_MAXIMUM, byteSize));
    }
  }

  private Page dataPage() throws IOException {
    int end = header.uncompressedByteSize();
    page.reserve(end + 2 * PageBytes.ROOM, budget);
    decompress(page.array, 0, end, /* isCompressed= */ true);
    int start = 0;
    if (repetitionLevels.maximum() > 0) {
      start =
          repetitionLevels.resetInPage(
              page, start, end, header.repetitionEncoding(), header.valueCount());
    }
    if (definitionLevels.maximum() > 0) {
      start =
          definitionLevels.resetInPage(
              page, start, end, header.definitionEncoding(), header.valueCount());
    }
    return page(start, end);
  }

  /// Reads a page of version 2, whose levels are not compressed. In memory they follow the values.
  private Page dataPageOfVersion2() throws IOException {
    int levels = header.repetitionByteSize() + header.definitionByteSize();
    int byteSize = header.uncompressedByteSize() - levels;
    page.reserve(byteSize + levels + 2 * PageBytes.ROOM, budget);
    decompress(page.array, levels, byteSize, header.isCompressed());
    int middle = byteSize + PageBytes.ROOM + header.repetitionByteSize();
    repetitionLevels.reset(page, byteSize + PageBytes.ROOM, middle);
    definitionLevels.reset(page, middle, middle + header.definitionByteSize());
    return page(0, byteSize);
  }

  private Page dictionaryPage() throws IOException {
    int end = header.uncompressedByteSize();
    byte[] target = buffers.dictionary(end + 2 * PageBytes.ROOM);
    decompress(target, 0, end, /* isCompressed= */ true);
    return new Page(new PageBytes(target), 0, end, header.valueCount(), header.encoding());
  }

  /// Moves the current page off the heap until [#unpark].
  public void park(SegmentAllocator parking) {
    page.park(parking, budget);
  }

  /// Moves the current page back to the heap if it is parked.
  public void unpark() {
    page.unpark(budget);
  }

  /// Drops the current page.
  public void close() {
    page.clear(budget);
  }

  private Page page(int start, int end) {
    return new Page(page, start, end, header.valueCount(), header.encoding());
  }

  /// Decompresses the values of the page into the start of `target`. The levels that precede them
  /// follow there, after [PageBytes#ROOM] bytes.
  private void decompress(byte[] target, int levelsByteSize, int byteSize, boolean isCompressed)
      throws IOException {
    input.request(header.compressedByteSize());
    int start = input.position();
    int end = start + header.compressedByteSize();
    requireChecksum(start);
    if (byteSize > 0 || !isCompressed) {
      PageDecompressor.decompress(
          isCompressed ? codec : CompressionCodec.UNCOMPRESSED,
          input.bytes(),
          start + levelsByteSize,
          end,
          target,
          byteSize);
    }
    System.arraycopy(input.bytes(), start, target, byteSize + PageBytes.ROOM, levelsByteSize);
    input.skip(header.compressedByteSize());
  }

  private void requireChecksum(int start) {
    Integer declared = header.checksum();
    if (declared != null) {
      crc.reset();
      crc.update(input.bytes(), start, header.compressedByteSize());
      if ((int) crc.getValue() != declared) {
        throw ParquetErrors.checksum(declared, (int) crc.getValue());
      }
    }
  }
}
