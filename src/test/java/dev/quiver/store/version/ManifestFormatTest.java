package dev.quiver.store.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.arrow.validate.Level;
import dev.quiver.formats.FileParameters;
import dev.quiver.store.blob.Blob;
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
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
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
            Manifests.write(
                SUMMARY,
                "01g",
                List.of(new RememberedKeys.Key("kk", 4, Instant.ofEpochMilli(5))),
                List.of(new BlobExtent("data/a", 1, 2), new BlobExtent("data/b", 3, 4)),
                MemorySegment.ofArray(new byte[] {7, 8, 9})));
    String json =
        "{\"name\":\"Flights\",\"version\":3,\"commitId\":\"01h\",\"kind\":\"UPLOAD\","
            + "\"firstVersion\":2,\"committedAt\":\"2026-11-20T09:00:00.123Z\",\"rows\":20,"
            + "\"batches\":2,\"byteSize\":1000,\"codec\":\"ZSTD\",\"mixedCodecs\":false,\"level\":\"VALUES\",\"schemaMetaDataLength\":120,"
            + "\"footerOffset\":800,\"footerLength\":190}";
    String extents =
        text("data/") + int64(1) + int64(2) + text("a") + int64(3) + int64(4) + text("b");
    String checksums = "00".repeat(16);
    String keys = int64(4) + int64(5) + text("kk");
    int tableByteSize = 4 + 3 + 4 + 4 * 32;
    int end = 20 + json.length() + tableByteSize + 4;
    String checked =
        hexadecimal("QUIVERMF")
            + int32(3)
            + int32(json.length())
            + int32(tableByteSize)
            + hexadecimal(json)
            + text("01g")
            + int32(4)
            + section(1, 1, end, extents)
            + section(5, 1, end + 51, keys)
            + section(8, 0, end + 51 + 22, checksums)
            + section(3, 1, end + 51 + 22 + 16, "070809");
    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(checked + checksum(checked) + extents + keys + checksums + "070809");
  }

  private static String section(int type, int required, int byteOffset, String content) {
    return int32(type)
        + int32(required)
        + int64(byteOffset)
        + int64(content.length() / 2)
        + checksum(content)
        + int32(0);
  }

  private static String checksum(String content) {
    CRC32C checksum = new CRC32C();
    checksum.update(HexFormat.of().parseHex(content));
    return int32((int) checksum.getValue());
  }

  private static String text(String text) {
    return int32(text.length()) + hexadecimal(text);
  }

  private static String int32(int value) {
    return HexFormat.of().toHexDigits(Integer.reverseBytes(value));
  }

  private static String int64(long value) {
    return HexFormat.of().toHexDigits(Long.reverseBytes(value));
  }

  @Test
  void roundTripsExtentsAndKeys() throws IOException {
    List<BlobExtent> extents =
        IntStream.range(0, 256)
            .mapToObj(i -> new BlobExtent("data/_flights_/" + "x".repeat(26) + i, i, 10L * i))
            .toList();
    List<RememberedKeys.Key> keys =
        IntStream.range(0, 300)
            .mapToObj(i -> new RememberedKeys.Key("k" + i, i, Instant.ofEpochMilli(1000L * i)))
            .toList();
    MemorySegment tail = MemorySegment.ofArray(new byte[300]);
    MemorySegment bytes = Manifests.write(SUMMARY, null, keys, extents, tail);
    Manifest manifest = read(bytes);
    assertThat(manifest.summary()).isEqualTo(SUMMARY);
    assertThat(manifest.extents()).isEqualTo(extents);
    assertThat(manifest.parentCommitId()).isNull();
    assertThat(manifest.keys().recent()).isEqualTo(keys);
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
        read(Manifests.write(delete, "p", List.of(), List.of(), MemorySegment.NULL));
    assertThat(manifest.summary()).isEqualTo(delete);
    assertThat(manifest.extents()).isEmpty();
  }

  /// Earlier builds called a compaction a merge.
  @Test
  void readsAMergeAsACompaction() {
    String json = new String(SUMMARY.write(), StandardCharsets.UTF_8);
    String merge = json.replace("\"kind\":\"UPLOAD\"", "\"kind\":\"MERGE\"");
    assertThat(VersionSummary.read(merge.getBytes(StandardCharsets.UTF_8)).kind())
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
    assertThat(longest.write().length).isLessThan(1024);
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
            () -> Manifests.write(tooLong, null, List.of(), List.of(), MemorySegment.NULL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected a summary of at most 4076 bytes but found 4238");
  }

  @Test
  void rejectsEveryTruncationAndEveryChange() throws IOException {
    MemorySegment tail = MemorySegment.ofArray(new byte[3]);
    byte[] whole =
        bytes(
            Manifests.write(
                SUMMARY,
                "p",
                List.of(new RememberedKeys.Key("k", 1, Instant.EPOCH)),
                List.of(new BlobExtent("data/a", 1, 2)),
                tail));
    for (int i = 0; i < whole.length; i++) {
      byte[] truncated = Arrays.copyOf(whole, i);
      assertThatThrownBy(() -> read(MemorySegment.ofArray(truncated)))
          .isInstanceOf(DamagedBlobException.class);
      if (i < whole.length - 3) {
        byte[] changed = whole.clone();
        changed[i] ^= 0x20;
        assertThatThrownBy(() -> read(MemorySegment.ofArray(changed)))
            .isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void writesTheLastReplacementAsAnOptionalSection() throws IOException {
    MemorySegment bytes =
        ManifestFormat.write(
            new Manifest(
                SUMMARY,
                null,
                /* lastReplacement= */ 2,
                RememberedKeys.NONE,
                List.of(new BlobExtent("data/a", 1, 2)),
                FileChecksums.UNKNOWN,
                /* digest= */ null,
                /* lineage= */ null,
                /* conversions= */ List.of(),
                FileParameters.NONE,
                BlobWriters.NONE,
                List.of(),
                0,
                1,
                /* tailChecksum= */ null),
            MemorySegment.ofArray(new byte[] {7}));
    int end = (int) bytes.byteSize();
    assertThat(HexFormat.of().formatHex(bytes(bytes)))
        .contains(section(10, 0, end - 9, int64(2)) + section(3, 1, end - 1, "07"))
        .endsWith(int64(2) + "07");
    assertThat(read(bytes).lastReplacement()).isEqualTo(2);
    assertThat(read(bytes).others()).isEmpty();
    assertThat(read(Manifests.write(SUMMARY, List.of(), MemorySegment.NULL)).lastReplacement())
        .isZero();
  }

  @Test
  void writesTheDigestOfTheUploadAsAnOptionalSection() throws IOException {
    for (UploadDigest.Form form : UploadDigest.Form.values()) {
      UploadDigest digest = new UploadDigest(form, 7, "0123456789abcdef".repeat(4));
      MemorySegment bytes = withDigest(digest);
      String content = int32(form.ordinal()) + int32(7) + digest.sha256();
      assertThat(HexFormat.of().formatHex(bytes(bytes)))
          .contains(section(13, 0, (int) bytes.byteSize() - 40, content))
          .endsWith(content);
      assertThat(read(bytes).digest()).isEqualTo(digest);
      assertThat(read(bytes).others()).isEmpty();
    }
    assertThat(read(withDigest(null)).digest()).isNull();
  }

  @Test
  void readsNoDigestOfARepresentationThatItDoesNotKnow() throws IOException {
    for (int form : new int[] {-1, UploadDigest.Form.values().length, Integer.MAX_VALUE}) {
      MemorySegment bytes =
          withDigest(new UploadDigest(UploadDigest.Form.FILE, 7, "0123456789abcdef".repeat(4)));
      MemorySegment content = bytes.asSlice(bytes.byteSize() - 40);
      int sectionChecksum = Crc32c.of(content);
      long tableEnd = tableEnd(bytes);
      content.set(ValueLayout.JAVA_INT_UNALIGNED, 0, form);
      long i = 0;
      while (bytes.get(ValueLayout.JAVA_INT_UNALIGNED, i) != sectionChecksum) {
        i++;
      }
      bytes.set(ValueLayout.JAVA_INT_UNALIGNED, i, Crc32c.of(content));
      bytes.set(ValueLayout.JAVA_INT_UNALIGNED, tableEnd, Crc32c.of(bytes.asSlice(0, tableEnd)));
      assertThat(read(bytes).digest()).isNull();
      assertThat(read(bytes).summary()).isEqualTo(SUMMARY);
    }
  }

  /// Returns where the checksum of the bytes before it lies.
  private static long tableEnd(MemorySegment bytes) {
    long end = 0;
    while (bytes.get(ValueLayout.JAVA_INT_UNALIGNED, end) != Crc32c.of(bytes.asSlice(0, end))) {
      end++;
    }
    return end;
  }

  private static MemorySegment withDigest(@Nullable UploadDigest digest) {
    return ManifestFormat.write(
        new Manifest(
            SUMMARY,
            null,
            /* lastReplacement= */ 0,
            RememberedKeys.NONE,
            List.of(new BlobExtent("data/a", 1, 2)),
            FileChecksums.UNKNOWN,
            digest,
            /* lineage= */ null,
            /* conversions= */ List.of(),
            FileParameters.NONE,
            BlobWriters.NONE,
            List.of(),
            0,
            0,
            /* tailChecksum= */ null),
        MemorySegment.NULL);
  }

  @Test
  void writesTheLineageAsAnOptionalSectionBeforeTheTail() throws IOException {
    Lineage lineage =
        new Lineage(
            "SELECT 'ü' FROM \"a.b\" WHERE n = $1",
            Map.of("1", "7"),
            List.of(DatasetReference.parse("a.b@3"), DatasetReference.parse("c@1")));
    MemorySegment bytes = withLineage(lineage);
    String json =
        """
        {"sql":"SELECT 'ü' FROM \\"a.b\\" WHERE n = $1",\
        "parameters":{"1":"7"},"reads":["a.b@3","c@1"]}\
        """;
    int end = (int) bytes.byteSize();
    int byteSize = json.getBytes(StandardCharsets.UTF_8).length;
    assertThat(HexFormat.of().formatHex(bytes(bytes)))
        .contains(section(6, 0, end - 1 - byteSize, hexadecimal(json)))
        .endsWith(hexadecimal(json) + "07");
    assertThat(read(bytes).lineage()).isEqualTo(lineage);
    assertThat(read(bytes).others()).isEmpty();
  }

  @Test
  void countsALongLineageAsHeap() throws IOException {
    long without = read(withLineage(new Lineage("", Map.of(), List.of()))).heapByteSize();
    Lineage lineage = new Lineage("-".repeat(60_000), Map.of("p", "x".repeat(2_000)), List.of());
    Manifest manifest = read(withLineage(lineage));
    assertThat(manifest.lineage()).isEqualTo(lineage);
    assertThat(manifest.heapByteSize() - without).isGreaterThan(62_000);
  }

  @Test
  void writesConvertedColumnsAsAnOptionalSectionBeforeTheTail() throws IOException {
    List<ColumnConversion> conversions =
        List.of(
            new ColumnConversion("ü \"a\"", "int64", "int32"),
            new ColumnConversion("missing", /* from= */ null, "list<item: utf8>"));
    MemorySegment bytes = withConversions(conversions);
    String json =
        """
        [{"column":"ü \\"a\\"","from":"int64","to":"int32"},\
        {"column":"missing","from":null,"to":"list<item: utf8>"}]\
        """;
    int byteSize = json.getBytes(StandardCharsets.UTF_8).length;
    assertThat(HexFormat.of().formatHex(bytes(bytes)))
        .contains(section(15, 0, (int) bytes.byteSize() - 1 - byteSize, hexadecimal(json)))
        .endsWith(hexadecimal(json) + "07");
    assertThat(read(bytes).conversions()).isEqualTo(conversions);
    assertThat(read(bytes).others()).isEmpty();
    long without = read(withConversions(List.of())).heapByteSize();
    assertThat(read(bytes).heapByteSize() - without).isGreaterThan(byteSize);
  }

  @Test
  void writesTheParametersOfAFileAsAnOptionalSectionBeforeTheTail() throws IOException {
    FileParameters parameters =
        new FileParameters(
            "CSV", Map.of("csv.null", List.of("ü", "\""), "csv.delimiter", List.of(";")));
    MemorySegment bytes = withFileParameters(parameters);
    String json =
        """
        {"format":"CSV","values":{"csv.delimiter":[";"],"csv.null":["ü","\\""]}}\
        """;
    int byteSize = json.getBytes(StandardCharsets.UTF_8).length;
    assertThat(HexFormat.of().formatHex(bytes(bytes)))
        .contains(section(16, 0, (int) bytes.byteSize() - 1 - byteSize, hexadecimal(json)))
        .endsWith(hexadecimal(json) + "07");
    assertThat(read(bytes).fileParameters()).isEqualTo(parameters);
    assertThat(read(bytes).others()).isEmpty();
    MemorySegment without = withFileParameters(new FileParameters("CSV", Map.of()));
    assertThat(read(without).fileParameters()).isEqualTo(FileParameters.NONE);
    assertThat(read(bytes).heapByteSize() - read(without).heapByteSize()).isGreaterThan(byteSize);
  }

  private static MemorySegment withFileParameters(FileParameters parameters) {
    return ManifestFormat.write(
        new Manifest(
            SUMMARY,
            null,
            /* lastReplacement= */ 0,
            RememberedKeys.NONE,
            List.of(new BlobExtent("data/a", 1, 2)),
            FileChecksums.UNKNOWN,
            /* digest= */ null,
            /* lineage= */ null,
            /* conversions= */ List.of(),
            parameters,
            BlobWriters.NONE,
            List.of(),
            0,
            1,
            /* tailChecksum= */ null),
        MemorySegment.ofArray(new byte[] {7}));
  }

  private static MemorySegment withConversions(List<ColumnConversion> conversions) {
    return withLineageOrConversions(/* lineage= */ null, conversions);
  }

  private static MemorySegment withLineage(Lineage lineage) {
    return withLineageOrConversions(lineage, /* conversions= */ List.of());
  }

  private static MemorySegment withLineageOrConversions(
      @Nullable Lineage lineage, List<ColumnConversion> conversions) {
    return ManifestFormat.write(
        new Manifest(
            SUMMARY,
            null,
            /* lastReplacement= */ 0,
            RememberedKeys.NONE,
            List.of(new BlobExtent("data/a", 1, 2)),
            FileChecksums.UNKNOWN,
            /* digest= */ null,
            lineage,
            conversions,
            FileParameters.NONE,
            BlobWriters.NONE,
            List.of(),
            0,
            1,
            /* tailChecksum= */ null),
        MemorySegment.ofArray(new byte[] {7}));
  }

  private static MemorySegment withWriters(List<BlobExtent> extents, BlobWriters writers) {
    return ManifestFormat.write(
        new Manifest(
            SUMMARY,
            null,
            /* lastReplacement= */ 0,
            RememberedKeys.NONE,
            extents,
            FileChecksums.UNKNOWN,
            /* digest= */ null,
            /* lineage= */ null,
            /* conversions= */ List.of(),
            FileParameters.NONE,
            writers,
            List.of(),
            0,
            0,
            /* tailChecksum= */ null),
        MemorySegment.NULL);
  }

  @Test
  void writesTheWritersAsAnOptionalSection() throws IOException {
    List<BlobExtent> extents =
        List.of(
            new BlobExtent("data/b", 1, 2),
            new BlobExtent("data/a", 1, 2),
            new BlobExtent("data/b", 5, 2),
            new BlobExtent("data/c", 5, 2));
    BlobWriters writers = new BlobWriters(Map.of("data/b", "token:é", "data/c", "anonymous"));
    MemorySegment bytes = withWriters(extents, writers);
    String content =
        int32(2)
            + int32(9)
            + HexFormat.of().formatHex("anonymous".getBytes(StandardCharsets.UTF_8))
            + int32(8)
            + HexFormat.of().formatHex("token:é".getBytes(StandardCharsets.UTF_8))
            + int32(2)
            + int32(0)
            + int32(1);
    assertThat(HexFormat.of().formatHex(bytes(bytes)))
        .contains(section(14, 0, (int) bytes.byteSize() - content.length() / 2, content))
        .endsWith(content);
    assertThat(read(bytes).writers()).isEqualTo(writers);
    assertThat(read(bytes).others()).isEmpty();
    assertThat(read(withWriters(extents, BlobWriters.NONE)).writers()).isEqualTo(BlobWriters.NONE);
  }

  /// The checksums are right, as if a faulty program had written them.
  @Test
  void rejectsWritersOfOtherBlobs() {
    List<BlobExtent> extents = List.of(new BlobExtent("data/a", 1, 2));
    BlobWriters writers = new BlobWriters(Map.of("data/a", "x"));
    for (int[] wrong : new int[][] {{0, -1}, {0, 2}, {0, Integer.MAX_VALUE}, {9, -1}, {9, 2}}) {
      MemorySegment bytes = withWriters(extents, writers);
      MemorySegment content = bytes.asSlice(bytes.byteSize() - 13);
      int sectionChecksum = Crc32c.of(content);
      long tableEnd = tableEnd(bytes);
      content.set(ValueLayout.JAVA_INT_UNALIGNED, wrong[0], wrong[1]);
      long i = 0;
      while (bytes.get(ValueLayout.JAVA_INT_UNALIGNED, i) != sectionChecksum) {
        i++;
      }
      bytes.set(ValueLayout.JAVA_INT_UNALIGNED, i, Crc32c.of(content));
      bytes.set(ValueLayout.JAVA_INT_UNALIGNED, tableEnd, Crc32c.of(bytes.asSlice(0, tableEnd)));
      assertThatThrownBy(() -> read(bytes))
          .as("%d at %d", wrong[1], wrong[0])
          .isInstanceOf(DamagedBlobException.class);
    }
  }

  @Test
  void skipsAnUnknownOptionalSectionAndKeepsItsBlob() throws IOException {
    Manifest manifest = read(withSection(99, false, "data/_a_/z"));
    assertThat(manifest.summary()).isEqualTo(SUMMARY);
    assertThat(manifest.blobKeys()).containsExactly("data/_a_/z", "data/a", "data/a.sidecar");
  }

  @Test
  void rejectsAnUnknownRequiredSectionByItsNumber() {
    assertThatThrownBy(() -> read(withSection(99, true, "data/_a_/z")))
        .isInstanceOf(IOException.class)
        .hasMessage("Expected sections of known types but found the required section 99 at blob x");
  }

  /// The checksum of the table is right, as if a faulty program had written it.
  @Test
  void rejectsSectionsThatCannotBeRead() {
    for (Section section :
        List.of(
            new Section(Section.KEYS, true, "", 5000, -1, 0),
            new Section(Section.KEYS, true, "", -1, 1, 0),
            new Section(Section.KEYS, true, "", 0, 1, 0),
            new Section(Section.KEYS, true, "", 1, Long.MAX_VALUE, 0),
            new Section(99, false, "data/_a_/z", 0, -1, 0),
            new Section(Section.EXTENTS, true, "data/_a_/z", 0, 1, 0),
            new Section(Section.TAIL, true, "data/_a_/z", 0, 1, 0),
            new Section(Section.CHECKSUMS, false, "data/_a_/z", 0, 1, 0),
            new Section(Section.LINEAGE, false, "data/_a_/z", 0, 1, 0),
            new Section(Section.FILE_PARAMETERS, false, "data/_a_/z", 0, 1, 0),
            new Section(Section.UPLOAD_DIGEST, false, "data/_a_/z", 0, 40, 0),
            new Section(Section.WRITERS, false, "data/_a_/z", 0, 4, 0))) {
      assertThatThrownBy(() -> read(withSection(section)))
          .as(section.toString())
          .isInstanceOf(DamagedBlobException.class);
    }
  }

  @Test
  void namesNoOtherBlobForAnUnknownSectionOfItsOwn() throws IOException {
    MemorySegment whole = withSection(new Section(99, false, "", 4000, 0, 0));
    MemorySegment longer = MemorySegment.ofArray(new byte[4000]);
    MemorySegment.copy(whole, 0, longer, 0, whole.byteSize());
    assertThat(read(longer).blobKeys()).containsExactly("data/a", "data/a.sidecar");
  }

  /// Returns a manifest whose only section of keys has another type.
  private static MemorySegment withSection(int type, boolean required, String blob) {
    return withSection(new Section(type, required, blob, 0, 1, 2));
  }

  private static MemorySegment withSection(Section section) {
    return ManifestFormat.write(
        new Manifest(
            SUMMARY,
            null,
            /* lastReplacement= */ 0,
            new RememberedKeys(List.of(section), List.of()),
            List.of(new BlobExtent("data/a", 1, 2)),
            FileChecksums.UNKNOWN,
            /* digest= */ null,
            /* lineage= */ null,
            /* conversions= */ List.of(),
            FileParameters.NONE,
            BlobWriters.NONE,
            List.of(),
            0,
            0,
            /* tailChecksum= */ null),
        MemorySegment.NULL);
  }

  /// Bytes that the release before wrote for this summary, parent, key, extent and tail.
  @Test
  void readsFormatTwo() throws IOException {
    String json = new String(SUMMARY.write(), StandardCharsets.UTF_8);
    String checked =
        hexadecimal("QUIVERMF")
            + int32(2)
            + int32(json.length())
            + hexadecimal(json)
            + int32(1)
            + int32(1)
            + int64(3)
            + text("01g")
            + int64(1)
            + int64(2)
            + text("data/a")
            + int64(4)
            + int64(5)
            + text("kk");
    byte[] bytes = HexFormat.of().parseHex(checked + checksum(checked) + "070809");
    Manifest manifest = read(MemorySegment.ofArray(bytes));
    assertThat(manifest.summary()).isEqualTo(SUMMARY);
    assertThat(manifest.parentCommitId()).isEqualTo("01g");
    assertThat(manifest.extents()).containsExactly(new BlobExtent("data/a", 1, 2));
    assertThat(manifest.keys().recent())
        .containsExactly(new RememberedKeys.Key("kk", 4, Instant.ofEpochMilli(5)));
    assertThat(manifest.tailOffset()).isEqualTo(bytes.length - 3);
    assertThat(manifest.tailByteSize()).isEqualTo(3);
    for (int i = 0; i < bytes.length - 3; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 0x20;
      assertThatThrownBy(() -> read(MemorySegment.ofArray(changed)))
          .isInstanceOf(IOException.class);
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
      assertThat(VersionSummary.read(summary.write())).isEqualTo(summary);
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
