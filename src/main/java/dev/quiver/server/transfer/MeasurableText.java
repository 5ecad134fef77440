package dev.quiver.server.transfer;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A text that is rendered while it is sent, and whose length is learned by rendering it once.
public interface MeasurableText extends StreamingBody {

  /// Returns the text as a body of known length, or null if the length is unknown. Takes no work.
  @Nullable FixedLengthBody known();

  /// Learns the length: renders the text, or waits for another request that does.
  ///
  /// @param permits permits one rendering
  /// @param hasClient returns whether the client still waits
  /// @return the text as a body of known length, or null if the client went away before
  @Nullable FixedLengthBody measure(PermitSource permits, BooleanSupplier hasClient)
      throws IOException;

  /// A source of permits.
  interface PermitSource {

    /// Waits for a permit.
    ///
    /// @throws dev.quiver.arrow.memory.OverloadedException if that takes too long
    ResponseAdmission.Permit acquire() throws IOException;
  }
}
