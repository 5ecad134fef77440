package dev.quiver.sql.worker;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;

/// The main class of a worker process.
public final class WorkerMain {

  private WorkerMain() {}

  /// Connects to the service and runs statements until the service closes the connection.
  public static void main(String[] arguments) {
    WorkerOptions options = WorkerOptions.parse(arguments);
    int exitCode = 1;
    try (SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.connect(UnixDomainSocketAddress.of(options.socket()));
      new Worker(new FrameChannel(socket), options).run();
    } catch (EOFException e) {
      // The service has closed the connection or has died.
      exitCode = 0;
    } catch (IOException | RuntimeException | Error e) {
      e.printStackTrace();
    }
    // A statement may still be running, and nothing waits for it.
    Runtime.getRuntime().halt(exitCode);
  }
}
