package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.FooterDecoder;
import dev.quiver.formats.UploadData;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.read.RecompressedMessages;
import dev.quiver.store.read.SelectedBytes;
import dev.quiver.store.read.SelectedVersion;
import dev.quiver.store.read.Selection;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.ByteRange;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import dev.quiver.store.write.UploadOptions.BatchSizes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/// A dataset that tests upload to and read as `.arrow` and `.arrows`.
final class Stored {

  private static final DatasetName NAME = new DatasetName("golden");

  private final Datasets datasets;

  Stored(Path folder) throws IOException {
    datasets = new Datasets(FolderBlobStore.open(folder), DatasetOptions.DEFAULT);
  }

  void put(MemorySegment body, UploadOptions options) throws IOException {
    datasets.put(
        NAME,
        UploadData.Source.of(ByteSource.of(body), BodyFormat.UNKNOWN),
        new WriteCondition.None(),
        options,
        /* key= */ null);
  }

  void append(MemorySegment body, UploadOptions options) throws IOException {
    datasets.append(
        NAME,
        UploadData.Source.of(ByteSource.of(body), BodyFormat.UNKNOWN),
        new WriteCondition.None(),
        options,
        null);
  }

  void compact() throws IOException {
    datasets.compact(NAME, new WriteCondition.None());
  }

  /// Returns the IPC file.
  MemorySegment file() throws IOException {
    return read(true);
  }

  /// Returns the IPC stream.
  MemorySegment stream() throws IOException {
    return read(false);
  }

  /// Asserts that an upload is stored with this content, as file and as stream, in every codec.
  void assertKeeps(String description, MemorySegment body, Decoded expected) throws IOException {
    for (RequestedCodec codec : requestedCodecs()) {
      put(body, new UploadOptions(BatchSizes.PRESERVED, codec));
      Decoded.ofFile(file()).assertHolds(expected, description + ", .arrow, " + codec);
      Decoded.ofStream(stream()).assertHolds(expected, description + ", .arrows, " + codec);
    }
  }

  /// Returns every codec that an upload can request, and the request to preserve the existing
  /// codecs.
  static List<RequestedCodec> requestedCodecs() {
    return Stream.concat(
            Stream.of(RequestedCodec.PRESERVE),
            Arrays.stream(Codec.values()).map(RequestedCodec::new))
        .toList();
  }

  /// Returns selected columns and rows in the stored codec.
  MemorySegment selected(Selection selection, boolean asFile) throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
      SelectedVersion selected = snapshot.select(selection);
      SelectedBytes bytes = asFile ? selected.file() : selected.stream();
      bytes.write(0, bytes.byteSize(), BlobSink.reading(sink));
      assertThat(sink.written().byteSize()).isEqualTo(bytes.byteSize());
    }
    return sink.written();
  }

  /// Returns selected columns and rows in a codec.
  MemorySegment selected(Selection selection, Codec codec, boolean asFile) throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
      SelectedVersion selected = snapshot.select(selection);
      RecompressedMessages messages = selected.recompressed(codec);
      if (asFile) {
        messages.writeFile(sink);
      } else {
        messages.writeStream(0, selected.batches() - 1, sink);
      }
    }
    return sink.written();
  }

  /// Asserts that ranges of a selection's file have the same bytes as the whole. The ranges start
  /// and end at, before and after the boundaries of every part.
  void assertRangesAgree(Selection selection, String description) throws IOException {
    MemorySegment file = selected(selection, true);
    byte[] whole = file.toArray(LittleEndian.INT8);
    long footerByteSize = LittleEndian.getInt32(file, whole.length - 10);
    long footerOffset = whole.length - 10 - footerByteSize;
    Footer footer =
        FooterDecoder.decode(file.asSlice(footerOffset, footerByteSize), Limits.DEFAULT);
    List<Block> blocks = new ArrayList<>(footer.dictionaries());
    blocks.addAll(footer.recordBatches());
    blocks.add(new Block(8, 0, footerOffset - 8));
    TreeSet<Integer> boundaries = new TreeSet<>();
    for (Block block : blocks) {
      for (long boundary :
          new long[] {block.offset(), block.offset() + block.metaDataLength(), block.end()}) {
        for (long near = boundary - 1; near <= boundary + 1; near++) {
          boundaries.add((int) near);
        }
      }
    }
    boundaries.addAll(List.of(0, 1, whole.length - 1, whole.length));
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
      SelectedBytes selected = snapshot.select(selection).file();
      int start = 0;
      for (int end : boundaries) {
        Decoded.Sink sink = new Decoded.Sink();
        selected.write(start, end - start, BlobSink.reading(sink));
        assertThat(sink.written().toArray(LittleEndian.INT8))
            .as("bytes %d to %d of %s", start, end, description)
            .isEqualTo(Arrays.copyOfRange(whole, start, end));
        start = end;
      }
    }
  }

  private MemorySegment read(boolean asFile) throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
      ByteRange range = asFile ? snapshot.file() : snapshot.stream();
      snapshot.read(range, sink);
      assertThat(snapshot.batches(0, 1000)).hasSize((int) snapshot.summary().file().batches());
    }
    return sink.written();
  }
}
