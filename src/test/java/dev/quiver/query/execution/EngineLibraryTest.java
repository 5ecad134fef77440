package dev.quiver.query.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The library in the jar, for each platform that has one.
class EngineLibraryTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, libduckdb_java.so_linux_amd64",
    "Linux, x86_64, libduckdb_java.so_linux_amd64",
    "Linux, aarch64, libduckdb_java.so_linux_arm64",
    "Mac OS X, aarch64, libduckdb_java.so_macos_arm64",
    "Windows 11, amd64, libduckdb_java.so_windows_amd64",
    "Mac OS X, x86_64,",
    "Windows 11, aarch64,",
    "Linux, riscv64,",
    "FreeBSD, amd64,"
  })
  void platformsHaveALibraryOrNone(String system, String architecture, @Nullable String resource)
      throws IOException {
    EngineLibrary library = EngineLibrary.of(system, architecture);
    assertThat(library == null ? null : library.resource()).isEqualTo(resource);
    if (library != null) {
      assertThat(library.unpack(folder)).exists();
    }
  }

  private Stream<Path> files() throws IOException {
    return Files.list(folder);
  }

  @Test
  void libraryIsUnpackedOnce() throws IOException {
    EngineLibrary library = TestWorkers.library();
    Path unpacked = library.unpack(folder);
    Object key = Files.getLastModifiedTime(unpacked);
    assertThat(library.unpack(folder)).isEqualTo(unpacked);
    assertThat(Files.getLastModifiedTime(unpacked)).isEqualTo(key);
    assertThat(files()).containsExactly(unpacked);
  }

  @Test
  void fileWithOtherBytesIsNotLoaded() throws IOException {
    EngineLibrary library = TestWorkers.library();
    Path unpacked = library.unpack(folder);
    Files.writeString(unpacked, "other");
    assertThatThrownBy(() -> library.unpack(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Expected a library with SHA-256 " + library.sha256());
  }

  /// A byte that changes while size and time of modification stay.
  @Test
  void changedByteIsFoundAlthoughTheFileWasIntact() throws IOException {
    EngineLibrary library = TestWorkers.library();
    Path unpacked = library.unpack(folder);
    FileTime modified = Files.getLastModifiedTime(unpacked);
    try (FileChannel channel = FileChannel.open(unpacked, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {'X'}), 1_000_000);
    }
    Files.setLastModifiedTime(unpacked, modified);
    assertThatThrownBy(() -> library.unpack(folder))
        .hasMessageContaining("Expected a library with SHA-256 " + library.sha256());
  }

  @Test
  void resourceWithOtherBytesIsNotLoaded() {
    EngineLibrary other = new EngineLibrary(TestWorkers.library().resource(), "0".repeat(64));
    assertThatThrownBy(() -> other.unpack(folder)).hasMessageContaining("SHA-256 000");
    EngineLibrary absent = new EngineLibrary("nothing", "0".repeat(64));
    assertThatThrownBy(() -> absent.unpack(folder)).hasMessageContaining("resource nothing");
    assertThat(folder).isDirectoryNotContaining(path -> path.toString().endsWith(".tmp"));
  }
}
