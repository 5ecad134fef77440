package dev.quiver.sql.worker;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/// A worker that has started.
///
/// @param engineVersion such as `v2.0.0`
/// @param fileAccessDenied whether the kernel denies files to the threads that run statements
public record WorkerStatus(String engineVersion, boolean fileAccessDenied) implements Payload {

  public static WorkerStatus read(DataInput input) throws IOException {
    return new WorkerStatus(Payload.readText(input), input.readBoolean());
  }

  @Override
  public void write(DataOutput output) throws IOException {
    Payload.writeText(output, engineVersion);
    output.writeBoolean(fileAccessDenied);
  }
}
