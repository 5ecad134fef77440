package dev.quiver.render;

/// How JSON has integers of 64 bits and decimals, which many readers of JSON round.
public enum Numbers {
  /// As numbers, with all their digits.
  NUMBER,
  /// As strings of those digits.
  STRING
}
