package dev.quiver.foreign.parquet.read.column;

import dev.quiver.foreign.parquet.page.FixedWidthDecoder;
import dev.quiver.foreign.parquet.read.schema.LeafType;

/// A decoder of values that have another form in Arrow.
final class ConvertingDecoder extends FixedWidthDecoder {

  private final FixedWidthDecoder decoder;
  private final LeafType type;
  private final Workspace workspace;

  /// @param decoder of the values in the file's form
  ConvertingDecoder(FixedWidthDecoder decoder, LeafType type, Workspace workspace) {
    this.decoder = decoder;
    this.type = type;
    this.workspace = workspace;
  }

  @Override
  public void read(byte[] target, int count) {
    byte[] stored = workspace.stored(count * type.storedWidth());
    decoder.read(stored, count);
    type.conversion().convert(stored, target, count);
  }
}
