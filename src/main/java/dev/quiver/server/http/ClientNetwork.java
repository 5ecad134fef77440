package dev.quiver.server.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/// The part of an address that stands for one client: all of an IPv4 address, and the first 64 bits
/// of an IPv6 address, because a host may choose the rest (RFC 4291 §2.5.4).
///
/// @param prefix the bytes of that part, in hexadecimal
public record ClientNetwork(String prefix) {

  private static final int IPV6_BYTE_SIZE = 8;

  /// Returns the network of a client.
  ///
  /// @param address a literal IP address, perhaps with the zone of an IPv6 address
  public static ClientNetwork of(String address) {
    int zone = address.indexOf('%');
    return of(InetAddress.ofLiteral(zone < 0 ? address : address.substring(0, zone)));
  }

  /// Returns the network of a client.
  public static ClientNetwork of(InetAddress address) {
    byte[] bytes = address.getAddress();
    return new ClientNetwork(
        HexFormat.of()
            .formatHex(
                address instanceof Inet6Address ? Arrays.copyOf(bytes, IPV6_BYTE_SIZE) : bytes));
  }
}
