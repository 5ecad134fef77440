package dev.quiver.store.blob.folder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.Set;

/// Space that a file occupies until deletes need it, because a delete writes before it frees.
///
/// The file outlives the process, so that the reserve exists even if a start finds the disk full.
/// Processes with the same folder share it.
final class SpaceReserve {

  /// Enough for dozens of deletes.
  private static final long BYTE_SIZE = 256 << 10;

  private static final int BLOCK_BYTE_SIZE = 4 << 10;

  private final Path file;

  /// @param root the folder of a store; the file's name is not a key
  SpaceReserve(Path root) {
    this.file = root.resolve(".reserve");
  }

  /// Frees the space.
  ///
  /// @return false if nothing was reserved
  boolean release() throws IOException {
    return Files.deleteIfExists(file);
  }

  /// Reserves as much of the missing space as is free.
  void fill() {
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            FilePermissions.ofFile(file))) {
      // A file system that compresses or deduplicates would not keep space for zeros.
      byte[] block = new byte[BLOCK_BYTE_SIZE];
      Random random = new Random();
      for (long end = channel.size(); end < BYTE_SIZE; end += BLOCK_BYTE_SIZE) {
        random.nextBytes(block);
        channel.write(ByteBuffer.wrap(block), end);
      }
    } catch (IOException e) {
      // The disk is full. The next delete fills the rest.
    }
  }
}
