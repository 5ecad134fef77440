package dev.quiver.dataset.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.codec.Codec;
import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.ImportSource;
import dev.quiver.dataset.version.SourceFile;
import dev.quiver.dataset.version.StoredFile;
import dev.quiver.dataset.version.Ulid;
import dev.quiver.dataset.version.VersionKind;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.storage.Blob;
import dev.quiver.validate.Level;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The bytes of manifests: the documented layout, round trips, and the rejection of truncated and
/// corrupt ones.
class ManifestFormatTest {

  private static final VersionSummary SUMMARY =
      new VersionSummary(
          new DatasetName("Flights"),
          3,
          "01h",
          VersionKind.UPLOAD,
          2,
          Instant.parse("2026-11-20T09:00:00.123Z"),
          new StoredFile(20, 2, 1000, Codec.ZSTD, false, Level.VALUES, 120, 800, 190),
          null);

  @Test
  void writesTheDocumentedBytesOfAManifest() {
    byte[] bytes =
        bytes(
            ManifestFormat.write(
                SUMMARY,
                "01g",
                List.of(new RememberedKey("kk", 4, Instant.ofEpochMilli(5))),
                List.of(new BlobExtent("data/a", 1, 2)),
                MemorySegment.ofArray(new byte[] {7, 8, 9})));
    String json =
        "{\"name\":\"Flights\",\"version\":3,\"commitId\":\"01h\",\"kind\":\"UPLOAD\","
            + "\"firstVersion\":2,\"committedAt\":\"2026-11-20T09:00:00.123Z\",\"rows\":20,"
            + "\"batches\":2,\"byteSize\":1000,\"codec\":\"ZSTD\",\"mixedCodecs\":false,\"level\":\"VALUES\",\"schemaMetaDataLength\":120,"
            + "\"footerOffset\":800,\"footerLength\":190}";
    String expected =
        hexadecimal("QUIVERMF")
            + "02000000"
            + HexFormat.of().toHexDigits(Integer.reverseBytes(json.length()))
            + hexadecimal(json)
            + "01000000"
            + "01000000"
            + "0300000000000000"
            + "03000000"
            + hexadecimal("01g")
            + "0100000000000000"
            + "0200000000000000"
            + "06000000"
            + hexadecimal("data/a")
            + "0400000000000000"
            + "0500000000000000"
            + "02000000"
            + hexadecimal("kk");
    String found = HexFormat.of().formatHex(bytes);
    assertThat(found).startsWith(expected).endsWith("070809");
    assertThat(found).hasSize(expected.length() + 8 + 6);
  }

  @Test
  void roundTripsExtentsAndKeys() throws IOException {
    List<BlobExtent> extents =
        IntStream.range(0, 256)
            .mapToObj(i -> new BlobExtent("data/_flights_/" + "x".repeat(26) + i, i, 10L * i))
            .toList();
    List<RememberedKey> keys =
        IntStream.range(0, 300)
            .mapToObj(i -> new RememberedKey("k" + i, i, Instant.ofEpochMilli(1000L * i)))
            .toList();
    MemorySegment tail = MemorySegment.ofArray(new byte[300]);
    MemorySegment bytes = ManifestFormat.write(SUMMARY, null, keys, extents, tail);
    Manifest manifest = read(bytes);
    assertThat(manifest.summary()).isEqualTo(SUMMARY);
    assertThat(manifest.extents()).isEqualTo(extents);
    assertThat(manifest.parentCommitId()).isNull();
    assertThat(manifest.keys()).isEqualTo(keys);
    assertThat(manifest.tailByteSize()).isEqualTo(300);
    assertThat(manifest.tailOffset()).isEqualTo(bytes.byteSize() - 300);
  }

  @Test
  void roundTripsADelete() throws IOException {
    VersionSummary delete =
        new VersionSummary(
            new DatasetName("a"),
            1,
            "x",
            VersionKind.DELETE,
            1,
            Instant.EPOCH,
            new StoredFile(0, 0, 0, Codec.NONE, false, Level.VALUES, 0, 0, 0),
            null);
    Manifest manifest =
        read(ManifestFormat.write(delete, "p", List.of(), List.of(), MemorySegment.NULL));
    assertThat(manifest.summary()).isEqualTo(delete);
    assertThat(manifest.extents()).isEmpty();
  }

