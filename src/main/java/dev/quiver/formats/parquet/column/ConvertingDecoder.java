package dev.quiver.formats.parquet.column;

import dev.quiver.formats.parquet.file.LeafType;
import dev.quiver.formats.parquet.page.FixedWidthDecoder;

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
