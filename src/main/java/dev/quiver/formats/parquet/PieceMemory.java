package dev.quiver.formats.parquet;

/// The memory of pieces that are decoded together. It is reused once the rows of all of them are
/// read.
final class PieceMemory {

  private final BoundedMemory memory;
  private int pieceCount;

  PieceMemory(BoundedMemory memory) {
    this.memory = memory;
  }

  BoundedMemory memory() {
    return memory;
  }

  void add() {
    pieceCount++;
  }

  /// Removes a piece.
  ///
  /// @return whether no piece is left
  boolean remove() {
    return --pieceCount == 0;
  }

  boolean isEmpty() {
    return pieceCount == 0;
  }
}
