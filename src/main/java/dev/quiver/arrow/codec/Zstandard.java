package dev.quiver.arrow.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.util.ZstdVersion;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.parallel.Pool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/// The Zstandard codec, by zstd-jni. It writes frames at level 1 with their content size.
///
/// The library works on native addresses of any size; segments on the heap are copied. It cannot
/// detect that another thread closes a segment while it runs, which the owner must not do. Its
/// contexts are pooled, since creating one costs more than a small buffer does.
public final class Zstandard implements BufferCodec {

  public static final Zstandard INSTANCE = new Zstandard();

  private static final int LEVEL = 1;

  /// A block that repeats one byte has four bytes, and expands to 128 KiB.
  private static final int MAXIMUM_UNCOMPRESSED_RATIO = (128 << 10) / 4;

  private final Pool<ZstdCompressCtx> compressors;
  private final Pool<ZstdDecompressCtx> decompressors;

  private Zstandard() {
    int processors = Runtime.getRuntime().availableProcessors();
    compressors = new Pool<>(processors, ZstdCompressCtx::close);
    decompressors = new Pool<>(processors, ZstdDecompressCtx::close);
  }

  @Override
  public long maximumCompressedByteSize(long byteSize) {
    return Zstd.compressBound(byteSize);
  }

  @Override
  public int maximumUncompressedRatio() {
    return MAXIMUM_UNCOMPRESSED_RATIO;
  }

  @Override
  public String libraryVersion() {
    return ZstdVersion.VERSION;
  }

  @Override
  public long compress(MemorySegment source, MemorySegment destination) {
    long needed = maximumCompressedByteSize(source.byteSize());
    if (destination.byteSize() < needed) {
      throw new IllegalArgumentException(
          "Expected a destination of at least %d bytes but found %d"
              .formatted(needed, destination.byteSize()));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = nativeCopy(source, arena);
      MemorySegment to = destination.isNative() ? destination : arena.allocate(needed);
      long byteSize = compressNative(from, to);
      if (Zstd.isError(byteSize)) {
        throw new IllegalStateException("Zstandard failed: " + Zstd.getErrorName(byteSize));
      }
      if (!destination.isNative()) {
        MemorySegment.copy(to, 0, destination, 0, byteSize);
      }
      return byteSize;
    }
  }

  @Override
  public void decompress(MemorySegment source, MemorySegment destination) {
    ZstandardFrame.check(source, destination.byteSize());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = nativeCopy(source, arena);
      MemorySegment to =
          destination.isNative() ? destination : arena.allocate(destination.byteSize());
      checkResult(decompressNative(from, to), destination.byteSize());
      if (!destination.isNative()) {
        destination.copyFrom(to);
      }
    }
  }

  private long compressNative(MemorySegment from, MemorySegment to) {
    try {
      if (areByteBuffers(from, to)) {
        return compressBuffer(from.asByteBuffer(), to.asByteBuffer());
      }
      return Zstd.compressUnsafe(
          to.address(), to.byteSize(), from.address(), from.byteSize(), LEVEL);
    } catch (ZstdException e) {
      return -e.getErrorCode();
    } finally {
      Reference.reachabilityFence(from);
      Reference.reachabilityFence(to);
    }
  }

  private long decompressNative(MemorySegment from, MemorySegment to) {
    try {
      if (areByteBuffers(from, to)) {
        return decompressBuffer(from.asByteBuffer(), to.asByteBuffer());
      }
      return Zstd.decompressUnsafe(to.address(), to.byteSize(), from.address(), from.byteSize());
    } catch (ZstdException e) {
      return -e.getErrorCode();
    } finally {
      Reference.reachabilityFence(from);
      Reference.reachabilityFence(to);
    }
  }

  /// A context that failed is reset by its next use, since each call compresses a separate frame.
  private long compressBuffer(ByteBuffer from, ByteBuffer to) {
    ZstdCompressCtx idle = compressors.poll();
    ZstdCompressCtx context = idle == null ? new ZstdCompressCtx().setLevel(LEVEL) : idle;
    try {
      return context.compressDirectByteBuffer(to, 0, to.limit(), from, 0, from.limit());
    } finally {
      compressors.giveBack(context);
    }
  }

  private long decompressBuffer(ByteBuffer from, ByteBuffer to) {
    ZstdDecompressCtx idle = decompressors.poll();
    ZstdDecompressCtx context = idle == null ? new ZstdDecompressCtx() : idle;
    try {
      return context.decompressDirectByteBuffer(to, 0, to.limit(), from, 0, from.limit());
    } finally {
      decompressors.giveBack(context);
    }
  }

  /// The library's contexts accept only byte buffers, which are below 2 GiB. Empty ones are
  /// excluded, since they may have no address.
  private static boolean areByteBuffers(MemorySegment from, MemorySegment to) {
    return isByteBuffer(from) && isByteBuffer(to);
  }

  private static boolean isByteBuffer(MemorySegment segment) {
    return segment.byteSize() > 0 && segment.byteSize() <= Integer.MAX_VALUE;
  }

  private static MemorySegment nativeCopy(MemorySegment segment, Arena arena) {
    return segment.isNative() ? segment : arena.allocate(segment.byteSize()).copyFrom(segment);
  }

  /// Checks a result. The library returns errors as sizes close to 2⁶⁴, without a position.
  private static void checkResult(long byteSize, long contentByteSize) {
    if (Zstd.isError(byteSize)) {
      throw new MalformedInputException(
          "a Zstandard frame of " + contentByteSize + " bytes of content",
          "one that does not decode (" + Zstd.getErrorName(byteSize) + ")",
          InputLocation.byteOffset(0));
    }
    if (byteSize != contentByteSize) {
      throw new MalformedInputException(
          contentByteSize + " bytes of content in a Zstandard frame",
          Long.toString(byteSize),
          InputLocation.byteOffset(0));
    }
  }
}
