package dev.quiver.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressRangeTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.1, false",
    "192.168.16.0/20, 192.168.31.255, true",
    "192.168.16.0/20, 192.168.32.0, false",
    "192.168.16.0/20, 192.168.0.0, false",
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.0.0.2, false",
    "0.0.0.0/0, 203.0.113.9, true",
    "0.0.0.0/0, ::1, false",
    "fd00::/9, fd7f::1, true",
    "fd00::/9, fd80::1, false",
    "::ffff:10.0.0.1, 10.0.0.1, true"
  })
  void containsTheAddressesThatShareItsPrefix(String range, String address, boolean contained) {
    assertThat(AddressRange.of(range).contains(InetAddress.ofLiteral(address)))
        .isEqualTo(contained);
  }
}
