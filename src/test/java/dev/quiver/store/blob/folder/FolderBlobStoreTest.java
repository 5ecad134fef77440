package dev.quiver.store.blob.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobSpool;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobStoreContract;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.blob.StoreUnavailableException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that a folder satisfies the contract of blob stores, and the recovery from crashes.
class FolderBlobStoreTest extends BlobStoreContract {

  @TempDir private Path folder;
  private BlobStore store;

  @BeforeEach
  void open() throws IOException {
    store = FolderBlobStore.open(folder.resolve("created/on/demand"));
  }

  @Override
  protected BlobStore store() {
    return store;
  }

  @Test
  void storesABlobInTheFileOfItsKey() throws IOException {
    store.putIfAbsent("data/_a_/b.arrow", bytes("hello"));
    assertThat(file("data/_a_/b.arrow")).hasContent("hello");
    assertThat(store.localPath("data/_a_/b.arrow"))
        .isEqualTo(file("data/_a_/b.arrow").toRealPath());
  }

  /// Whatever the umask allows beyond that.
  @Test
  void onlyTheUserAndTheGroupReadFilesAndFolders() throws IOException {
    assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
    store.putIfAbsent("data/_a_/b", bytes("x"));
    try (BlobUpload upload = store.begin("c");
        BlobSpool spool = store.spool();
        Stream<Path> all = Files.walk(folder.resolve("created"))) {
      upload.write(bytes("x"));
      spool.write(bytes("x"));
      assertThat(all)
          .hasSizeGreaterThan(8)
          .allSatisfy(path ->
              assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                  .as("%s", path)
                  .isIn("rw-r-----", "rw-------", "rwxr-x---", "rwx------")
                  .startsWith(Files.isDirectory(path) ? "rwx" : "rw-"));
    }
  }

  @Test
  void leavesNoTemporaryFiles() throws IOException {
    store.putIfAbsent("a", bytes("x"));
    store.putIfAbsent("a", bytes("y"));
    try (BlobUpload upload = store.begin("b")) {
      upload.write(bytes("x"));
      assertThat(temporaryFiles()).hasSize(1);
    }
    try (BlobUpload upload = store.begin("b")) {
      upload.commit();
      assertThat(temporaryFiles()).isEmpty();
    }
    try (BlobSpool spool = store.spool()) {
      spool.write(bytes("x"));
      assertThat(temporaryFiles()).hasSize(1);
    }
    assertThat(temporaryFiles()).isEmpty();
  }

  @Test
  void findsItsBlobsWhenOpenedAgain() throws IOException {
    store.putIfAbsent("data/a", bytes("hello"));
    open();
    assertThat(read("data/a")).isEqualTo("hello");
  }

  /// A crash before the link leaves only a file in `tmp`.
  @Test
  void removesLeftoversOfAKilledProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Uploader.class.getName(),
                folder.resolve("created/on/demand").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("written");
      Path leftover = temporaryFiles().getFirst();
      open();
      assertThat(leftover).as("while it is written").exists();
      process.destroyForcibly().waitFor();
      assertThat(leftover).exists();
      open();
      assertThat(leftover).doesNotExist();
      assertThat(store.list("", null, 9)).isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  /// A process that starts an upload, then waits to be killed.
  static final class Uploader {

    private Uploader() {}

    public static void main(String[] arguments) throws IOException {
      BlobUpload upload = FolderBlobStore.open(Path.of(arguments[0])).begin("data/a");
      upload.write(bytes("x".repeat(100_000)));
      System.out.println("written");
      System.in.read();
    }
  }

  @Test
  void keepsFilesBeingWrittenByThisProcess() throws IOException {
    try (BlobUpload upload = store.begin("data/a")) {
      upload.write(bytes("x"));
      open();
      assertThat(upload.commit()).isTrue();
    }
    assertThat(read("data/a")).isEqualTo("x");
  }

