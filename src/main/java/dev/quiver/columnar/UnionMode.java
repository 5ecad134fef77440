package dev.quiver.columnar;

/// Whether a union's children have a slot for every slot of the union, in the order of Schema.fbs.
public enum UnionMode {
  SPARSE,
  DENSE
}
