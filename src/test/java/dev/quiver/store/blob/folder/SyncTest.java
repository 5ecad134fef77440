package dev.quiver.store.blob.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.blob.BlobSpool;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that acknowledged data is on disk: the file is synced, then each folder that gained an
/// entry. Flight recorder events of the Java runtime tell what is synced.
class SyncTest {

  private static final MemorySegment BYTES = MemorySegment.ofArray(new byte[100_000]);

  @TempDir private Path folder;

  @TempDir private Path recordings;

  private Path root;

  @BeforeEach
  void resolve() throws IOException {
    root = folder.toRealPath().resolve("store");
  }

  @Test
  void syncsAFileAndEachNewFolder() throws IOException {
    assertThat(synced(() -> FolderBlobStore.open(root))).containsExactly("", "store");
    BlobStore store = FolderBlobStore.open(root);
    assertThat(synced(() -> store.putIfAbsent("data/_a_/1.arrow", BYTES)))
        .containsExactly("an upload", "store", "store/data", "store/data/_a_");
    assertThat(synced(() -> store.putIfAbsent("data/_a_/2.arrow", BYTES)))
        .containsExactly("an upload", "store/data/_a_");
  }

  /// Another process may have created a folder or blob without having synced it yet.
  @Test
  void syncsFoldersAndBlobsOfOtherProcesses() throws IOException {
    BlobStore store = FolderBlobStore.open(root);
    Files.createDirectories(root.resolve("data/_a_"));
    Files.createFile(root.resolve("data/_a_/1.arrow"));
    assertThat(synced(() -> store.putIfAbsent("data/_a_/1.arrow", BYTES)))
        .containsExactly("an upload", "store", "store/data", "store/data/_a_");
  }

  @Test
  void syncsAnUploadOnCommit() throws IOException {
    BlobStore store = FolderBlobStore.open(root);
    store.putIfAbsent("data/1.arrow", BYTES);
    try (BlobUpload upload = store.begin("data/2.arrow")) {
      assertThat(synced(() -> upload.write(BYTES))).isEmpty();
      assertThat(synced(upload::commit)).containsExactly("an upload", "store/data");
    }
  }

  /// The disk writes while more data arrives, before the final sync.
  @Test
  void syncsALargeUploadWhileItIsWritten() throws IOException {
    BlobStore store = FolderBlobStore.open(root);
    store.putIfAbsent("data/1.arrow", BYTES);
    MemorySegment step = MemorySegment.ofArray(new byte[(int) WriteBack.STEP_BYTE_SIZE]);
    assertThat(synced(() -> store.putIfAbsent("data/2.arrow", step)))
        .containsExactly("an upload", "an upload", "store/data");
    assertThat(
            synced(() -> {
              try (BlobSpool spool = store.spool()) {
                spool.write(step);
              }
            }))
        .isEmpty();
  }

  @Test
  void syncsNothingIfDisabled() throws IOException {
    assertThat(
            synced(() -> {
              BlobStore store = FolderBlobStore.open(root, /* syncs= */ false);
              assertThat(store.putIfAbsent("data/_a_/1.arrow", BYTES)).isTrue();
              assertThat(store.link("data/_a_/2.arrow", root.resolve("data/_a_/1.arrow"))).isTrue();
              assertThat(store.byteSize("data/_a_/2.arrow")).isEqualTo(BYTES.byteSize());
            }))
        .isEmpty();
  }

  private interface Work {
    void run() throws IOException;
  }

  /// Returns what is synced in the test's folder during the work, in order: folders and uploads.
  private List<String> synced(Work work) throws IOException {
    Path parent = folder.toRealPath();
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withoutThreshold().withoutStackTrace();
      recording.start();
      work.run();
      recording.stop();
      Path file = Files.createTempFile(recordings, "", ".jfr");
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> event.getEventType().getName().equals("jdk.FileForce"))
          .sorted(Comparator.comparing(RecordedEvent::getStartTime))
          .map(event -> Path.of(event.getString("path")))
          .filter(path -> path.startsWith(parent))
          .map(path -> parent.relativize(path).toString())
          .map(path -> path.endsWith(".upload.tmp") ? "an upload" : path)
          .toList();
    }
  }
}
