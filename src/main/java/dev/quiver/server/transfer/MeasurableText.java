package dev.quiver.server.transfer;

import dev.quiver.arrow.parallel.Admission.Permit;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A text that is rendered while it is sent, and whose length is learned by rendering it once.
public interface MeasurableText extends StreamingBody {

  /// Returns the text as a body of known length, or null if the length is unknown. Takes no work.
  @Nullable FixedLengthBody known();

  /// Learns the length: renders the text, or waits for another request that does.
  ///
  /// @param permits permits one rendering
  /// @return the text as a body of known length, or null if the client went away before
  @Nullable FixedLengthBody measure(PermitSource permits) throws IOException;

  /// A source of permits.
  interface PermitSource {

    /// Waits for a permit.
    ///
    /// @throws dev.quiver.arrow.parallel.OverloadedException if that takes too long
    Permit acquire() throws IOException;
  }
}
