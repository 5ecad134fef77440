package dev.quiver.inspect;

import dev.quiver.input.InputException;
import dev.quiver.input.InputLocation;
import dev.quiver.input.Limits;
import dev.quiver.ipc.Frame;
import dev.quiver.ipc.FrameReader;
import dev.quiver.ipc.Framing;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.memory.LittleEndian;
import dev.quiver.memory.Padding;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.MessageOutline;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Finds the messages of a file in the order in which they lie: those that Blocks name, and what
/// stands between them.
final class FileWalk {

  /// A `block` that says that no Block names the message.
  static final int UNNAMED = -1;

  private final MemorySegment file;
  private final FooterBlocks blocks;
  private final long end;
  private final Limits limits;
  private final InFlightBytes.Charge charge;
  private final Visitor visitor;
  private long messageIndex;
  private long endOfStreamOffset = -1;

  /// @param end where the footer starts, or the end of a file without one
  /// @param charge what is to hold the metadata of one message
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

  /// Who hears of what is found.
  interface Visitor {

    /// @param outline null when not even that can be read
    /// @param block the position of the Block that names the message, or [#UNNAMED]
    /// @param body as much of it as there is
    void message(Frame frame, @Nullable MessageOutline outline, int block, MemorySegment body);

    void finding(FindingKind kind, String expected, String found, InputLocation place);

    void finding(InputException e);
  }

  /// The offset of the marker that ends the stream within the file, or -1 when there is none.
  long endOfStreamOffset() {
    return endOfStreamOffset;
  }

  void run() throws IOException {
    long position = Framing.FILE_HEADER_BYTE_SIZE;
    // Blocks may repeat: as much is looked at as there are bytes.
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
        remaining -= Math.min(block.end() - block.offset(), remaining + 1);
        if (remaining >= 0) {
          visitNamed(i, block);
        }
        position = Math.max(position, block.end());
      }
    }
    walkUnnamed(position, Math.max(position, end));
  }

  /// Visits once more a message that a Block names.
  ///
  /// @param block the position of the Block
  /// @param index of the message
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

  /// Looks for messages where no Block names any, as long as they follow each other.
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

  /// @return where to look further: `position` when there is no message
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
      // Whoever looked for it says what is there instead.
      return position;
    } finally {
      frames.giveBack();
    }
  }

  /// The first multiple of 8 from where not all is zero.
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
      // Whoever decodes the message says so.
      return null;
    }
  }
}
