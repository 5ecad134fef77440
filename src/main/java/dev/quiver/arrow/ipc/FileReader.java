package dev.quiver.arrow.ipc;

import static dev.quiver.arrow.ipc.Framing.CONTINUATION;
import static dev.quiver.arrow.ipc.Framing.FILE_TRAILER_BYTE_SIZE;
import static dev.quiver.arrow.ipc.Framing.LEGACY_PREFIX_BYTE_SIZE;
import static dev.quiver.arrow.ipc.Framing.PREFIX_BYTE_SIZE;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.FooterDecoder;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.stream.Stream;

/// A reader of a file in memory, or mapped, by its footer: it finds messages through the Blocks
/// alone.
///
/// It never reads the bytes before and between the Blocks. Writers pad them in their own ways, and
/// some omit the schema message. See the columnar specification, *IPC file format*.
public final class FileReader {

  private final MemorySegment file;
  private final Limits limits;
  private final SegmentAllocator allocator;
  private final long footerByteOffset;
  private final Footer footer;
  private final RecordBatchReader batches;

  /// The number of dictionary batches that were read.
  private int dictionaryCount;

  /// Reads the footer.
  ///
  /// @param allocator for decompressed buffers
  public FileReader(MemorySegment file, Limits limits, SegmentAllocator allocator) {
    this.file = file;
    this.limits = limits;
    this.allocator = allocator;
    int footerByteSize = footerByteSize(file, limits);
    this.footerByteOffset = file.byteSize() - FILE_TRAILER_BYTE_SIZE - footerByteSize;
    try {
      this.footer = FooterDecoder.decode(file.asSlice(footerByteOffset, footerByteSize), limits);
    } catch (InputException e) {
      throw e.within(InputLocation.byteOffset(footerByteOffset));
    }
    this.batches = new RecordBatchReader(footer.schema(), limits);
  }

  public Footer footer() {
    return footer;
  }

  /// Returns the schema of the decoded batches, which are little-endian even if the bodies are not.
  public Schema schema() {
    return batches.schema();
  }

  public int batchCount() {
    return footer.recordBatches().size();
  }

  /// Returns the batch of the footer's Block at this index. Reads all dictionaries with their
  /// deltas before the first batch, in footer order.
  public RecordBatch batch(int index) {
    while (dictionaryCount < footer.dictionaries().size()) {
      EncapsulatedMessage dictionary = dictionaryMessage(dictionaryCount);
      requireNotReplaced(dictionary, batches.dictionaries());
      batches.readDictionary(dictionary, body(dictionary), allocator);
      dictionaryCount++;
    }
    EncapsulatedMessage message = batchMessage(index);
    return batches.readBatch(message, body(message), allocator);
  }

  /// Rejects replaced dictionaries: batches of a file are read in any order, so all must see the
  /// same ones.
  ///
  /// @param dictionaries the dictionaries before the message
  public static void requireNotReplaced(EncapsulatedMessage message, Dictionaries dictionaries) {
    DictionaryBatchHeader header = (DictionaryBatchHeader) message.message().header();
    if (!header.delta() && dictionaries.contains(header.id())) {
      throw new MalformedInputException(
          "one non-delta batch of dictionary " + header.id() + " in a file",
          "a second one",
          message.place().withDetail("DictionaryBatch.id"));
    }
  }

  /// Returns the dictionary message of the footer's Block at this index.
  public EncapsulatedMessage dictionaryMessage(int index) {
    EncapsulatedMessage message = message(footer.dictionaries().get(index), 1 + index);
    if (!(message.message().header() instanceof DictionaryBatchHeader)) {
      throw unexpected("a dictionary batch", message);
    }
    return message;
  }

  /// Returns the record batch message of the footer's Block at this index.
  public EncapsulatedMessage batchMessage(int index) {
    long messageIndex = 1L + footer.dictionaries().size() + index;
    EncapsulatedMessage message = message(footer.recordBatches().get(index), messageIndex);
    if (!(message.message().header() instanceof RecordBatchHeader)) {
      throw unexpected("a record batch", message);
    }
    return message;
  }

  /// Returns the body of a message of this file.
  public MemorySegment body(EncapsulatedMessage message) {
    return file.asSlice(
        message.byteOffset() + message.metaDataLength(), message.message().bodyLength());
  }

