package dev.quiver.arrow.type;

/// The modes of a union, in the order of Schema.fbs. Children of a sparse union have a slot for
/// every slot of the union.
public enum UnionMode {
  SPARSE,
  DENSE
}
