package dev.quiver.web;

import dev.quiver.codec.Codec;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// Damages data after it was stored.
final class Damage {

  private Damage() {}

  /// Uploads batches in Zstandard, and damages the first buffer of the last one.
  static void upload(RunningService service, String name, int rows, int batches) throws Exception {
    Codec[] codecs = new Codec[batches];
    Arrays.fill(codecs, Codec.ZSTD);
    service.put("/datasets/" + name + "?batches=keep", Streams.inCodecs(rows, codecs));
    damageLastBatch(service, name, batches);
  }

  /// Damages the first buffer of the last batch, which must be compressed.
  static void damageLastBatch(RunningService service, String name, int batches) throws Exception {
    var batch =
        service.json("/datasets/" + name + "/batches?from=" + (batches - 1)).at("/batches/0");
    long body = batch.get("offset").longValue() + batch.get("metaDataLength").longValue();
    Path folder = TemporaryStore.FOLDER.resolve("shared/data/_" + name + "_");
    try (var files = Files.walk(folder)) {
      Path file =
          files.filter(path -> path.toString().endsWith(".arrow")).findFirst().orElseThrow();
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        // The magic number of the frame follows a length of 8 bytes.
        channel.write(ByteBuffer.allocate(4), body + 8);
      }
    }
  }
}
