package dev.quiver.arrow.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests the reported versions of the compression libraries, which are part of entity tags.
class LibraryVersionTest {

  @Test
  void reportedVersionsMatchTheJarsInUse() {
    for (BufferCodec codec : List.of(Lz4Frame.INSTANCE, Zstandard.INSTANCE)) {
      assertThat(codec.libraryVersion()).matches("\\d+(\\.\\d+)+(-\\d+)?");
    }
    assertThat(jar(net.jpountz.lz4.LZ4Factory.class))
        .endsWith("-" + Lz4Frame.INSTANCE.libraryVersion() + ".jar");
    assertThat(jar(com.github.luben.zstd.Zstd.class))
        .endsWith("-" + Zstandard.INSTANCE.libraryVersion() + ".jar");
  }

  private static String jar(Class<?> library) {
    return library.getProtectionDomain().getCodeSource().getLocation().getPath();
  }
}
