package dev.quiver.server.transfer;

import dev.quiver.server.config.AddressRange;
import java.net.InetAddress;
import java.util.List;

/// The limits on connections.
///
/// @param headSeconds the time in which the head of a request, or a TLS handshake, must arrive
/// @param idleSeconds the time in which the client must accept the end of a response
/// @param perAddress the maximum number of connections of one client; 0 for half of all
/// @param unboundedAddresses the addresses that may have any number, such as proxies
public record ConnectionLimits(
    int headSeconds, int idleSeconds, int perAddress, List<AddressRange> unboundedAddresses) {

  public ConnectionLimits {
    unboundedAddresses = List.copyOf(unboundedAddresses);
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
