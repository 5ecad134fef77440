package dev.quiver.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class ClientNetworkTest {

  private static ClientNetwork client(String address) throws Exception {
    return ClientNetwork.of(InetAddress.getByName(address));
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
