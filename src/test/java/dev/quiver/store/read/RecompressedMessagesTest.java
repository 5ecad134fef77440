package dev.quiver.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.StreamCodecs;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.FooterDecoder;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.SampleStreams;
import dev.quiver.store.version.ByteRange;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The bytes of a version in another codec. `golden.ServedGoldenFilesTest` checks their values,
/// `server.CodecTest` the responses.
class RecompressedMessagesTest {

  /// Enough rows for bodies that are mapped, and for scratch memory in a file.
  private static final int LARGE = 3_000_000;

  @TempDir private Path folder;
  private DatasetTestFolder data;

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  private static byte[] stream(Codec dictionary, Codec... batches) throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(SampleStreams.SCHEMA);
    RecordBatch batch = SampleStreams.batch(SampleStreams.builder(), 1000);
    ArrayData colors = Objects.requireNonNull(batch.columns().get(1).dictionary());
    try (Arena arena = Arena.ofConfined()) {
      writer.writeDictionary(
          7, EncodedBody.of(colors.length(), List.of(colors), dictionary, arena));
      for (Codec codec : batches) {
        writer.writeRecordBatch(
            EncodedBody.of(batch.length(), batch.columns(), codec, arena), Metadata.EMPTY);
      }
    }
    writer.writeEndOfStream();
    return bytes.toByteArray();
  }

  private MemorySegment file(Codec codec) throws IOException {
    Bytes bytes = new Bytes();
    try (Snapshot snapshot = data.open()) {
      snapshot.recompressed(codec).writeFile(bytes);
    }
    return bytes.segment();
  }

  @Test
  void summaryReportsMixedCodecs() throws IOException {
    Codec zstd = Codec.ZSTD;
    Codec lz4 = Codec.LZ4;
    assertThat(data.put(stream(Codec.NONE, Codec.NONE, Codec.NONE)).file().mixedCodecs()).isFalse();
    assertThat(data.put(stream(zstd, zstd, zstd)).file().mixedCodecs()).isFalse();
    assertThat(data.put(stream(Codec.NONE, zstd, zstd)).file().mixedCodecs()).isTrue();
    assertThat(data.put(stream(zstd, Codec.NONE, Codec.NONE)).file().mixedCodecs()).isTrue();
    assertThat(data.put(stream(zstd, zstd, lz4)).file().mixedCodecs()).isTrue();
    assertThat(data.put(stream(zstd, Codec.NONE, zstd)).file().mixedCodecs()).isTrue();
    assertThat(data.put(stream(zstd)).file().mixedCodecs()).isTrue();
  }

  @Test
  void summaryWithoutTheMixedCodecsMemberCountsAsMixed() throws IOException {
    VersionSummary summary = data.put(stream(Codec.NONE, Codec.NONE, Codec.NONE));
    String json = new String(summary.write()).replace("mixedCodecs", "another");
    assertThat(VersionSummary.read(json.getBytes()).file().mixedCodecs()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void everyBodyHasTheRequestedCodec(Codec codec) throws IOException {
    data.put(stream(Codec.NONE, Codec.ZSTD, Codec.NONE, Codec.LZ4));
    assertThat(StreamCodecs.ofFile(file(codec))).hasSize(4).containsOnly(codec);
  }

  @Test
  void copiesABodyThatHasTheRequestedCodec() throws IOException {
    data.put(stream(Codec.NONE, Codec.NONE, Codec.ZSTD));
    try (Snapshot snapshot = data.open()) {
      Bytes bytes = new Bytes();
      snapshot.recompressed(Codec.ZSTD).writeStream(1, 1, bytes);
      ByteRange stored = snapshot.batchRange(1, 1);
      byte[] message = DatasetTestFolder.read(snapshot, stored);
      assertThat(bytes.segment().asSlice(bytes.segment().byteSize() - message.length - 8))
          .matches(
              rest -> rest.asSlice(0, message.length).mismatch(MemorySegment.ofArray(message)) < 0);
    }
  }

  @Test
  void footerHasTheNewBlocksAndTheOriginalMetadata() throws IOException {
    Bytes body = new Bytes();
    FileWriter writer = new FileWriter(body, SampleStreams.SCHEMA, Codec.NONE);
    var builder = SampleStreams.builder();
    writer.write(SampleStreams.batch(builder, 1000));
    writer.write(SampleStreams.batch(builder, 500));
    writer.close(Metadata.of(KeyValue.of("origin", "test")));
    data.put(body.toByteArray());
    MemorySegment file = file(Codec.ZSTD);
    Footer footer = footer(file);
    assertThat(footer.customMetadata())
        .isEqualTo(
            Metadata.of(
                KeyValue.of("origin", "test"),
                KeyValue.of("__POLARS_IPC_METADATA", "{\"record_batch_cum_len\":[1000,1500]}")));
    assertThat(footer.schema()).isEqualTo(SampleStreams.SCHEMA);
    assertThat(footer.dictionaries()).hasSize(1);
    assertThat(footer.recordBatches()).hasSize(2);
    long[] rows = {1000, 500};
    for (int i = 0; i < 2; i++) {
      Block block = footer.recordBatches().get(i);
      Message message = message(file.asSlice(block.offset(), block.metaDataLength()));
      assertThat(message.bodyLength()).isEqualTo(block.bodyLength());
      assertThat(((RecordBatchHeader) message.header()).length()).isEqualTo(rows[i]);
    }
  }

  @Test
  void truncationBetweenMessagesBeginsAnUnfinishedOne() throws IOException {
    data.put(SampleStreams.stream(10, 20));
    try (Snapshot snapshot = data.open()) {
      RecompressedMessages messages = snapshot.recompressed(Codec.ZSTD);
      assertThat(messages.lastBodyEnd()).isZero();
      assertThat(messages.unfinishedMessage(0).byteSize()).isZero();
      Bytes bytes = new Bytes();
      // Writes the schema, a dictionary and a batch, but fails within the body of the batch.
      int[] bodies = new int[1];
      assertThatThrownBy(() ->
              messages.writeStream(
                  0,
                  1,
                  segment -> {
                    if (bytes.segment().byteSize() > messages.lastBodyEnd() && bodies[0]++ > 20) {
                      throw new IOException("full");
                    }
                    bytes.write(segment);
                  }))
          .hasMessage("full");
      long end = messages.lastBodyEnd();
      assertThat(end).isPositive().isLessThan(bytes.segment().byteSize());
      assertThat(messages.unfinishedMessage(end - 1).byteSize()).isZero();
      assertThat(messages.unfinishedMessage(end + 1).byteSize()).isZero();
      Message unfinished = message(messages.unfinishedMessage(end));
      RecordBatchHeader header = (RecordBatchHeader) unfinished.header();
      assertThat(header.nodes()).hasSize(2);
      assertThat(unfinished.bodyLength()).isPositive();
    }
  }

  @Test
  void truncationPointsLieWithinBodies() throws IOException {
    data.put(SampleStreams.stream(10, 20));
    try (Snapshot snapshot = data.open()) {
      RecompressedMessages messages = snapshot.recompressed(Codec.ZSTD);
      assertThat(messages.lastWithinBody(100)).isEqualTo(-1);
      Bytes bytes = new Bytes();
      List<Long> points = new ArrayList<>();
      messages.writeFile(segment -> {
        bytes.write(segment);
        points.add(messages.lastWithinBody(bytes.segment().byteSize()));
      });
      Footer footer = footer(bytes.segment());
      List<Block> blocks =
          Stream.concat(footer.dictionaries().stream(), footer.recordBatches().stream()).toList();
      assertThat(points).isSorted().contains(-1L);
      for (long point : points) {
        assertThat(blocks)
            .as("truncation point " + point)
            .anyMatch(block ->
                point == -1
                    || point >= block.offset() + block.metaDataLength() && point < block.end());
      }
      for (Block block : blocks) {
        // There is a point within the body, and one at its last byte.
        assertThat(points)
            .contains(block.end() - 1)
            .anyMatch(point -> point > block.offset() && point < block.end() - 1);
      }
    }
  }

  @Test
  void largeBatchesLeaveNoScratchFileBehind() throws IOException {
    data.put(SampleStreams.stream(Codec.LZ4, LARGE));
    try (Snapshot snapshot = data.open()) {
      long[] byteSize = new long[1];
      snapshot
          .recompressed(Codec.NONE)
          .writeStream(0, 0, segment -> byteSize[0] += segment.byteSize());
      assertThat(byteSize[0]).isGreaterThan(5L * LARGE);
    }
    try (var files = Files.list(data.store.scratchFolder())) {
      assertThat(files).isEmpty();
    }
  }

  private static Message message(MemorySegment encapsulated) {
    return MessageDecoder.decode(encapsulated.asSlice(Framing.PREFIX_BYTE_SIZE), Limits.DEFAULT);
  }

  private static Footer footer(MemorySegment file) {
    long end = file.byteSize() - Framing.FILE_TRAILER_BYTE_SIZE;
    int byteSize = LittleEndian.getInt32(file, end);
    return FooterDecoder.decode(file.asSlice(end - byteSize, byteSize), Limits.DEFAULT);
  }
}
