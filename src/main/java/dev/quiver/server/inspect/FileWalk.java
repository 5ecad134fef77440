package dev.quiver.server.inspect;

import dev.quiver.arrow.ipc.Frame;
import dev.quiver.arrow.ipc.FrameReader;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.MessageOutline;
import dev.quiver.arrow.parallel.InFlightBytes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A walk over the messages of a file in physical order: the ones that Blocks point to, and
/// anything between them.
final class FileWalk {

  /// The `block` of a message that no Block points to.
  static final int UNNAMED = -1;

  private final MemorySegment file;
  private final FooterBlocks blocks;
  private final long end;
  private final Limits limits;
  private final InFlightBytes.Charge charge;
  private final Visitor visitor;
  private long messageIndex;
  private long endOfStreamOffset = -1;

  /// @param end the start of the footer, or the end of a file without one
  /// @param charge the charge for the metadata of one message
  FileWalk(
      MemorySegment file,
      FooterBlocks blocks,
      long end,
      Limits limits,
      InFlightBytes.Charge charge,
      Visitor visitor) {
    this.file = file;
    this.blocks = blocks;
    this.end = end;
    this.limits = limits;
    this.charge = charge;
    this.visitor = visitor;
  }

  /// A receiver of messages and findings.
  interface Visitor {

    /// @param outline the outline, or null if even that is unreadable
    /// @param block the position of the Block that points to the message, or [#UNNAMED]
    /// @param body the available part of the body
    void message(Frame frame, @Nullable MessageOutline outline, int block, MemorySegment body);

    void finding(FindingKind kind, String expected, String found, InputLocation place);

    void finding(InputException e);
  }

  /// Returns the offset of the end-of-stream marker within the file, or -1 if absent.
  long endOfStreamOffset() {
    return endOfStreamOffset;
  }

  void run() throws IOException {
    long position = Framing.FILE_HEADER_BYTE_SIZE;
    // Blocks may repeat, so the bytes examined are limited to the size of the file.
    long remaining = file.byteSize();
    for (int i = 0; i < blocks.size(); i++) {
      Block block = blocks.get(i);
      InputLocation place = InputLocation.byteOffset(block.offset()).withDetail(blocks.name(i));
      if (block.metaDataLength() < Framing.PREFIX_BYTE_SIZE || block.end() > end) {
        visitor.finding(
            FindingKind.BLOCK,
            "a Block of at least 8 bytes that ends before " + end,
            "metaDataLength %d and bodyLength %d"
                .formatted(block.metaDataLength(), block.bodyLength()),
            place);
      } else {
        if (block.offset() < position) {
          visitor.finding(
              FindingKind.BLOCK_OVERLAP,
              "a Block after byte " + position,
              "one that overlaps",
              place);
        } else {
          walkUnnamed(position, block.offset());
        }
        remaining -= Math.min(block.byteSize(), remaining + 1);
        if (remaining >= 0) {
          visitNamed(i, block);
        }
        position = Math.max(position, block.end());
      }
    }
    walkUnnamed(position, Math.max(position, end));
  }

  /// Visits a message with a Block once more.
  ///
  /// @param block the position of the Block
  /// @param index the index of the message
  void visitAgain(int block, long index) throws IOException {
    messageIndex = index;
    visitNamed(block, blocks.get(block));
  }

  private void visitNamed(int position, Block block) throws IOException {
    InputLocation place =
        InputLocation.message(messageIndex, block.offset()).withDetail(blocks.name(position));
    long metadataEnd = block.offset() + block.metaDataLength();
    FrameReader frames = frames(block.offset(), metadataEnd);
    try {
      Frame frame = frames.next();
      if (frame == null) {
        visitor.finding(FindingKind.BLOCK, "a message", "none", place);
        return;
      }
      messageIndex++;
      MessageOutline outline = outline(frame);
      if (outline != null) {
        compare(block, frame, outline, place);
      }
      long byteSize = outline == null ? 0 : Math.min(outline.bodyLength(), end - metadataEnd);
      visitor.message(frame, outline, position, file.asSlice(metadataEnd, byteSize));
    } catch (InputException e) {
      visitor.finding(e);
    } finally {
      frames.giveBack();
    }
  }

  private void compare(Block block, Frame frame, MessageOutline outline, InputLocation place) {
    if (block.metaDataLength() != frame.metaDataLength()) {
      visitor.finding(
          FindingKind.BLOCK_LENGTH,
          "the message's metaDataLength of " + frame.metaDataLength(),
          Integer.toString(block.metaDataLength()),
          place);
    }
    if (block.bodyLength() != outline.bodyLength()) {
      visitor.finding(
          block.bodyLength() < outline.bodyLength() ? FindingKind.BLOCK : FindingKind.BLOCK_LENGTH,
          "the message's bodyLength of " + outline.bodyLength(),
          Long.toString(block.bodyLength()),
          place);
    }
  }

  /// Searches for consecutive messages among bytes that no Block points to.
  private void walkUnnamed(long from, long until) throws IOException {
    long position = afterZeros(from, until);
    for (long before = -1; position < until && position != before; ) {
      before = position;
      position = visitUnnamed(position, until);
    }
    if (position < until) {
      visitor.finding(
          FindingKind.UNNAMED_BYTES,
          "a message or padding",
          until - position + " other bytes",
          InputLocation.byteOffset(position));
    }
  }

  /// @return the position to continue from: `position` if no message was found
  private long visitUnnamed(long position, long until) throws IOException {
    FrameReader frames = frames(position, until);
    try {
      Frame frame = frames.next();
      if (frame == null) {
        endOfStreamOffset = frames.endOfStreamSeen() ? position : endOfStreamOffset;
        return afterZeros(frames.position(), until);
      }
      MessageOutline outline = MessageOutline.of(frame.metadata());
      long bodyOffset = position + frame.metaDataLength();
      if (outline.bodyLength() > until - bodyOffset) {
        return position;
      }
      messageIndex++;
      visitor.message(frame, outline, UNNAMED, file.asSlice(bodyOffset, outline.bodyLength()));
      return afterZeros(bodyOffset + outline.bodyLength(), until);
    } catch (InputException e) {
      // The caller reports the bytes that are here instead.
      return position;
    } finally {
      frames.giveBack();
    }
  }

  /// Returns the first multiple of 8 whose following bytes are not all zero.
  private long afterZeros(long from, long until) {
    long position = from;
    while (position < until && !Padding.isAligned(position, Framing.ALIGNMENT)) {
      if (LittleEndian.getInt8(file, position) != 0) {
        return position;
      }
      position++;
    }
    while (until - position >= Long.BYTES && LittleEndian.getInt64(file, position) == 0) {
      position += Long.BYTES;
    }
    long tail = position;
    while (tail < until && LittleEndian.getInt8(file, tail) == 0) {
      tail++;
    }
    return tail == until ? until : position;
  }

  private FrameReader frames(long from, long until) {
    ByteSource source = ByteSource.of(file.asSlice(from, until - from));
    return new FrameReader(source, limits, charge, messageIndex, from);
  }

  private static @Nullable MessageOutline outline(Frame frame) {
    try {
      return MessageOutline.of(frame.metadata());
    } catch (InputException e) {
      // The decoder of the message reports the error.
      return null;
    }
  }
}