  private EncapsulatedMessage message(Block block, long messageIndex) {
    InputLocation place = InputLocation.message(messageIndex, block.offset());
    if (block.metaDataLength() < PREFIX_BYTE_SIZE || block.end() > footerByteOffset) {
      throw new MalformedInputException(
          "a Block of at least 8 bytes that ends before the footer at " + footerByteOffset,
          "metaDataLength %d and bodyLength %d"
              .formatted(block.metaDataLength(), block.bodyLength()),
          place);
    }
    limits.metadataBytes().check(block.metaDataLength(), "bytes of metadata in a message", place);
    int prefixByteSize =
        LittleEndian.getInt32(file, block.offset()) == CONTINUATION
            ? PREFIX_BYTE_SIZE
            : LEGACY_PREFIX_BYTE_SIZE;
    long lengthOffset = block.offset() + prefixByteSize - Integer.BYTES;
    int metadataByteSize = LittleEndian.getInt32(file, lengthOffset);
    int most = block.metaDataLength() - prefixByteSize;
    if (metadataByteSize <= 0 || metadataByteSize > most) {
      throw prefixByteSize == PREFIX_BYTE_SIZE
          ? new MalformedInputException(
              "a metadata length of 1 to " + most, Integer.toString(metadataByteSize), place)
          : new MalformedInputException(
              "the continuation marker FFFFFFFF",
              "bytes %08X".formatted(Integer.reverseBytes(metadataByteSize)),
              place);
    }
    MemorySegment metadata = file.asSlice(block.offset() + prefixByteSize, metadataByteSize);
    Message message;
    try {
      message = MessageDecoder.decode(metadata, limits);
    } catch (InputException e) {
      throw e.within(place);
    }
    if (message.bodyLength() > block.bodyLength()) {
      throw new MalformedInputException(
          "a body within the Block's " + block.bodyLength() + " bytes",
          message.bodyLength() + " bytes",
          place);
    }
    return new EncapsulatedMessage(
        messageIndex, block.offset(), prefixByteSize, block.metaDataLength(), metadata, message);
  }

  private static MalformedInputException unexpected(String expected, EncapsulatedMessage message) {
    return new MalformedInputException(
        expected, MessageReader.describe(message.message().header()), message.place());
  }

  /// Checks that Blocks do not overlap so far that a small file could become a large one.
  public static void requireSmallBlocks(Footer footer, long fileByteSize) {
    long remaining = fileByteSize;
    List<Block> blocks =
        Stream.concat(footer.dictionaries().stream(), footer.recordBatches().stream()).toList();
    for (Block block : blocks) {
      remaining -= Math.min(block.byteSize(), remaining + 1);
      if (remaining < 0) {
        throw new MalformedInputException(
            "Blocks of at most the " + fileByteSize + " bytes of the file in total",
            "more, so some overlap",
            InputLocation.detail("Footer.recordBatches"));
      }
    }
  }

  /// Returns the size of the footer, which ends [Framing#FILE_TRAILER_BYTE_SIZE] bytes before the
  /// end of the file.
  ///
  /// @throws InputException if the end of the file is invalid
  public static int footerByteSize(MemorySegment file, Limits limits) {
    long byteSize = file.byteSize();
    if (byteSize < Framing.FILE_HEADER_BYTE_SIZE + FILE_TRAILER_BYTE_SIZE) {
      throw new TruncatedInputException(
          "a file of at least 18 bytes", byteSize + " bytes", InputLocation.byteOffset(byteSize));
    }
    long trailer = byteSize - FILE_TRAILER_BYTE_SIZE;
    InputLocation place = InputLocation.byteOffset(trailer);
    if (!Framing.isMagic(file, trailer + Integer.BYTES)) {
      throw new TruncatedInputException(
          "ARROW1 at the end of a file", "other bytes", InputLocation.byteOffset(byteSize - 6));
    }
    int footerByteSize = LittleEndian.getInt32(file, trailer);
    limits.metadataBytes().check(footerByteSize, "bytes of a footer", place);
    long most = trailer - Framing.FILE_HEADER_BYTE_SIZE;
    if (footerByteSize <= 0 || footerByteSize > most) {
      throw new MalformedInputException(
          "a footer length of 1 to " + most, Integer.toString(footerByteSize), place);
    }
    return footerByteSize;
  }
}
