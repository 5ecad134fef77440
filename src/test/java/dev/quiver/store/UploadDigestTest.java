package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.LegacyFraming;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.MemoryBlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.UploadDigest;
import dev.quiver.store.version.UploadDigest.Form;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import dev.quiver.store.write.UploadOptions.BatchSizes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The SHA-256 that an upload brings: it stays with the version if that is the upload byte for
/// byte, in a folder and in a bucket. Every digest that stays is compared with the served bytes.
class UploadDigestTest {

  private static final DatasetName NAME = new DatasetName("data");

  /// The polynomial of CRC-32C in the order of its bits: bytes that differ by it have one checksum.
  private static final long POLYNOMIAL = 1L | 0x82F63B78L << 1;

  @TempDir private Path folder;

  private Datasets datasets(boolean remote) throws IOException {
    BlobStore store = remote ? new MemoryBlobStore(folder) : FolderBlobStore.open(folder);
    return new Datasets(store, DatasetOptions.DEFAULT);
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new AssertionError(everyJavaHasIt);
    }
  }

  private static void put(Datasets datasets, byte[] body, UploadOptions options)
      throws IOException {
    datasets.put(
        NAME,
        UploadData.Source.of(ByteSource.of(MemorySegment.ofArray(body)), BodyFormat.UNKNOWN),
        new WriteCondition.None(),
        options.withDigest(() -> sha256(body)),
        /* key= */ null);
  }

  private static void append(Datasets datasets, byte[] body) throws IOException {
    datasets.append(
        NAME,
        UploadData.Source.of(ByteSource.of(MemorySegment.ofArray(body)), BodyFormat.UNKNOWN),
        new WriteCondition.None(),
        UploadOptions.KEEP.withDigest(() -> sha256(body)),
        /* key= */ null);
  }

  /// Returns the representation whose digest a version has, or null. The digest must be right.
  private static @Nullable Form digested(Datasets datasets, @Nullable Long version)
      throws IOException {
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, version))) {
      UploadDigest digest = snapshot.digest();
      if (digest == null) {
        return null;
      }
      assertThat(digest.sha256()).isEqualTo(sha256(served(snapshot, digest.form())));
      return digest.form();
    }
  }

  private static byte[] served(Datasets datasets, Form form) throws IOException {
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
      return served(snapshot, form);
    }
  }

  private static byte[] served(Snapshot snapshot, Form form) throws IOException {
    return DatasetTestFolder.read(
        snapshot,
        switch (form) {
          case FILE -> snapshot.file();
          case STREAM -> snapshot.stream();
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void staysWithAStreamAndWithAFile(boolean remote) throws IOException {
    try (Datasets datasets = datasets(remote)) {
      for (byte[] stream :
          List.of(
              SampleStreams.stream(),
              SampleStreams.stream(3, 4),
              SampleStreams.stream(300_000),
              SampleStreams.stream(Codec.ZSTD, 30_000, 2))) {
        put(datasets, stream, UploadOptions.KEEP);
        assertThat(digested(datasets, null)).isEqualTo(Form.STREAM);
        byte[] file = served(datasets, Form.FILE);
        put(datasets, file, UploadOptions.KEEP);
        assertThat(digested(datasets, null)).isEqualTo(Form.FILE);
        assertThat(served(datasets, Form.FILE)).isEqualTo(file);
      }
    }
  }

  @Test
  void staysWithTheVersionAloneAndForEveryReader() throws IOException {
    BlobStore store = FolderBlobStore.open(folder);
    try (Datasets writer = new Datasets(store, DatasetOptions.DEFAULT);
        Datasets other = new Datasets(FolderBlobStore.open(folder), DatasetOptions.DEFAULT)) {
      append(writer, SampleStreams.stream(3));
      assertThat(digested(other, null)).isEqualTo(Form.STREAM);
      append(writer, SampleStreams.stream(4));
      assertThat(digested(other, null)).isNull();
      writer.compact(NAME, new WriteCondition.None());
      assertThat(digested(other, null)).isNull();
      assertThat(digested(other, 1L)).isEqualTo(Form.STREAM);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isDroppedWithTheFirstDifference(boolean remote) throws IOException {
    byte[] stream = SampleStreams.stream(3, 4);
    byte[] withoutEnd = Arrays.copyOf(stream, stream.length - 8);
    byte[] legacy = LegacyFraming.of(stream);
    try (Datasets datasets = datasets(remote)) {
      for (byte[] body :
          List.of(
              withoutEnd,
              Arrays.copyOf(stream, stream.length + 8),
              // A marker of four bytes and four zeros, as long as the one that is written.
              Arrays.copyOf(withoutEnd, stream.length),
              legacy,
              Arrays.copyOf(legacy, stream.length))) {
        put(datasets, body, UploadOptions.KEEP);
        assertThat(digested(datasets, null)).isNull();
      }
      put(datasets, stream, UploadOptions.DEFAULT);
      assertThat(digested(datasets, null)).isNull();
      put(datasets, stream, new UploadOptions(BatchSizes.PRESERVED, new RequestedCodec(Codec.LZ4)));
      assertThat(digested(datasets, null)).isNull();
    }
  }

  /// The end of a file is written anew, and five bytes changed in it keep its length and CRC-32C.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isDroppedIfTheEndOfAFileDiffersWithTheSameChecksum(boolean remote) throws IOException {
    try (Datasets datasets = datasets(remote)) {
      put(datasets, SampleStreams.stream(3, 4), UploadOptions.KEEP);
      byte[] whole = served(datasets, Form.FILE);
      int end = (int) datasets.summary(new DatasetReference(NAME, null)).file().footerOffset();
      int disguised = 0;
      for (int i = end; i + 5 <= whole.length && disguised < 5; i++) {
        byte[] body = whole.clone();
        for (int j = 0; j < 5; j++) {
          body[i + j] ^= (byte) (POLYNOMIAL >>> 8 * j);
        }
        try {
          put(datasets, body, UploadOptions.KEEP);
        } catch (InputException | InvalidDataException | UnsupportedFormatException rejected) {
          continue;
        }
        if (isDisguised(body, served(datasets, Form.FILE))) {
          disguised++;
          assertThat(digested(datasets, null)).isNull();
        }
      }
      assertThat(disguised).isPositive();
    }
  }

  /// A misaligned body is written anew, as long as before. Four of its unused bytes, which become
  /// zeros, are chosen so that the CRC-32C stays the same.
  @Test
  void isDroppedIfAStreamDiffersWithTheSameChecksum() throws IOException {
    try (Datasets datasets = datasets(/* remote= */ false)) {
      byte[] body = numbers(/* gap= */ 1);
      put(datasets, body, UploadOptions.KEEP);
      byte[] served = served(datasets, Form.STREAM);
      forge(body, body.length - 20, forged -> checksum(forged) ^ checksum(served));
      put(datasets, body, UploadOptions.KEEP);
      assertThat(isDisguised(body, served(datasets, Form.STREAM))).isTrue();
      assertThat(digested(datasets, null)).isNull();
    }
  }

  /// Zeros after the end are dropped. After numbers whose CRC-32C has all bits set, they do not
  /// change it.
  @Test
  void isDroppedIfAStreamIsShorterWithTheSameChecksum() throws IOException {
    try (Datasets datasets = datasets(/* remote= */ false)) {
      byte[] stream = numbers(/* gap= */ 0);
      forge(stream, stream.length - 72, forged -> ~checksum(forged));
      byte[] body = Arrays.copyOf(stream, stream.length + 8);
      put(datasets, body, UploadOptions.KEEP);
      byte[] served = served(datasets, Form.STREAM);
      assertThat(body).startsWith(served).hasSizeGreaterThan(served.length);
      assertThat(checksum(served)).isEqualTo(checksum(body));
      assertThat(digested(datasets, null)).isNull();
    }
  }

  private static boolean isDisguised(byte[] uploaded, byte[] served) {
    return served.length == uploaded.length
        && checksum(served) == checksum(uploaded)
        && !Arrays.equals(served, uploaded);
  }

  /// Returns a stream of three numbers that start `gap` bytes into a body of 64 bytes.
  private static byte[] numbers(int gap) throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(Schema.of(Field.of("number", true, SampleStreams.INT32)));
    RecordBatchHeader header =
        new RecordBatchHeader(
            3,
            List.of(new FieldNode(3, 0)),
            List.of(new Buffer(0, 0), new Buffer(gap, 12)),
            null,
            List.of());
    writer.write(header, Metadata.EMPTY, 64);
    writer.write(MemorySegment.ofArray(new byte[64]));
    writer.writeEndOfStream();
    return bytes.toByteArray();
  }

  /// Changes four bytes so that checksums do not differ, to which each bit adds the same whatever
  /// the others are.
  private static void forge(byte[] bytes, int offset, ToIntFunction<byte[]> difference) {
    int start = difference.applyAsInt(bytes);
    long[] effects = new long[Integer.SIZE];
    for (int bit = 0; bit < effects.length; bit++) {
      bytes[offset + bit / 8] ^= (byte) (1 << bit % 8);
      effects[bit] =
          (start ^ difference.applyAsInt(bytes)) & 0xFFFF_FFFFL | 1L << Integer.SIZE + bit;
      bytes[offset + bit / 8] ^= (byte) (1 << bit % 8);
    }
    long wanted = start & 0xFFFF_FFFFL;
    for (int bit = 0; bit < Integer.SIZE; bit++) {
      int column = bit;
      int pivot =
          IntStream.range(bit, effects.length)
              .filter(i -> (effects[i] >>> column & 1) == 1)
              .findFirst()
              .orElseThrow();
      long effect = effects[pivot];
      effects[pivot] = effects[bit];
      effects[bit] = effect;
      for (int i = bit + 1; i < effects.length; i++) {
        effects[i] ^= (effects[i] >>> bit & 1) * effect;
      }
      wanted ^= (wanted >>> bit & 1) * effect;
    }
    for (int bit = 0; bit < Integer.SIZE; bit++) {
      bytes[offset + bit / 8] ^= (byte) ((wanted >>> Integer.SIZE + bit & 1) << bit % 8);
    }
    assertThat(difference.applyAsInt(bytes)).isZero();
  }

  private static int checksum(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return (int) checksum.getValue();
  }
}
