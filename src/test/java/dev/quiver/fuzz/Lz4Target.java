package dev.quiver.fuzz;

import dev.quiver.codec.Lz4Frame;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;

/// LZ4 frames, which lz4-java reads alike where blocks are independent, and Commons Compress where
/// they are linked.
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
