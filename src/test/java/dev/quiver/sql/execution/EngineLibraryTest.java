package dev.quiver.sql.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The library in the jar, for each platform that has one.
class EngineLibraryTest {

  /// A small file in place of a library of 70 MB.
  private static final EngineLibrary SMALL = small();

  @TempDir private Path folder;

  private static EngineLibrary small() {
    String resource = "junit-platform.properties";
    try (InputStream input = EngineLibraryTest.class.getResourceAsStream("/" + resource)) {
      byte[] digest = Sha256.begin().digest(Objects.requireNonNull(input).readAllBytes());
      return new EngineLibrary(resource, HexFormat.of().formatHex(digest));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Tag("long")
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
    Path unpacked = SMALL.unpack(folder);
    Object key = Files.getLastModifiedTime(unpacked);
    assertThat(SMALL.unpack(folder)).isEqualTo(unpacked);
    assertThat(Files.getLastModifiedTime(unpacked)).isEqualTo(key);
    assertThat(files()).containsExactly(unpacked);
  }

  @Test
  void fileWithOtherBytesIsNotLoaded() throws IOException {
    Path unpacked = SMALL.unpack(folder);
    Files.writeString(unpacked, "other");
    assertThatThrownBy(() -> SMALL.unpack(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Expected a library with SHA-256 " + SMALL.sha256());
  }

  /// A byte that changes while size and time of modification stay.
  @Test
  void changedByteIsFoundAlthoughTheFileWasIntact() throws Exception {
    Path unpacked = SMALL.unpack(folder);
    // The clock of file systems has ticks.
    TimeUnit.MILLISECONDS.sleep(20);
    FileTime modified = Files.getLastModifiedTime(unpacked);
    try (FileChannel channel = FileChannel.open(unpacked, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {'X'}), 10);
    }
    Files.setLastModifiedTime(unpacked, modified);
    assertThatThrownBy(() -> SMALL.unpack(folder))
        .hasMessageContaining("Expected a library with SHA-256 " + SMALL.sha256());
  }

  @Test
  void resourceWithOtherBytesIsNotLoaded() {
    EngineLibrary other = new EngineLibrary(SMALL.resource(), "0".repeat(64));
    assertThatThrownBy(() -> other.unpack(folder)).hasMessageContaining("SHA-256 000");
    EngineLibrary absent = new EngineLibrary("nothing", "0".repeat(64));
    assertThatThrownBy(() -> absent.unpack(folder)).hasMessageContaining("resource nothing");
    assertThat(folder).isDirectoryNotContaining(path -> path.toString().endsWith(".tmp"));
  }
}
