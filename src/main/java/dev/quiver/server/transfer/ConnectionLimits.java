package dev.quiver.server.transfer;

import dev.quiver.server.config.AddressRange;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;

/// The limits on connections.
///
/// @param headSeconds the time in which the head of a request, or a TLS handshake, must arrive
/// @param idleSeconds the time in which the client must accept the end of a response
/// @param perAddress the maximum number of connections of one client; 0 for half of all
/// @param unboundedAddresses the addresses that may have any number, such as proxies
public record ConnectionLimits(
    int headSeconds, int idleSeconds, int perAddress, List<AddressRange> unboundedAddresses) {

  private static final int IPV6_NETWORK_BYTE_SIZE = 8;

  public ConnectionLimits {
    unboundedAddresses = List.copyOf(unboundedAddresses);
  }

  /// Returns the part of an address that stands for one client: all of an IPv4 address, and the
  /// first 64 bits of an IPv6 address, because a host may choose the rest (RFC 4291 §2.5.4).
  static ByteBuffer client(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return address instanceof Inet6Address ? bytes.limit(IPV6_NETWORK_BYTE_SIZE) : bytes;
  }

  /// Returns the maximum for an address.
  ///
  /// @param total the maximum number of all connections
  int maximum(InetAddress address, int total) {
    for (AddressRange unbounded : unboundedAddresses) {
      if (unbounded.contains(address)) {
        return total;
      }
    }
    return perAddress == 0 ? Math.max(1, total / 2) : perAddress;
  }
}
