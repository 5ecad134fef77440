package dev.quiver.formats.excel;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/// Cells of a sheet of which there is something to tell.
///
/// @param firstCell the name of the first one, such as `B7`, or empty without any
/// @param firstText its text, or empty if it has none
record SheetNote(long count, String firstCell, String firstText) {

  static final SheetNote NONE = new SheetNote(0, "", "");

  static SheetNote read(DataInput input) throws IOException {
    return new SheetNote(input.readLong(), input.readUTF(), input.readUTF());
  }

  void write(DataOutput output) throws IOException {
    output.writeLong(count);
    output.writeUTF(firstCell);
    output.writeUTF(firstText);
  }

  /// Returns the note with one cell more.
  SheetNote with(String cell, String text) {
    return count == 0
        ? new SheetNote(1, cell, text)
        : new SheetNote(count + 1, firstCell, firstText);
  }
}
