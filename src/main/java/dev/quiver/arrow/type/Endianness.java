package dev.quiver.arrow.type;

/// The byte order of bodies, in the order of Schema.fbs. Metadata is always little-endian.
public enum Endianness {
  LITTLE,
  BIG
}
