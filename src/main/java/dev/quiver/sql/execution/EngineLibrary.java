package dev.quiver.sql.execution;

import dev.quiver.arrow.codec.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The engine's library as the jar carries it, for one platform.
///
/// @param resource its name in the jar
/// @param sha256 its SHA-256 in hexadecimal
public record EngineLibrary(String resource, String sha256) {

  /// The version of the engine.
  public static final String VERSION = "2.0.0.1";

  private static final int BUFFER_BYTE_SIZE = 256 << 10;

  /// The attributes that change with each change of a file, or of its name.
  private static final String IDENTITY = "unix:dev,ino,ctime,size,mode,uid";

  /// The identities of files whose bytes were those expected. Files with the same identity are not
  /// read again for each worker.
  private static final Map<Path, Map<String, Object>> INTACT = new ConcurrentHashMap<>();

  private static final EngineLibrary LINUX_AMD64 =
      new EngineLibrary(
          "libduckdb_java.so_linux_amd64",
          "001983f177ea4e6e4e19a58e77417411d0c2924d0cbbd01f3e901a9f3d2f37c7");
  private static final EngineLibrary LINUX_ARM64 =
      new EngineLibrary(
          "libduckdb_java.so_linux_arm64",
          "3b69506543e9d64fffb80402cdab8c9d6e527003909e5dfa15b0f00a144d45df");
  private static final EngineLibrary MACOS_ARM64 =
      new EngineLibrary(
          "libduckdb_java.so_macos_arm64",
          "62ece55e67c3a0375cd44a20c072387dd94e557a4faebf52bcb6ced0f686f420");
  private static final EngineLibrary WINDOWS_AMD64 =
      new EngineLibrary(
          "libduckdb_java.so_windows_amd64",
          "fdf11925fc2ced59e9394a6f39aee6317494b8dbb92b14c475f6af99207f6728");

  /// Returns the library of a platform, or null if absent.
  ///
  /// @param system the property `os.name`
  /// @param architecture the property `os.arch`
  public static @Nullable EngineLibrary of(String system, String architecture) {
    String name = system.toLowerCase(Locale.ROOT);
    boolean arm = architecture.equals("aarch64");
    boolean amd = architecture.equals("amd64") || architecture.equals("x86_64");
    if (name.startsWith("linux")) {
      return arm ? LINUX_ARM64 : amd ? LINUX_AMD64 : null;
    }
    if (name.startsWith("mac")) {
      return arm ? MACOS_ARM64 : null;
    }
    return name.startsWith("windows") && amd ? WINDOWS_AMD64 : null;
  }

  /// Returns the library as a file, which is unpacked if it is missing.
  ///
  /// @param folder an existing folder that only the user of this process can write to
  /// @throws IOException if the file or the resource has other bytes than expected
  public Path unpack(Path folder) throws IOException {
    Path file = folder.resolve(resource + "-" + sha256.substring(0, 16));
    if (!Files.exists(file)) {
      Path partial = Files.createTempFile(folder, "unpacked-", ".tmp");
      try (InputStream input = EngineLibrary.class.getResourceAsStream("/" + resource)) {
        if (input == null) {
          throw new IOException("Expected the resource " + resource + " but found none");
        }
        Files.copy(input, partial, StandardCopyOption.REPLACE_EXISTING);
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(partial);
      }
    }
    Map<String, Object> identity = identity(file);
    Map<String, Object> intact = INTACT.get(file.toAbsolutePath());
    if (identity == null || !identity.equals(intact)) {
      requireIntact(file);
      if (identity != null) {
        INTACT.put(file.toAbsolutePath(), identity);
      }
    }
    return file;
  }

  /// Returns the identity of the bytes of a file, or null if the system lacks one.
  private static @Nullable Map<String, Object> identity(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix")
        ? Files.readAttributes(file, IDENTITY)
        : null;
  }

  private void requireIntact(Path file) throws IOException {
    MessageDigest digest = Sha256.begin();
    try (InputStream input = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER_BYTE_SIZE];
      for (int count; (count = input.read(buffer)) > 0; ) {
        digest.update(buffer, 0, count);
      }
    }
    String found = HexFormat.of().formatHex(digest.digest());
    if (!found.equals(sha256)) {
      throw new IOException(
          "Expected a library with SHA-256 %s but found %s; delete %s"
              .formatted(sha256, found, file));
    }
  }
}
