package dev.quiver.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ConnectionLimitsTest {

  private static ByteBuffer client(String address) throws Exception {
    return ConnectionLimits.client(InetAddress.getByName(address));
  }

  @Test
  void countsEachAddressOfVersionFour() throws Exception {
    assertThat(client("192.0.2.1")).isEqualTo(client("192.0.2.1"));
    assertThat(client("192.0.2.1")).isNotEqualTo(client("192.0.2.2"));
    assertThat(client("192.0.2.1")).isEqualTo(client("::ffff:192.0.2.1"));
  }

  @Test
  void countsAllAddressesOfANetworkOfVersionSixTogether() throws Exception {
    assertThat(client("2001:db8:1:2::1")).isEqualTo(client("2001:db8:1:2:ffff:ffff:ffff:ffff"));
    assertThat(client("2001:db8:1:2::1")).isNotEqualTo(client("2001:db8:1:3::1"));
  }
}
