package dev.quiver.sql.worker;

import dev.quiver.arrow.memory.Limit;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A sheet of a workbook to read.
///
/// @param file the path of the workbook, in the folder whose files the worker reaches
/// @param sheet its name or its number, counted from 1; null for the first visible one with cells
/// @param nulls texts that stand for missing values
/// @param inflated bytes to which the parts that are read inflate
public record SheetRequest(String file, @Nullable String sheet, List<String> nulls, Limit inflated)
    implements Payload {

  public SheetRequest {
    nulls = List.copyOf(nulls);
  }

  static SheetRequest read(DataInput input) throws IOException {
    String file = Payload.readText(input);
    String sheet = input.readBoolean() ? Payload.readText(input) : null;
    List<String> nulls = new ArrayList<>();
    for (int i = Payload.readCount(input); i > 0; i--) {
      nulls.add(Payload.readText(input));
    }
    Limit inflated = new Limit(Payload.readText(input), input.readLong());
    return new SheetRequest(file, sheet, nulls, inflated);
  }

  @Override
  public void write(DataOutput output) throws IOException {
    Payload.writeText(output, file);
    output.writeBoolean(sheet != null);
    if (sheet != null) {
      Payload.writeText(output, sheet);
    }
    output.writeInt(nulls.size());
    for (String text : nulls) {
      Payload.writeText(output, text);
    }
    Payload.writeText(output, inflated.name());
    output.writeLong(inflated.maximum());
  }
}
