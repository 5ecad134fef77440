package dev.quiver.benchmarks;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.jspecify.annotations.Nullable;

/// Compresses each buffer of an Arrow stream and does nothing else, with the libraries that the
/// service uses, at their fastest: buffers are in native memory, and contexts and target buffers
/// are reused.
///
/// Each line of standard input is a task: codec, threads, port. The result is a line with the
/// nanoseconds and the compressed byte size. If the port is not 0, the compressed buffers are also
/// sent to a client that listens there, in any order: the minimum that a server has to do.
public final class CodecLoop {

  private static final int LEVEL = 1;

  private CodecLoop() {}

  /// Runs the tasks one after the other on the buffers of the file, until the input ends.
  public static void main(String[] arguments) throws Exception {
    var buffers = buffers(Path.of(arguments[0]));
    var input = new Scanner(System.in, StandardCharsets.UTF_8);
    while (input.hasNext()) {
      System.out.println(run(input.next(), input.nextInt(), input.nextInt(), buffers));
    }
  }

  private static String run(String codec, int threads, int port, List<ByteBuffer> buffers)
      throws Exception {
    try (var pool = Executors.newFixedThreadPool(threads);
        var client = port == 0 ? null : SocketChannel.open(address(port))) {
      var next = new AtomicInteger();
      List<Callable<Long>> loops = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        loops.add(() -> loop(codec, buffers, next, client));
      }
      long start = System.nanoTime();
      long byteSize = 0;
      for (var done : pool.invokeAll(loops)) {
        byteSize += done.get();
      }
      return System.nanoTime() - start + " " + byteSize;
    }
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static long loop(
      String codec, List<ByteBuffer> buffers, AtomicInteger next, @Nullable SocketChannel client)
      throws IOException {
    int largest = buffers.stream().mapToInt(ByteBuffer::capacity).max().orElse(0);
    var to = ByteBuffer.allocateDirect(Math.toIntExact(Zstd.compressBound(largest)));
    try (var zstd = new ZstdCompressCtx().setLevel(LEVEL)) {
      LZ4Compressor lz4 = LZ4Factory.nativeInstance().fastCompressor();
      long byteSize = 0;
      for (int i = next.getAndIncrement(); i < buffers.size(); i = next.getAndIncrement()) {
        ByteBuffer from = buffers.get(i);
        int length = from.capacity();
        int compressed =
            switch (codec) {
              case "zstd" -> zstd.compressDirectByteBuffer(to, 0, to.capacity(), from, 0, length);
              case "lz4" -> lz4.compress(from, 0, length, to, 0, to.capacity());
              default -> throw new IOException("Expected a codec but found " + codec);
            };
        byteSize += compressed;
        if (client != null) {
          send(to.duplicate().limit(compressed), client);
        }
      }
      return byteSize;
    }
  }

  private static void send(ByteBuffer compressed, SocketChannel client) throws IOException {
    synchronized (client) {
      while (compressed.hasRemaining()) {
        client.write(compressed);
      }
    }
  }

  private static List<ByteBuffer> buffers(Path file) throws IOException {
    var buffers = new ArrayList<ByteBuffer>();
    try (var allocator = new RootAllocator();
        var reader = new ArrowStreamReader(Files.newByteChannel(file), allocator)) {
      while (reader.loadNextBatch()) {
        try (var batch = new VectorUnloader(reader.getVectorSchemaRoot()).getRecordBatch()) {
          for (var buffer : batch.getBuffers()) {
            int byteSize = Math.toIntExact(buffer.readableBytes());
            if (byteSize > 0) {
              buffers.add(
                  ByteBuffer.allocateDirect(byteSize).put(buffer.nioBuffer(0, byteSize)).flip());
            }
          }
        }
      }
    }
    return buffers;
  }
}
