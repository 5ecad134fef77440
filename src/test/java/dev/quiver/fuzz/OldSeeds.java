package dev.quiver.fuzz;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.LegacyFraming;
import dev.quiver.arrow.ipc.Version4;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.golden.Written;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/// Streams as older releases and other writers produce them.
final class OldSeeds {

  private static final int COUNT = 12;
  private static final Codec[] CODECS = {Codec.LZ4, Codec.ZSTD};

  private OldSeeds() {}

  static List<byte[]> streams() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (int seed = 100; seed < 100 + COUNT; seed++) {
      try (Arena arena = Arena.ofConfined()) {
        Written written = Written.random(seed, 1, arena);
        byte[] stream = written.stream(Codec.NONE).toArray(LittleEndian.INT8);
        seeds.add(LegacyFraming.of(stream));
        seeds.add(Version4.of(stream));
        seeds.add(OtherHeaders.withUnknownNullCounts(stream));
        Codec codec = CODECS[seed % CODECS.length];
        byte[] compressed = written.stream(codec).toArray(LittleEndian.INT8);
        seeds.add(OtherHeaders.experimentallyCompressed(compressed, codec));
      }
    }
    return seeds;
  }
}