  /// Covers files without a known lock, such as the working memory of a killed process.
  @Test
  void removesOldForeignFiles() throws IOException {
    Path leftover = file("tmp/scratch-1.tmp");
    Files.writeString(leftover, "x");
    open();
    assertThat(leftover).exists();
    Files.setLastModifiedTime(leftover, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
    open();
    assertThat(leftover).doesNotExist();
  }

  /// A crash between the link and the end leaves the complete blob under both names.
  @Test
  void listsABlobOnceDespiteItsTemporaryFile() throws IOException {
    store.putIfAbsent("data/a", bytes("x"));
    Files.createLink(file("tmp/left.tmp"), file("data/a"));
    assertThat(store.list("", null, 9)).containsExactly("data/a");
  }

  @Test
  void ignoresForeignFiles() throws IOException {
    store.putIfAbsent("data/a", bytes("x"));
    Files.writeString(file("data/.DS_Store"), "x");
    Files.writeString(file("data/Upper"), "x");
    Files.createDirectory(file("lost+found"));
    assertThat(store.list("", null, 9)).containsExactly("data/a");
  }

  /// A folder with more names than a listing holds is read in parts.
  @Test
  void listsFoldersOfManyNamesInOrder() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 2500; i++) {
      String name = "many/%04d".formatted(i);
      if (i % 1000 == 7) {
        expected.add(name + "/a");
      } else if (i % 1000 < 900) {
        expected.add(name);
        if (i % 1000 > 2 && i % 1000 < 12) {
          expected.add(name + "-b");
        }
      } else {
        Files.createDirectories(file(name));
      }
    }
    // Sorts before the contents of the folder with the same prefix, since "-" precedes "/".
    expected.add("many/0007-b");
    Collections.shuffle(expected, new Random(1));
    for (String key : expected) {
      Files.createDirectories(file(key).getParent());
      Files.createFile(file(key));
    }
    Collections.sort(expected);
    assertThat(store.list("many/", null, 5000)).isEqualTo(expected);
    assertThat(store.list("many/", null, 1)).isEqualTo(expected.subList(0, 1));
    assertThat(store.list("many/", "many/0006", 1500))
        .isEqualTo(
            expected.subList(
                expected.indexOf("many/0006") + 1, expected.indexOf("many/0006") + 1501));
    assertThat(store.list("", "many/1899-z", 3))
        .containsExactly("many/2000", "many/2001", "many/2002");
  }

  @Test
  void rejectsKeysInTheTemporaryFolder() {
    for (String key : List.of("tmp", "tmp/a")) {
      assertThatThrownBy(() -> store.putIfAbsent(key, bytes("x")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Expected a key outside of tmp but found \"" + key + "\"");
    }
  }

  @Test
  void rejectsAKeyBelowABlob() throws IOException {
    store.putIfAbsent("a", bytes("x"));
    assertThatThrownBy(() -> store.putIfAbsent("a/b", bytes("x")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Expected a folder but found a file at " + store.localPath("a"));
  }

  @Test
  void restoresARemovedFolder() throws IOException {
    store.putIfAbsent("data/a", bytes("x"));
    Files.delete(file("data/a"));
    Files.delete(file("data"));
    assertThat(store.putIfAbsent("data/a", bytes("y"))).isTrue();
  }

  @Test
  void distinguishesAFullDiskFromOtherFailures() {
    IOException full = new IOException("No space left on device");
    assertThat(FolderFailures.translated(full, folder))
        .isInstanceOf(StorageFullException.class)
        .hasMessage("Expected space left in the store but found none")
        .hasCause(full);
    IOException quota = new IOException("/data/tmp/a: Disk quota exceeded");
    assertThat(FolderFailures.translated(quota, folder)).isInstanceOf(StorageFullException.class);
    IOException broken = new IOException("Input/output error");
    assertThat(FolderFailures.translated(broken, folder))
        .isInstanceOf(StoreUnavailableException.class)
        .hasCause(broken);
  }

  /// Its keys may be a part of what there was.
  @Test
  void aListingOfAFolderThatIsGoneMeanwhileIsNotBelieved() throws IOException {
    store.putIfAbsent("data/a", bytes("x"));
    Files.delete(file("tmp"));
    assertThatThrownBy(() -> store.list("", null, 10))
        .isInstanceOf(StoreUnavailableException.class);
  }

  private Path file(String key) {
    return folder.resolve("created/on/demand").resolve(key);
  }

  private List<Path> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(file("tmp"))) {
      return files.toList();
    }
  }

  @Test
  void linksAFile() throws IOException {
    Path linked = Files.writeString(folder.resolve("linked"), "hello");
    assertThat(store.link("data/_a_/b", linked)).isTrue();
    assertThat(Files.isSameFile(file("data/_a_/b"), linked)).isTrue();
    assertThatThrownBy(() -> store.link("data/_a_/b", linked))
        .isInstanceOf(FileAlreadyExistsException.class);

    assertThat(store.delete("data/_a_/b")).isTrue();
    assertThat(linked).hasContent("hello");
    assertThat(temporaryFiles()).isEmpty();
  }

  /// Reading a mapping of a truncated file would crash the process.
  @ParameterizedTest
  @ValueSource(ints = {1 << 10, 3 << 20})
  void mappingOfALinkedFileIsACopy(int byteSize) throws IOException {
    byte[] bytes = new byte[byteSize];
    new Random(1).nextBytes(bytes);
    Path linked = Files.write(folder.resolve("linked"), bytes);
    store.link("a", linked);
    try (Blob blob = store.open("a");
        Arena arena = Arena.ofConfined()) {
      MemorySegment mapped = blob.map(10, byteSize - 20, arena);
      Files.write(linked, new byte[1]);
      assertThat(mapped.toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo(Arrays.copyOfRange(bytes, 10, byteSize - 10));
      assertThat(mapped.isReadOnly()).isTrue();
      assertThat(temporaryFiles()).isEmpty();
    }
  }

  @Test
  void doesNotLinkAFileOfAnotherFileSystem() throws IOException {
    Path other = Path.of("/dev/shm");
    assumeTrue(Files.isDirectory(other) && Files.isWritable(other));
    assumeTrue(!Files.getFileStore(other).equals(Files.getFileStore(folder)));
    Path elsewhere = Files.createTempFile(other, "quiver-", ".arrow");
    try {
      assertThat(store.link("data/_a_/b", elsewhere)).isFalse();
      assertThat(store.exists("data/_a_/b")).isFalse();
    } finally {
      Files.delete(elsewhere);
    }
  }
}
