package dev.quiver.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.zip.CRC32C;
import org.apache.arrow.flight.AsyncPutListener;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/// A client that reads tables into Arrow Java vectors, over Flight or HTTP, and sends them over
/// Flight.
///
/// Each line of standard input is a task with a result of one line:
///
/// * `get URI`: the nanoseconds to read all batches into vectors; `http:` or `grpc+tcp:`
/// * `sum URI`: a checksum of all buffers; also accepts an Arrow stream in a `file:`
/// * `put URI`: the nanoseconds of a `DoPut` with the batches of the file in the program's argument
public final class TableClient {

  private static final int PIECE_BYTES = 256 << 10;

  private final BufferAllocator allocator = new RootAllocator();
  private final Path source;
  private final Map<URI, FlightClient> connected = new HashMap<>();

  private TableClient(Path source) {
    this.source = source;
  }

  /// Runs the tasks one after the other, until the input ends.
  public static void main(String[] arguments) throws Exception {
    var client = new TableClient(Path.of(arguments[0]));
    var input = new Scanner(System.in, StandardCharsets.UTF_8);
    while (input.hasNext()) {
      String task = input.next();
      var uri = URI.create(input.next());
      System.out.println(
          switch (task) {
            case "get" -> client.get(uri);
            case "sum" -> client.sum(uri);
            case "put" -> client.put(uri);
            default -> throw new IOException("Expected a task but found " + task);
          });
    }
  }

  private long get(URI uri) throws Exception {
    long start = System.nanoTime();
    read(uri, root -> {});
    return System.nanoTime() - start;
  }

  private long sum(URI uri) throws Exception {
    var sum = new CRC32C();
    read(
        uri,
        root -> {
          try (var batch = new VectorUnloader(root).getRecordBatch()) {
            for (var buffer : batch.getBuffers()) {
              sum.update(buffer.nioBuffer(0, Math.toIntExact(buffer.readableBytes())));
            }
          }
        });
    return sum.getValue();
  }

  private interface Batch {
    void read(VectorSchemaRoot root);
  }

  private void read(URI uri, Batch each) throws Exception {
    if (uri.getScheme().startsWith("grpc")) {
      try (var stream = flight(uri).getStream(new Ticket(new byte[0]))) {
        while (stream.next()) {
          each.read(stream.getRoot());
        }
      }
    } else {
      try (var reader = new ArrowStreamReader(large(uri.toURL().openStream()), allocator)) {
        while (reader.loadNextBatch()) {
          each.read(reader.getVectorSchemaRoot());
        }
      }
    }
  }

  /// Returns the client for a URI, whose connection persists between tasks, as HTTP connections do.
  private FlightClient flight(URI uri) {
    return connected.computeIfAbsent(
        uri, each -> FlightClient.builder(allocator, new Location(each)).build());
  }

  /// Returns a channel that reads large pieces. The channel that Arrow Java creates for a stream
  /// reads 16 KiB at a time and spends more time on system calls than on bytes.
  private static ReadableByteChannel large(InputStream stream) {
    byte[] piece = new byte[PIECE_BYTES];
    return new ReadableByteChannel() {
      @Override
      public int read(ByteBuffer target) throws IOException {
        int count = stream.read(piece, 0, Math.min(piece.length, target.remaining()));
        if (count > 0) {
          target.put(piece, 0, count);
        }
        return count;
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() throws IOException {
        stream.close();
      }
    };
  }

  private long put(URI uri) throws Exception {
    var batches = new ArrayList<ArrowRecordBatch>();
    Schema schema = load(batches);
    long start;
    try (var root = VectorSchemaRoot.create(schema, allocator)) {
      start = System.nanoTime();
      var loader = new VectorLoader(root);
      var stream =
          flight(uri).startPut(FlightDescriptor.path("put"), root, new AsyncPutListener());
      for (ArrowRecordBatch batch : batches) {
        loader.load(batch);
        stream.putNext();
      }
      stream.completed();
      stream.getResult();
    }
    long nanos = System.nanoTime() - start;
    batches.forEach(ArrowRecordBatch::close);
    return nanos;
  }

  private Schema load(List<ArrowRecordBatch> batches) throws IOException {
    try (var reader = new ArrowStreamReader(Files.newByteChannel(source), allocator)) {
      var root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        batches.add(new VectorUnloader(root).getRecordBatch());
      }
      return root.getSchema();
    }
  }
}
