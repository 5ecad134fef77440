package dev.quiver.fuzz;

import com.github.luben.zstd.Zstd;
import dev.quiver.arrow.codec.Zstandard;

/// A fuzz target for Zstandard frames. The library, called directly, must agree.
public final class ZstandardTarget {

  private ZstandardTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    CodecCheck.run(input, Zstandard.INSTANCE, Zstd::decompress);
  }
}
