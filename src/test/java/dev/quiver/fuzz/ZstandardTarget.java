package dev.quiver.fuzz;

import com.github.luben.zstd.Zstd;
import dev.quiver.codec.Zstandard;

/// Zstandard frames, which the library reads alike when it is asked directly.
public final class ZstandardTarget {

  private ZstandardTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    CodecCheck.run(input, Zstandard.INSTANCE, Zstd::decompress);
  }
}
