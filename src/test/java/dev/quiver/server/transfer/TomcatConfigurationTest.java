package dev.quiver.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.coyote.http11.Http11NioProtocol;
import org.junit.jupiter.api.Test;

/// The number of connections, which the heap limits.
class TomcatConfigurationTest {

  private static Http11NioProtocol bounded(int connections, int threads, long heapBytes) {
    Http11NioProtocol protocol = new Http11NioProtocol();
    protocol.setMaxConnections(connections);
    protocol.setMaxThreads(threads);
    TomcatConfiguration.bound(protocol, heapBytes);
    return protocol;
  }

  @Test
  void keepsTheConfiguredConnectionsIfTheHeapHasRoom() {
    Http11NioProtocol protocol = bounded(2048, 100, 512 << 20);
    assertThat(protocol.getMaxConnections()).isEqualTo(2048);
    assertThat(protocol.getMaxThreads()).isEqualTo(100);
  }

  @Test
  void reducesConnectionsToTheCapacityOfTheHeap() {
    Http11NioProtocol protocol = bounded(2048, 2048, (512 << 20) - 1);
    assertThat(protocol.getMaxConnections()).isEqualTo(2047);
    assertThat(protocol.getMaxThreads()).isEqualTo(2047);
  }

  @Test
  void heapLimitsConnectionsWithoutAConfiguredLimit() {
    assertThat(bounded(-1, 10, 64 << 20).getMaxConnections()).isEqualTo(256);
    assertThat(bounded(-1, 10, Long.MAX_VALUE).getMaxConnections()).isEqualTo(Integer.MAX_VALUE);
  }
}
