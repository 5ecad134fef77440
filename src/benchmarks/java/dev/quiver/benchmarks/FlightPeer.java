package dev.quiver.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flight.BackpressureStrategy;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/// An Arrow Flight server. `DoGet` sends the batches of an Arrow stream, which are loaded at
/// startup and passed to gRPC without a copy. `DoPut` reads the batches and discards them.
public final class FlightPeer extends NoOpFlightProducer {

  private final BufferAllocator allocator;
  private final Schema schema;
  private final List<ArrowRecordBatch> batches = new ArrayList<>();

  private FlightPeer(Path file, BufferAllocator allocator) throws IOException {
    this.allocator = allocator;
    try (var reader = new ArrowStreamReader(Files.newByteChannel(file), allocator)) {
      var root = reader.getVectorSchemaRoot();
      schema = root.getSchema();
      while (reader.loadNextBatch()) {
        batches.add(new VectorUnloader(root).getRecordBatch());
      }
    }
  }

  /// Serves the stream in the file of the first argument at the port of the second, until killed.
  public static void main(String[] arguments) throws Exception {
    var allocator = new RootAllocator();
    var producer = new FlightPeer(Path.of(arguments[0]), allocator);
    var location = Location.forGrpcInsecure("127.0.0.1", Integer.parseInt(arguments[1]));
    FlightServer.builder(allocator, location, producer).build().start().awaitTermination();
  }

  @Override
  public void getStream(CallContext context, Ticket ticket, ServerStreamListener listener) {
    // The call's own thread signals when the listener is ready for more, so it must not block.
    Thread.ofPlatform().start(() -> send(listener));
  }

  private void send(ServerStreamListener listener) {
    var pressure = new BackpressureStrategy.CallbackBackpressureStrategy();
    pressure.register(listener);
    try (var root = VectorSchemaRoot.create(schema, allocator)) {
      var loader = new VectorLoader(root);
      listener.setUseZeroCopy(true);
      listener.start(root);
      for (ArrowRecordBatch batch : batches) {
        pressure.waitForListener(60_000);
        loader.load(batch);
        listener.putNext();
      }
      listener.completed();
    }
  }

  @Override
  public Runnable acceptPut(
      CallContext context, FlightStream stream, StreamListener<PutResult> results) {
    return () -> {
      while (stream.next()) {
        // Batches are discarded.
      }
      results.onCompleted();
    };
  }
}