  /// Earlier builds called a compaction a merge.
  @Test
  void readsAMergeAsACompaction() {
    String json = new String(SummaryJson.write(SUMMARY), StandardCharsets.UTF_8);
    String merge = json.replace("\"kind\":\"UPLOAD\"", "\"kind\":\"MERGE\"");
    assertThat(SummaryJson.read(merge.getBytes(StandardCharsets.UTF_8)).kind())
        .isEqualTo(VersionKind.COMPACTION);
  }

  /// Names, identifiers and numbers are bounded, so every summary is far below the limit.
  @Test
  void longestSummaryIsFarBelowTheLimit() {
    VersionSummary longest =
        new VersionSummary(
            new DatasetName("A".repeat(100)),
            Long.MAX_VALUE,
            Ulid.next(),
            VersionKind.UPLOAD,
            Long.MAX_VALUE,
            Instant.parse("2026-11-20T09:00:00.123Z"),
            new StoredFile(
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Codec.LZ4,
                true,
                Level.OFFSETS,
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                Integer.MAX_VALUE),
            null);
    assertThat(SummaryJson.write(longest).length).isLessThan(1024);
  }

  @Test
  void rejectsASummaryThatIsTooLong() {
    VersionSummary tooLong =
        new VersionSummary(
            new DatasetName("a"),
            1,
            "x".repeat(4000),
            VersionKind.UPLOAD,
            1,
            Instant.EPOCH,
            new StoredFile(0, 0, 0, Codec.NONE, false, Level.VALUES, 0, 0, 0),
            null);
    assertThatThrownBy(
            () -> ManifestFormat.write(tooLong, null, List.of(), List.of(), MemorySegment.NULL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected a summary of at most 4080 bytes but found 4238");
  }

  @Test
  void rejectsEveryTruncationAndEveryChange() throws IOException {
    MemorySegment tail = MemorySegment.ofArray(new byte[3]);
    byte[] whole =
        bytes(
            ManifestFormat.write(
                SUMMARY,
                "p",
                List.of(new RememberedKey("k", 1, Instant.EPOCH)),
                List.of(new BlobExtent("data/a", 1, 2)),
                tail));
    for (int i = 0; i < whole.length; i++) {
      byte[] truncated = Arrays.copyOf(whole, i);
      assertThatThrownBy(() -> read(MemorySegment.ofArray(truncated)))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("Expected a manifest but found a broken one at blob ");
      if (i < whole.length - 3) {
        byte[] changed = whole.clone();
        changed[i] ^= 0x20;
        assertThatThrownBy(() -> read(MemorySegment.ofArray(changed)))
            .isInstanceOf(IOException.class);
      }
    }
  }

  private static Manifest read(MemorySegment bytes) throws IOException {
    return ManifestFormat.read("x", new MemoryBlob(bytes));
  }

  private static byte[] bytes(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  private static String hexadecimal(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  private record MemoryBlob(MemorySegment bytes) implements Blob {

    @Override
    public long byteSize() {
      return bytes.byteSize();
    }

    @Override
    public long read(long byteOffset, MemorySegment destination) {
      long count = Math.min(destination.byteSize(), bytes.byteSize() - byteOffset);
      MemorySegment.copy(bytes, byteOffset, destination, 0, count);
      return count;
    }

    @Override
    public MemorySegment map(long byteOffset, long byteSize, Arena arena) {
      return bytes.asSlice(byteOffset, byteSize);
    }

    @Override
    public @Nullable Path localPath() {
      return null;
    }

    @Override
    public void close() {}
  }

  @Test
  void roundTripsImportSources() {
    SourceFile file =
        new SourceFile("a/\u00e4.arrow", 7, Instant.parse("2026-03-01T12:00:00.123456789Z"));
    for (ImportSource source :
        List.of(new ImportSource(file, 3, null), new ImportSource(file, 3, "data/_a_/b"))) {
      VersionSummary summary = withSource(source);
      assertThat(SummaryJson.read(SummaryJson.write(summary))).isEqualTo(summary);
    }
  }

  private static VersionSummary withSource(ImportSource source) {
    return new VersionSummary(
        SUMMARY.name(),
        SUMMARY.version(),
        SUMMARY.commitId(),
        SUMMARY.kind(),
        SUMMARY.firstVersion(),
        SUMMARY.committedAt(),
        StoredFile.NONE,
        source);
  }
}
