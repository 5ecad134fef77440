package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.server.transfer.FixedLengthBody;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VersionRepresentationsTest {

  private static final int DICTIONARY_COUNT = 500;

  @TempDir private Path folder;

  /// A response holds its parts until a slow client has received it.
  @Test
  void batchesWithManyDictionariesConsistOfFewParts() throws Exception {
    FolderBlobStore store = FolderBlobStore.open(folder, false);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      DatasetName name = new DatasetName("many");
      datasets.put(
          name,
          ByteSource.of(MemorySegment.ofArray(dictionaries())),
          BodyFormat.STREAM,
          new WriteCondition.None());
      DatasetReference reference = new DatasetReference(name, null);
      try (Snapshot snapshot = datasets.open(reference)) {
        assertThat(snapshot.footer().dictionaries()).hasSize(DICTIONARY_COUNT);
        FixedLengthBody body =
            (FixedLengthBody)
                new VersionRepresentations(reference, snapshot)
                    .batches(0, 0, RequestedCodec.PRESERVE)
                    .body()
                    .open();
        assertThat(body.parts()).hasSizeLessThan(5);
        assertThat(body.byteSize()).isEqualTo(snapshot.stream().byteSize());
      }
    }
  }

  private static byte[] dictionaries() throws Exception {
    List<Field> fields = new ArrayList<>();
    Map<Long, List<?>> values = new HashMap<>();
    List<List<?>> columns = new ArrayList<>();
    for (int i = 0; i < DICTIONARY_COUNT; i++) {
      DictionaryEncoding encoding =
          new DictionaryEncoding(i, new ArrowType.Int(8, true), /* ordered= */ false);
      fields.add(Field.of("column " + i, true, new ArrowType.Utf8()).withDictionary(encoding));
      values.put((long) i, List.of("value"));
      columns.add(List.of("value"));
    }
    Schema schema = Schema.of(fields.toArray(Field[]::new));
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    StreamWriter writer =
        new StreamWriter(part -> stream.write(part.toArray(LittleEndian.INT8)), schema, Codec.NONE);
    try (Arena arena = Arena.ofConfined()) {
      writer.write(new ArrayBuilder(arena, values).recordBatch(schema, 1, columns));
    }
    writer.close();
    return stream.toByteArray();
  }
}
