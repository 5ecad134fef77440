package dev.quiver.fuzz;

import dev.quiver.arrow.codec.Lz4Frame;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;

/// A fuzz target for LZ4 frames. lz4-java must agree on frames with independent blocks, Commons
/// Compress on those with linked blocks.
public final class Lz4Target {

  private Lz4Target() {}

  public static void fuzzerTestOneInput(byte[] input) {
    CodecCheck.run(input, Lz4Frame.INSTANCE, Lz4Target::decompress);
  }

  private static byte[] decompress(byte[] frame, int byteSize) throws IOException {
    try (InputStream stream = new LZ4FrameInputStream(new ByteArrayInputStream(frame), true)) {
      return stream.readAllBytes();
    } catch (IOException | RuntimeException e) {
      try (InputStream stream =
          new FramedLZ4CompressorInputStream(new ByteArrayInputStream(frame), false)) {
        return stream.readAllBytes();
      }
    }
  }
}
