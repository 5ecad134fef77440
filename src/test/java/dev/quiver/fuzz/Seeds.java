package dev.quiver.fuzz;

import com.github.luben.zstd.ZstdCompressCtx;
import dev.quiver.arrow.codec.BufferCodec;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.Lz4Frame;
import dev.quiver.arrow.codec.Zstandard;
import dev.quiver.arrow.ipc.DictionaryStream;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.golden.Written;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG.Bits;

/// Valid initial inputs for the fuzzer: random data from our writers, and golden files if
/// available.
final class Seeds {

  private static final int BYTE_SIZE_MAXIMUM = 4096;
  private static final int RANDOM_COUNT = 60;

  private Seeds() {}

  static List<byte[]> streams() throws IOException {
    List<byte[]> seeds = written(false);
    seeds.addAll(OldSeeds.streams());
    seeds.addAll(golden("", "arrow-ipc-tensor-stream"));
    for (DictionaryStream stream : DictionarySeeds.all()) {
      seeds.add(stream.stream());
    }
    return seeds;
  }

  static List<byte[]> files() throws IOException {
    List<byte[]> seeds = written(true);
    for (DictionaryStream stream : DictionarySeeds.all()) {
      seeds.add(stream.file());
    }
    return seeds;
  }

  static List<byte[]> inspect() throws IOException {
    List<byte[]> seeds = streams();
    seeds.addAll(files());
    return seeds;
  }

  /// Returns the metadata of all messages, and the footers.
  static List<byte[]> metadata() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (byte[] stream : streams()) {
      Anatomy anatomy = Anatomy.of(stream);
      for (int start : anatomy.boundaries()) {
        int prefix = start + 4 <= stream.length && int32(stream, start) == -1 ? 8 : 4;
        if (start + prefix <= stream.length && int32(stream, start + prefix - 4) > 0) {
          int end = start + prefix + int32(stream, start + prefix - 4);
          seeds.add(Arrays.copyOfRange(stream, start + prefix, end));
        }
      }
    }
    for (byte[] file : files()) {
      int end = file.length - Framing.FILE_TRAILER_BYTE_SIZE;
      seeds.add(Arrays.copyOfRange(file, end - int32(file, end), end));
    }
    return seeds;
  }

  static List<byte[]> lz4() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (byte[] content : contents()) {
      seeds.add(sized(content, compressed(Lz4Frame.INSTANCE, content)));
      seeds.add(sized(content, lz4(content, Bits.BLOCK_INDEPENDENCE)));
      seeds.add(
          sized(
              content,
              lz4(
                  content,
                  Bits.BLOCK_INDEPENDENCE,
                  Bits.BLOCK_CHECKSUM,
                  Bits.CONTENT_SIZE,
                  Bits.CONTENT_CHECKSUM)));
    }
    return seeds;
  }

  static List<byte[]> zstandard() {
    List<byte[]> seeds = new ArrayList<>();
    for (byte[] content : contents()) {
      seeds.add(sized(content, compressed(Zstandard.INSTANCE, content)));
      try (ZstdCompressCtx context = new ZstdCompressCtx()) {
        context.setChecksum(true);
        seeds.add(sized(content, context.compress(content)));
        context.setContentSize(false);
        seeds.add(sized(content, context.compress(content)));
      }
    }
    return seeds;
  }

  private static List<byte[]> written(boolean asFile) throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (int seed = 0; seed < RANDOM_COUNT; seed++) {
      try (Arena arena = Arena.ofConfined()) {
        Written written = Written.random(seed, 2, arena);
        Codec codec = Codec.values()[seed % Codec.values().length];
        MemorySegment bytes = asFile ? written.file(codec) : written.stream(codec);
        seeds.add(bytes.toArray(LittleEndian.INT8));
      }
    }
    seeds.addAll(golden(asFile ? ".arrow_file" : ".stream", "arrow-ipc-stream"));
    seeds.removeIf(seed -> seed.length > BYTE_SIZE_MAXIMUM);
    return seeds;
  }

  private static List<byte[]> golden(String suffix, String subfolder) throws IOException {
    String folder = System.getenv("ARROW_TEST_DATA");
    List<byte[]> found = new ArrayList<>();
    if (folder != null && !folder.isEmpty()) {
      try (Stream<Path> files = Files.walk(Path.of(folder, subfolder))) {
        for (Path file : files.filter(f -> isSeed(f, suffix)).sorted().toList()) {
          found.add(Files.readAllBytes(file));
        }
      }
    }
    return found;
  }

  private static boolean isSeed(Path file, String suffix) {
    return Files.isRegularFile(file) && file.toString().endsWith(suffix);
  }

  /// Returns an empty content, a random one, one of few distinct bytes, and zeros.
  private static List<byte[]> contents() {
    Random random = new Random(42);
    byte[] noise = new byte[200];
    random.nextBytes(noise);
    byte[] words = new byte[600];
    for (int i = 0; i < words.length; i++) {
      words[i] = (byte) ("Arrow IPC".charAt(random.nextInt(3) + i % 7));
    }
    return List.of(new byte[0], noise, words, new byte[3000]);
  }

  private static byte[] compressed(BufferCodec codec, byte[] content) {
    byte[] frame = new byte[Math.toIntExact(codec.maximumCompressedByteSize(content.length))];
    long byteSize = codec.compress(MemorySegment.ofArray(content), MemorySegment.ofArray(frame));
    return Arrays.copyOf(frame, (int) byteSize);
  }

  private static byte[] lz4(byte[] content, Bits... bits) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (LZ4FrameOutputStream stream =
        new LZ4FrameOutputStream(bytes, BLOCKSIZE.SIZE_64KB, content.length, bits)) {
      // Writes several blocks.
      for (int at = 0; at < content.length; at += 150) {
        stream.write(content, at, Math.min(150, content.length - at));
        stream.flush();
      }
    }
    return bytes.toByteArray();
  }

  /// Returns the content's size followed by a frame, as [CodecCheck] expects.
  private static byte[] sized(byte[] content, byte[] frame) {
    byte[] seed = new byte[2 + frame.length];
    seed[0] = (byte) content.length;
    seed[1] = (byte) (content.length >>> 8);
    System.arraycopy(frame, 0, seed, 2, frame.length);
    return seed;
  }

  private static int int32(byte[] bytes, int at) {
    return LittleEndian.getInt32(MemorySegment.ofArray(bytes), at);
  }
}
