package dev.quiver.server;

import dev.quiver.arrow.codec.Codec;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// Damages data after it was stored.
final class Damage {

  private Damage() {}

  /// Flips a bit at the middle of the only blob of a dataset.
  static void flipAtTheMiddle(String name) throws Exception {
    try (FileChannel channel =
        FileChannel.open(file(name), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocate(1);
      long middle = channel.size() / 2;
      channel.read(bytes, middle);
      bytes.put(0, (byte) (bytes.get(0) ^ 0x10));
      channel.write(bytes.flip(), middle);
    }
  }

  private static Path file(String name) throws Exception {
    Path folder = TemporaryStore.FOLDER.resolve("shared/data/_" + name + "_");
    try (var files = Files.walk(folder)) {
      return files.filter(path -> path.toString().endsWith(".arrow")).findFirst().orElseThrow();
    }
  }

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
    try (FileChannel channel = FileChannel.open(file(name), StandardOpenOption.WRITE)) {
      // The magic number of the frame follows a length of 8 bytes.
      channel.write(ByteBuffer.allocate(4), body + 8);
    }
  }
}
