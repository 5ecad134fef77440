package dev.quiver.arrow.statistics;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;

/// A reader of text and binary values, block by block. Used by one thread.
final class BytesReader {

  private static final int SLOTS = 1024;

  /// In place of bytes that are not read into the heap.
  private static final byte[] NOTHING = new byte[ValueSink.PADDING_BYTE_SIZE];

  private final BlockMemory memory;
  private final long[] offsets = new long[SLOTS + 1];

  /// @param memory holds a block at a time
  BytesReader(BlockMemory memory) {
    this.memory = memory;
  }

  /// Reads the slots of an array.
  ///
  /// @param mask the slots that are not null by a validity
  void read(ArrayData array, long length, SlotMask mask, ValueSink sink) {
    switch ((Array.Bytes) Array.of(array)) {
      case Array.VariableBinary _ -> readDelimited(array, length, mask, sink);
      case Array.BinaryView views -> readViews(views, length, mask, sink);
      case Array.FixedWidth fixed -> readFixedWidth(fixed, length, mask, sink);
    }
  }

  private void readDelimited(ArrayData array, long length, SlotMask mask, ValueSink sink) {
    Integers ends = Integers.of(array, BufferRole.OFFSETS);
    MemorySegment data = array.buffer(BufferRole.DATA);
    for (long from = 0; from < length; from += SLOTS) {
      int n = (int) Math.min(SLOTS, length - from);
      int considered = ValueReader.considered(mask, from, n, sink);
      if (considered == 0) {
        continue;
      }
      for (int i = 0; i <= n; i++) {
        offsets[i] = ends.get(from + i);
      }
      boolean isAll = considered == n;
      int end;
      for (int start = 0; start < n; start = end) {
        end = start + 1;
        long base = offsets[start];
        if (offsets[end] - base > BlockMemory.TEXT_BYTE_SIZE) {
          if (isAll || ValueReader.isSet(mask, start)) {
            sink.addSegment(data.asSlice(base, offsets[end] - base), 1);
          }
          continue;
        }
        while (end < n && offsets[end + 1] - base <= BlockMemory.TEXT_BYTE_SIZE) {
          end++;
        }
        byte[] block = memory.bytes(data, base, (int) (offsets[end] - base));
        for (int i = start; i < end; i++) {
          if (isAll || ValueReader.isSet(mask, i)) {
            sink.addBytes(block, (int) (offsets[i] - base), (int) (offsets[i + 1] - offsets[i]), 1);
          }
        }
      }
    }
  }

  private void readViews(Array.BinaryView views, long length, SlotMask mask, ValueSink sink) {
    int viewByteSize = Array.BinaryView.VIEW_BYTE_SIZE;
    for (long from = 0; from < length; from += SLOTS) {
      int n = (int) Math.min(SLOTS, length - from);
      int considered = ValueReader.considered(mask, from, n, sink);
      if (considered == 0) {
        continue;
      }
      byte[] block = memory.bytes(views.views(), from * viewByteSize, n * viewByteSize);
      for (int i = 0; i < n; i++) {
        if (considered < n && !ValueReader.isSet(mask, i)) {
          continue;
        }
        int view = i * viewByteSize;
        int byteSize = (int) LittleEndian.getInt64(block, view);
        if (byteSize <= Array.BinaryView.INLINE_BYTE_SIZE_MAX) {
          sink.addBytes(block, view + Integer.BYTES, byteSize, 1);
          continue;
        }
        long location = LittleEndian.getInt64(block, view + Long.BYTES);
        MemorySegment data = views.dataBuffers().get((int) location);
        long start = location >>> Integer.SIZE;
        if (byteSize <= BlockMemory.TEXT_BYTE_SIZE) {
          int to = n * viewByteSize;
          memory.appendBytes(data, start, byteSize, to);
          sink.addBytes(block, to, byteSize, 1);
        } else {
          sink.addSegment(data.asSlice(start, byteSize), 1);
        }
      }
    }
  }

  private void readFixedWidth(Array.FixedWidth fixed, long length, SlotMask mask, ValueSink sink) {
    long byteWidth = fixed.byteWidth();
    if (byteWidth == 0) {
      long count = mask.count(length);
      sink.addNulls(length - count);
      if (count > 0) {
        sink.addBytes(NOTHING, 0, 0, count);
      }
      return;
    }
    long fitting = BlockMemory.TEXT_BYTE_SIZE / byteWidth / Long.SIZE * Long.SIZE;
    int blockLength = (int) Math.clamp(fitting, Long.SIZE, SLOTS);
    for (long from = 0; from < length; from += blockLength) {
      int n = (int) Math.min(blockLength, length - from);
      int considered = ValueReader.considered(mask, from, n, sink);
      if (considered == 0) {
        continue;
      }
      byte[] block =
          fitting == 0
              ? NOTHING
              : memory.bytes(fixed.values(), from * byteWidth, (int) (n * byteWidth));
      for (int i = 0; i < n; i++) {
        if (considered == n || ValueReader.isSet(mask, i)) {
          if (fitting == 0) {
            sink.addSegment(fixed.bytes(from + i), 1);
          } else {
            sink.addBytes(block, (int) (i * byteWidth), (int) byteWidth, 1);
          }
        }
      }
    }
  }
}
