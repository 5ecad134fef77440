package dev.quiver.columnar;

/// The byte order of bodies, in the order of Schema.fbs. Metadata is always little-endian.
public enum Endianness {
  LITTLE,
  BIG
}
