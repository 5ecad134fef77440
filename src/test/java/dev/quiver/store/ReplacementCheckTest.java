package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.UploadData;
import dev.quiver.server.Streams;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadObserver;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Data that may not replace any other is checked against the version that its commit follows.
class ReplacementCheckTest {

  private static final DatasetName NAME = new DatasetName("replaced");

  @TempDir private Path folder;

  private Datasets datasets;
  private final List<String> checked = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    datasets = new Datasets(FolderBlobStore.open(folder), DatasetOptions.DEFAULT);
  }

  /// Commits a version with one column, and any data before it.
  private void commit(String column) throws IOException {
    Field field = Field.of(column, true, new ArrowType.Int(32, true));
    byte[] stream = Streams.of(Schema.of(field), List.of(1, 2));
    datasets.put(
        NAME,
        ByteSource.of(MemorySegment.ofArray(stream)),
        BodyFormat.STREAM,
        new WriteCondition.None());
  }

  /// Puts data that may replace only versions with a column `a`.
  ///
  /// @param beforeCommit runs when the data is stored, but not yet visible
  /// @param check runs with each check
  private WriteResult put(Commit beforeCommit, Commit check) throws IOException {
    byte[] stream = Streams.numbers(0, 3);
    UploadData.Source data =
        new UploadData.Source() {
          @Override
          public UploadData open() {
            return new UploadData.Arrow(
                ByteSource.of(MemorySegment.ofArray(stream)), BodyFormat.STREAM);
          }

          @Override
          public Consumer<@Nullable Schema> replacementCheck() {
            return replaced -> {
              String column = Objects.requireNonNull(replaced).fields().getFirst().name();
              checked.add(column);
              if (!column.equals("a")) {
                throw new IllegalStateException("not replaceable");
              }
              runUnchecked(check);
            };
          }
        };
    UploadObserver observer =
        new UploadObserver() {
          @Override
          public void beginCommit() throws IOException {
            beforeCommit.run();
          }
        };
    return datasets.put(
        NAME,
        data,
        new WriteCondition.None(),
        UploadOptions.DEFAULT.observedBy(observer),
        /* key= */ null);
  }

  private interface Commit {

    void run() throws IOException;
  }

  private static void runUnchecked(Commit commit) {
    try {
      commit.run();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private @Nullable String column() throws IOException {
    try (var snapshot = datasets.open(new DatasetReference(NAME, null))) {
      return snapshot.schema().fields().getFirst().name();
    }
  }

  @Test
  void replacesAVersionThatTheCheckAccepts() throws Exception {
    commit("a");
    assertThat(put(() -> {}, () -> {}).summary().version()).isEqualTo(2);
    assertThat(checked).containsExactly("a");
  }

  @Test
  void createsADatasetWithoutACheck() throws Exception {
    assertThat(put(() -> {}, () -> {}).summary().version()).isEqualTo(1);
    commit("a");
    datasets.delete(NAME, new WriteCondition.None());
    put(() -> {}, () -> {});
    assertThat(checked).isEmpty();
  }

  @Test
  void datasetThatAppearsMeanwhileIsKept() throws Exception {
    assertThatThrownBy(() -> put(() -> commit("b"), () -> {})).hasMessage("not replaceable");
    assertThat(checked).containsExactly("b");
    assertThat(column()).isEqualTo("b");
  }

  @Test
  void datasetThatDisappearsMeanwhileIsCreated() throws Exception {
    commit("b");
    put(() -> datasets.delete(NAME, new WriteCondition.None()), () -> {});
    assertThat(checked).isEmpty();
    assertThat(column()).isEqualTo("number");
  }

  /// The commit that is faster follows the check of the version before it.
  @Test
  void checkIsRepeatedAfterALostRace() throws Exception {
    commit("a");
    assertThatThrownBy(() -> put(() -> {}, () -> commit("b"))).hasMessage("not replaceable");
    assertThat(checked).containsExactly("a", "b");
    assertThat(column()).isEqualTo("b");
  }
}
