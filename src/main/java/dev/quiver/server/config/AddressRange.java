package dev.quiver.server.config;

import java.net.InetAddress;
import java.util.regex.Pattern;

/// A range of IP addresses: a single address, or a network in CIDR notation (RFC 4632), such as
/// `10.0.0.0/8` or `fd00::/8`.
public record AddressRange(InetAddress network, int prefixBits) {

  /// The address of a network without its trailing zeros, such as `10` or `10.1`, which Java takes
  /// for `0.0.0.10` and `10.0.0.1`.
  private static final Pattern CUT_ADDRESS = Pattern.compile("[0-9]+(?:\\.[0-9]+){0,2}");

  /// @throws IllegalArgumentException if the number of bits exceeds the address
  public AddressRange {
    int addressBits = network.getAddress().length * Byte.SIZE;
    if (prefixBits < 0 || prefixBits > addressBits) {
      throw new IllegalArgumentException(
          "Expected 0 to " + addressBits + " bits but found " + prefixBits);
    }
  }

  /// Parses an address or a network of `quiver.limits.unbounded-addresses`.
  ///
  /// @throws ConfigurationException if it is neither
  public static AddressRange of(String text) {
    return of(text, "quiver.limits.unbounded-addresses");
  }

  /// Parses an address or a network. Names are not resolved.
  ///
  /// @param key the configuration key
  /// @throws ConfigurationException if it is neither
  static AddressRange of(String text, String key) {
    int slash = text.indexOf('/');
    try {
      InetAddress network = address(slash < 0 ? text : text.substring(0, slash));
      return new AddressRange(
          network,
          slash < 0
              ? network.getAddress().length * Byte.SIZE
              : Integer.parseInt(text.substring(slash + 1)));
    } catch (IllegalArgumentException e) {
      throw ConfigurationException.of("an IP address or a network such as 10.0.0.0/8", text, key);
    }
  }

  /// Parses an IP address with all of its parts.
  ///
  /// @throws IllegalArgumentException if a text is not an address
  public static InetAddress address(String text) {
    if (CUT_ADDRESS.matcher(text).matches()) {
      throw new IllegalArgumentException("Expected four numbers but found " + text);
    }
    return InetAddress.ofLiteral(text);
  }

  /// Returns whether an address is within this range.
  public boolean contains(InetAddress address) {
    byte[] expected = network.getAddress();
    byte[] found = address.getAddress();
    if (expected.length != found.length) {
      return false;
    }
    for (int i = 0, bits = prefixBits; bits > 0; i++, bits -= Byte.SIZE) {
      int mask = bits >= Byte.SIZE ? 0xFF : 0xFF << (Byte.SIZE - bits);
      if (((expected[i] ^ found[i]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }
}
