package dev.quiver.arrow.text;

/// The JSON form of 64-bit integers and decimals, which many readers of JSON round.
public enum JsonNumbers {
  /// As numbers, with all their digits.
  NUMBER,
  /// As strings of those digits.
  STRING
}
