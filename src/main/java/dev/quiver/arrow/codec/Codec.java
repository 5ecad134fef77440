package dev.quiver.arrow.codec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The codec of the buffers of a body.
///
/// It lives below the metadata, whose `CompressionType` mirrors the format and has no `NONE`: only
/// `ipc` translates between the two.
public enum Codec {
  NONE,
  LZ4,
  ZSTD;

  /// Returns the library that compresses single buffers, or null for [#NONE].
  public @Nullable BufferCodec bufferCodec() {
    return switch (this) {
      case NONE -> null;
      case LZ4 -> Lz4Frame.INSTANCE;
      case ZSTD -> Zstandard.INSTANCE;
    };
  }

  /// Returns the name in parameters, media types and documents, such as `lz4`.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Loads the libraries of all codecs, which happens at their first use otherwise. A thread that
  /// may open no files cannot load them.
  public static void loadLibraries() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(1);
      for (Codec codec : values()) {
        BufferCodec library = codec.bufferCodec();
        if (library != null) {
          library.compress(source, arena.allocate(library.maximumCompressedByteSize(1)));
        }
      }
    }
  }
}
