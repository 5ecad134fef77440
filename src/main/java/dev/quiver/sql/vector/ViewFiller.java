package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.VIEWS;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Text and binary values in views, which only need the addresses of their buffers.
final class ViewFiller extends VectorFiller {

  private final MemorySegment views;
  private final MemorySegment[] buffers;
  private final @Nullable Staging staging;

  /// @param staging memory through which long values are copied, or null if their own memory lives
  ///   long enough
  ViewFiller(ArrayData array, Vectors vectors, @Nullable Staging staging) {
    super(array, vectors);
    this.views = array.buffer(VIEWS);
    this.buffers = array.variadicBuffers().toArray(MemorySegment[]::new);
    this.staging = staging;
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    long copied = staging == null ? 0 : copyLong(staging, slot, count, vector, row);
    long target = vectors.data(vector) + row * StringReferences.BYTE_SIZE;
    long first = slot * Array.BinaryView.VIEW_BYTE_SIZE;
    long source =
        NativeMemory.address(views, first, (long) count * Array.BinaryView.VIEW_BYTE_SIZE);
    for (int i = 0; i < count; i++) {
      long reference = target + (long) i * StringReferences.BYTE_SIZE;
      long view = source + (long) i * Array.BinaryView.VIEW_BYTE_SIZE;
      int byteSize = NativeMemory.getInt32(view);
      if (isNull(slot + i)) {
        // The view of a null slot may point anywhere.
        StringReferences.clear(reference);
      } else if (isInline(byteSize)) {
        long available = views.byteSize() - first - (view - source) - Integer.BYTES;
        StringReferences.set(reference, view + Integer.BYTES, available, byteSize, 0);
      } else {
        NativeMemory.setInt64(reference, NativeMemory.getInt64(view));
        long viewOffset = first + (view - source);
        NativeMemory.setInt64(
            reference + Long.BYTES, copied == 0 ? address(viewOffset, byteSize) : copied);
        copied += copied == 0 ? 0 : byteSize;
      }
    }
  }

  /// Copies all long values one after the other into memory of the vector. Returns their address,
  /// or 0 if absent.
  private long copyLong(Staging memory, long slot, int count, long vector, long row) {
    memory.clear();
    for (int i = 0; i < count; i++) {
      long view = (slot + i) * Array.BinaryView.VIEW_BYTE_SIZE;
      int byteSize = LittleEndian.getInt32(views, view);
      if (!isInline(byteSize) && !isNull(slot + i)) {
        memory.append(NativeMemory.segment(address(view, byteSize), byteSize));
      }
    }
    return memory.byteSize() == 0 ? 0 : memory.moveTo(vectors, vector, row);
  }

  private static boolean isInline(int byteSize) {
    return byteSize >= 0 && byteSize <= Array.BinaryView.INLINE_BYTE_SIZE_MAX;
  }

  private long address(long view, int byteSize) {
    int index = LittleEndian.getInt32(views, view + 8);
    int offset = LittleEndian.getInt32(views, view + 12);
    // The engine would read any bytes there, so damaged views must not pass.
    if (index < 0
        || index >= buffers.length
        || (offset | byteSize | buffers[index].byteSize() - offset - byteSize) < 0) {
      throw new ConversionException(
          "Expected a view of bytes within its buffers but found %d bytes at %d in column %s"
              .formatted(byteSize, offset, array.field().name()));
    }
    return buffers[index].address() + offset;
  }
}
