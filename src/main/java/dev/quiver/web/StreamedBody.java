package dev.quiver.web;

import dev.quiver.memory.ByteSink;
import java.io.IOException;

/// A body that is made while it is sent: its length is not known before, so that it has no ranges.
@FunctionalInterface
non-sealed interface StreamedBody extends Body {

  void writeTo(ByteSink sink) throws IOException;
}
