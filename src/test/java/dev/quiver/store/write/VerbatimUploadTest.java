package dev.quiver.store.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.formats.UploadData;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.SampleStreams;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Uploads of files. A canonical file is stored byte for byte; any other is rewritten from its
/// first difference. Both are served alike.
class VerbatimUploadTest {

  private static final Metadata FOOTER_METADATA = Metadata.of(KeyValue.of("own", "footer"));

  @TempDir private Path folder;
  private DatasetTestFolder data;

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  @Test
  void storesACanonicalFileByteForByte() throws IOException {
    byte[] file = file(3, 100_000, 4);
    data.put(file);
    assertThat(blob()).hasBinaryContent(file);
    assertServes(3, 100_000, 4);
    data.assertNoTemporaryFiles();
  }

  /// The served footer is a new one with the row counts; that of the blob is unused.
  @Test
  void appendsToAVerbatimFile() throws IOException {
    data.put(file(3, 4));
    data.datasets.append(
        DatasetTestFolder.NAME,
        UploadData.Source.of(new Bytes().bytes(file(5)).source(), BodyFormat.FILE),
        new WriteCondition.None(),
        UploadOptions.KEEP,
        null);
    assertServes(3, 4, 5);
    data.datasets.compact(DatasetTestFolder.NAME, new WriteCondition.None());
    assertServes(12);
  }

  @Test
  void rewritesAFileWithReorderedBatches() throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeFileHeader();
    writer.writeSchema(SampleStreams.SCHEMA);
    ArrayBuilder builder = SampleStreams.builder();
    List<Block> dictionaries = new ArrayList<>();
    List<Block> blocks = new ArrayList<>();
    for (int rows : new int[] {4, 3}) {
      RecordBatch batch = SampleStreams.batch(builder, rows);
      if (dictionaries.isEmpty()) {
        dictionaries.add(dictionary(batch, writer));
      }
      EncodedBody body = EncodedBody.of(rows, batch.columns(), Codec.NONE, Arena.ofAuto());
      blocks.addFirst(writer.writeRecordBatch(body, Metadata.EMPTY));
    }
    writer.writeEndOfStream();
    writer.writeFooter(
        new Footer(MetadataVersion.V5, SampleStreams.SCHEMA, dictionaries, blocks, Metadata.EMPTY));
    byte[] file = bytes.toByteArray();
    data.put(file);
    assertThat(data.stream()).isEqualTo(SampleStreams.stream(3, 4));
    assertThat(Files.readAllBytes(blob())).isNotEqualTo(file);
    data.assertNoTemporaryFiles();
  }

  private static Block dictionary(RecordBatch batch, MessageWriter writer) throws IOException {
    ArrayData values =
        batch.columns().stream()
            .map(ArrayData::dictionary)
            .filter(Objects::nonNull)
            .findFirst()
            .orElseThrow();
    return writer.writeDictionary(
        7, EncodedBody.of(values.length(), List.of(values), Codec.NONE, Arena.ofAuto()));
  }

  @Test
  void rewritesAFileWhoseBatchesAreCoalesced() throws IOException {
    byte[] file = file(100_000, 3, 4);
    data.put(file, UploadOptions.DEFAULT);
    assertServes(100_000, 7);
    assertThat(Files.size(blob())).isNotEqualTo(file.length);
    data.assertNoTemporaryFiles();
  }

  @Test
  void leavesNothingOfARejectedFile() throws IOException {
    byte[] file = file(3);
    file[file.length - 1] = 0;
    assertThatThrownBy(() -> data.put(file, BodyFormat.FILE)).isInstanceOf(InputException.class);
    data.assertEmpty();
  }

  private void assertServes(int... rows) throws IOException {
    List<Integer> found = new ArrayList<>();
    try (Snapshot snapshot = data.open();
        DecodedBatches batches = snapshot.decodedBatches()) {
      for (int i = 0; i < batches.count(); i++) {
        found.add((int) batches.read(i).length());
      }
    }
    assertThat(found).containsExactlyElementsOf(Arrays.stream(rows).boxed().toList());
    try (Arena arena = Arena.ofConfined()) {
      FileReader reader = new FileReader(MemorySegment.ofArray(data.file()), Limits.DEFAULT, arena);
      assertThat(reader.footer().customMetadata().entries()).hasSize(2);
      assertThat(reader.batchCount()).isEqualTo(rows.length);
    }
  }

  private Path blob() throws IOException {
    Path path = data.store.localPath(data.store.list("data/", null, 1).getFirst());
    return Objects.requireNonNull(path);
  }

  private static byte[] file(int... rows) throws IOException {
    Bytes bytes = new Bytes();
    FileWriter writer = new FileWriter(bytes, SampleStreams.SCHEMA, Codec.NONE);
    ArrayBuilder builder = SampleStreams.builder();
    for (int count : rows) {
      writer.write(SampleStreams.batch(builder, count));
    }
    writer.close(FOOTER_METADATA);
    return bytes.toByteArray();
  }
}
