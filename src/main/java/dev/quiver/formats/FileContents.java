package dev.quiver.formats;

import java.io.IOException;
import java.io.InputStream;

/// The bytes of a file that can be read several times.
@FunctionalInterface
public interface FileContents {

  /// Opens the file at its start.
  InputStream open() throws IOException;
}
