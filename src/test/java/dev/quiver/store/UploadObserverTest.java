package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.formats.UploadData;
import dev.quiver.server.Streams;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadObserver;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An observer is told of each batch and of the commit, and ends an upload that leaves nothing.
class UploadObserverTest {

  private static final DatasetName NAME = new DatasetName("observed");

  @TempDir private Path folder;

  private Datasets datasets;

  @BeforeEach
  void open() throws IOException {
    datasets = new Datasets(FolderBlobStore.open(folder), DatasetOptions.DEFAULT);
  }

  private void upload(boolean put, byte[] body, UploadObserver observer) throws IOException {
    UploadOptions options = UploadOptions.KEEP.observedBy(observer);
    ByteSource source = ByteSource.of(MemorySegment.ofArray(body));
    WriteCondition none = new WriteCondition.None();
    if (put) {
      datasets.put(
          NAME, UploadData.Source.of(source, BodyFormat.UNKNOWN), none, options, /* key= */ null);
    } else {
      datasets.append(NAME, UploadData.Source.of(source, BodyFormat.UNKNOWN), none, options, null);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(path -> path.toString().matches(".*(data|manifests)/.*/.*")).toList();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reportsEachBatchAndThenTheCommit(boolean put) throws Exception {
    List<String> told = new ArrayList<>();
    upload(
        put,
        Streams.numbers(0, 3, 4),
        new UploadObserver() {
          @Override
          public void read(long rows) {
            told.add("read " + rows);
          }

          @Override
          public void beginCommit() throws IOException {
            assertThat(DatasetLists.list(datasets, null, 1)).isEmpty();
            told.add("commit");
          }
        });
    assertThat(told).containsExactly("read 3", "read 4", "commit");
  }

  @Test
  void reportsTheBatchesOfAFile() throws Exception {
    upload(/* put= */ true, Streams.numbers(0, 3, 4), UploadObserver.NONE);
    List<Long> told = new ArrayList<>();
    byte[] file = Files.readAllBytes(dataFile());
    upload(
        /* put= */ true,
        file,
        new UploadObserver() {
          @Override
          public void read(long rows) {
            told.add(rows);
          }
        });
    assertThat(told).containsExactly(3L, 4L);
  }

  private Path dataFile() throws IOException {
    return files().stream()
        .filter(path -> path.toString().endsWith(".arrow"))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endsAnUploadBeforeItsCommit(boolean put) throws Exception {
    UploadObserver ending =
        new UploadObserver() {
          @Override
          public void beginCommit() {
            throw new IllegalStateException("not wanted");
          }
        };
    assertThatThrownBy(() -> upload(put, Streams.numbers(0, 3), ending)).hasMessage("not wanted");
    assertThat(DatasetLists.list(datasets, null, 1)).isEmpty();
    assertThat(files()).isEmpty();
  }
}
