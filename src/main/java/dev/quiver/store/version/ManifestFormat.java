package dev.quiver.store.version;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.formats.FileParameters;
import dev.quiver.store.blob.Blob;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The format of a manifest's blob. Numbers are little-endian.
///
/// ```
/// Blob            --> Magic FormatVersion SummaryByteSize TableByteSize Summary Table Checksum
///                     byte*
/// Magic           --> "QUIVERMF"
/// FormatVersion   --> int32, 3
/// SummaryByteSize --> int32, so that the summary ends within the first 4,096 bytes
/// TableByteSize   --> int32
/// Summary         --> JSON, see VersionSummary
/// Table           --> Parent SectionCount Section{SectionCount}
/// Parent          --> Text, the commit id of the version before; empty without one
/// SectionCount    --> int32
/// Section         --> see Section
/// Checksum        --> int32, CRC-32C of all bytes before it
/// LastReplacement --> int64
/// UploadDigest    --> Form:int32 CRC-32C:int32 SHA-256:byte{32}
/// Form            --> 0 for the file, 1 for the stream
/// Extents         --> Prefix Extent*
/// Prefix          --> Text, with which the keys of all extents begin
/// Extent          --> ByteOffset ByteSize Text, the rest of the key of a blob
/// ByteOffset      --> int64
/// ByteSize        --> int64
/// Text            --> int32, bytes of the UTF-8 that follows
/// ```
///
/// The sections' bytes follow the table, the tail last. Listing datasets reads at most the first
/// 4,096 bytes of most manifests. So does opening a version of few extents.
public final class ManifestFormat {

  /// The end of the first read, and of the largest summary.
  static final int SUMMARY_END = 4096;

  private static final byte[] MAGIC = "QUIVERMF".getBytes(StandardCharsets.US_ASCII);
  private static final int FORMAT_VERSION = 3;
  private static final int SUMMARY_START = MAGIC.length + 4 + 4 + 4;
  private static final int CHECKSUM_BYTE_SIZE = 4;
  private static final int SHA_256_BYTE_SIZE = 32;

  private ManifestFormat() {}

  /// @param manifest its tail's position is ignored
  /// @param tail the bytes of the file after the extents
  /// @throws IllegalArgumentException if the summary does not fit
  public static MemorySegment write(Manifest manifest, MemorySegment tail) {
    byte[] json = manifest.summary().write();
    if (json.length > SUMMARY_END - SUMMARY_START) {
      throw new IllegalArgumentException(
          "Expected a summary of at most %d bytes but found %d"
              .formatted(SUMMARY_END - SUMMARY_START, json.length));
    }
    String parent = manifest.parentCommitId() == null ? "" : manifest.parentCommitId();
    List<Section.Content> contents = new ArrayList<>();
    contents.add(new Section.Content(Section.EXTENTS, true, extents(manifest.extents())));
    if (!manifest.keys().recent().isEmpty()) {
      MemorySegment keys = RememberedKeys.write(manifest.keys().recent());
      contents.add(new Section.Content(Section.KEYS, true, keys));
    }
    MemorySegment checksums = manifest.checksums().write();
    contents.add(new Section.Content(Section.CHECKSUMS, false, checksums));
    if (manifest.lastReplacement() > 0) {
      MemorySegment version = int64(manifest.lastReplacement());
      contents.add(new Section.Content(Section.LAST_REPLACEMENT, false, version));
    }
    if (manifest.digest() != null) {
      MemorySegment digest = digest(manifest.digest());
      contents.add(new Section.Content(Section.UPLOAD_DIGEST, false, digest));
    }
    if (manifest.lineage() != null) {
      MemorySegment lineage = MemorySegment.ofArray(LineageJson.write(manifest.lineage()));
      contents.add(new Section.Content(Section.LINEAGE, false, lineage));
    }
    if (!manifest.conversions().isEmpty()) {
      byte[] conversions = ConversionsJson.write(manifest.conversions());
      MemorySegment bytes = MemorySegment.ofArray(conversions);
      contents.add(new Section.Content(Section.CONVERSIONS, false, bytes));
    }
    if (!manifest.fileParameters().values().isEmpty()) {
      byte[] parameters = FileParametersJson.write(manifest.fileParameters());
      MemorySegment bytes = MemorySegment.ofArray(parameters);
      contents.add(new Section.Content(Section.FILE_PARAMETERS, false, bytes));
    }
    if (!manifest.writers().byBlob().isEmpty()) {
      MemorySegment writers = manifest.writers().write(manifest.extents());
      contents.add(new Section.Content(Section.WRITERS, false, writers));
    }
    if (tail.byteSize() > 0) {
      contents.add(new Section.Content(Section.TAIL, true, tail));
    }
    long tableByteSize = Cursor.byteSize(parent) + Integer.BYTES;
    for (Section section : manifest.keys().blobs()) {
      tableByteSize += Section.tableByteSize(section.blob());
    }
    tableByteSize += contents.size() * Section.tableByteSize("");
    long contentOffset = SUMMARY_START + json.length + tableByteSize + CHECKSUM_BYTE_SIZE;
    List<Section> sections = new ArrayList<>(manifest.keys().blobs());
    long end = contentOffset;
    for (Section.Content content : contents) {
      sections.add(content.at(end));
      end += content.bytes().byteSize();
    }
    Cursor cursor = new Cursor(MemorySegment.ofArray(new byte[Math.toIntExact(end)]));
    cursor.putBytes(MAGIC);
    cursor.putInt32(FORMAT_VERSION);
    cursor.putInt32(json.length);
    cursor.putInt32(Math.toIntExact(tableByteSize));
    cursor.putBytes(json);
    cursor.putText(parent);
    cursor.putInt32(sections.size());
    sections.forEach(section -> section.write(cursor));
    cursor.putInt32(Crc32c.of(cursor.segment().asSlice(0, cursor.position())));
    contents.forEach(content -> cursor.putSegment(content.bytes()));
    return cursor.segment();
  }

  private static MemorySegment int64(long value) {
    Cursor cursor = new Cursor(MemorySegment.ofArray(new byte[Long.BYTES]));
    cursor.putInt64(value);
    return cursor.segment();
  }

  private static MemorySegment digest(UploadDigest digest) {
    byte[] sha256 = HexFormat.of().parseHex(digest.sha256());
    Cursor cursor =
        new Cursor(MemorySegment.ofArray(new byte[2 * Integer.BYTES + SHA_256_BYTE_SIZE]));
    cursor.putInt32(digest.form().ordinal());
    cursor.putInt32(digest.crc32c());
    cursor.putBytes(sha256);
    return cursor.segment();
  }

  /// Returns null for a representation that a later release may know.
  private static @Nullable UploadDigest digest(Cursor content) {
    int form = content.int32();
    UploadDigest.Form[] forms = UploadDigest.Form.values();
    if (form < 0 || form >= forms.length) {
      return null;
    }
    int crc32c = content.int32();
    return new UploadDigest(
        forms[form], crc32c, HexFormat.of().formatHex(content.bytes(SHA_256_BYTE_SIZE)));
  }

  private static MemorySegment extents(List<BlobExtent> extents) {
    String prefix = commonPrefix(extents);
    long byteSize = Cursor.byteSize(prefix);
    for (BlobExtent extent : extents) {
      byteSize += 2 * Long.BYTES + Cursor.byteSize(extent.key().substring(prefix.length()));
    }
    Cursor cursor = new Cursor(MemorySegment.ofArray(new byte[Math.toIntExact(byteSize)]));
    cursor.putText(prefix);
    for (BlobExtent extent : extents) {
      cursor.putInt64(extent.byteOffset());
      cursor.putInt64(extent.byteSize());
      cursor.putText(extent.key().substring(prefix.length()));
    }
    return cursor.segment();
  }

  /// Returns the longest start that all keys have, which are in ASCII.
  private static String commonPrefix(List<BlobExtent> extents) {
    String prefix = extents.isEmpty() ? "" : extents.getFirst().key();
    for (BlobExtent extent : extents) {
      while (!extent.key().startsWith(prefix)) {
        prefix = prefix.substring(0, prefix.length() - 1);
      }
    }
    return prefix;
  }

  /// Reads everything except the tail and other blobs.
  ///
  /// @throws DamagedBlobException if the blob is not a manifest
  /// @throws IOException if the blob cannot be read, or has a required section of an unknown type
  public static Manifest read(String key, Blob blob) throws IOException {
    for (boolean isRefetched = false; ; isRefetched = true) {
      try {
        return read(blob);
      } catch (IllegalArgumentException
          | IndexOutOfBoundsException
          | ArithmeticException
          | DateTimeException e) {
        if (isRefetched || !blob.refetch()) {
          long byteOffset = BrokenBytesException.byteOffset(e);
          throw Damage.PROCESS.found(StoreKeys.reference(key), key, byteOffset, e);
        }
      } catch (UnknownSectionException e) {
        throw new IOException(e.getMessage() + " at blob " + key, e);
      }
    }
  }

  private static Manifest read(Blob blob) throws IOException, UnknownSectionException {
    Cursor start = new Cursor(MemorySegment.NULL);
    start = readUpTo(blob, start, Math.min(SUMMARY_END, blob.byteSize()));
    requireMagic(MAGIC, start);
    int version = start.int32();
    if (version == EarlierManifestFormat.FORMAT_VERSION) {
      return EarlierManifestFormat.read(blob, start);
    }
    requireEqual(FORMAT_VERSION, version);
    int summaryByteSize = start.int32();
    int tableByteSize = start.int32();
    long tableEnd = Math.addExact((long) SUMMARY_START, (long) summaryByteSize + tableByteSize);
    Cursor table = readUpTo(blob, start, tableEnd + CHECKSUM_BYTE_SIZE);
    int found = Crc32c.of(table.segment().asSlice(0, tableEnd));
    requireEqual(new Cursor(table.segment().asSlice(tableEnd)).int32(), found);
    VersionSummary summary = VersionSummary.read(table.bytes(summaryByteSize));
    String parent = table.text();
    List<Section> sections = sections(table);
    requireEqual(tableEnd, table.position());
    return manifest(blob, summary, parent.isEmpty() ? null : parent, sections, table);
  }

  private static List<Section> sections(Cursor table) {
    List<Section> sections = new ArrayList<>();
    int count = table.int32();
    for (int i = 0; i < count; i++) {
      sections.add(Section.read(table));
    }
    return sections;
  }

  private static Manifest manifest(
      Blob blob,
      VersionSummary summary,
      @Nullable String parent,
      List<Section> sections,
      Cursor start)
      throws IOException, UnknownSectionException {
    List<BlobExtent> extents = null;
    List<Section> keyBlobs = new ArrayList<>();
    List<RememberedKeys.Key> keys = new ArrayList<>();
    List<Section> others = new ArrayList<>();
    FileChecksums checksums = FileChecksums.UNKNOWN;
    UploadDigest digest = null;
    Lineage lineage = null;
    List<ColumnConversion> conversions = List.of();
    FileParameters fileParameters = FileParameters.NONE;
    Cursor writers = null;
    long lastReplacement = 0;
    long tailOffset = blob.byteSize();
    long tailByteSize = 0;
    Integer tailChecksum = null;
    for (Section section : sections) {
      requireWithin(section, start, blob);
      switch (section.type()) {
        case Section.EXTENTS -> {
          Cursor content = new Cursor(content(blob, start, section));
          String prefix = content.text();
          extents = new ArrayList<>();
          while (content.remaining() > 0) {
            extents.add(extent(prefix, content));
          }
        }
        case Section.TAIL -> {
          tailOffset = section.byteOffset();
          tailByteSize = section.byteSize();
          tailChecksum = section.checksum();
        }
        case Section.KEYS -> {
          if (section.isLocal()) {
            keys.addAll(RememberedKeys.read(content(blob, start, section)));
          } else {
            keyBlobs.add(section);
          }
        }
        case Section.CHECKSUMS -> checksums = FileChecksums.read(content(blob, start, section));
        case Section.LAST_REPLACEMENT ->
            lastReplacement = new Cursor(content(blob, start, section)).int64();
        case Section.UPLOAD_DIGEST -> digest = digest(new Cursor(content(blob, start, section)));
        case Section.LINEAGE ->
            lineage =
                LineageJson.read(content(blob, start, section).toArray(ValueLayout.JAVA_BYTE));
        case Section.CONVERSIONS ->
            conversions =
                ConversionsJson.read(content(blob, start, section).toArray(ValueLayout.JAVA_BYTE));
        case Section.FILE_PARAMETERS ->
            fileParameters =
                FileParametersJson.read(
                    content(blob, start, section).toArray(ValueLayout.JAVA_BYTE));
        case Section.WRITERS -> writers = new Cursor(content(blob, start, section));
        default -> {
          if (section.required()) {
            throw section.unknown();
          }
          others.add(section);
        }
      }
    }
    if (extents == null) {
      throw new IllegalArgumentException("Expected extents but found none");
    }
    return new Manifest(
        summary,
        parent,
        lastReplacement,
        new RememberedKeys(keyBlobs, keys),
        extents,
        checksums,
        digest,
        lineage,
        conversions,
        fileParameters,
        writers == null ? BlobWriters.NONE : BlobWriters.read(writers, extents),
        others,
        tailOffset,
        tailByteSize,
        tailChecksum);
  }

  /// Requires a section in the blob to be one, and a section that only this blob can have to be in
  /// it.
  private static void requireWithin(Section section, Cursor start, Blob blob) {
    boolean isWithin =
        section.isLocal()
            ? section.byteOffset() >= start.position() && section.end() <= blob.byteSize()
            : section.mayBeElsewhere();
    if (!isWithin) {
      throw new IllegalArgumentException("Expected a section in the blob but found " + section);
    }
  }

  private static MemorySegment content(Blob blob, Cursor start, Section section)
      throws IOException {
    MemorySegment content;
    if (section.end() <= start.segment().byteSize()) {
      content = start.segment().asSlice(section.byteOffset(), section.byteSize());
    } else {
      content = MemorySegment.ofArray(new byte[Math.toIntExact(section.byteSize())]);
      blob.readFully(section.byteOffset(), content);
    }
    return section.requireChecksum(content);
  }

  static BlobExtent extent(String keyPrefix, Cursor cursor) {
    long byteOffset = cursor.int64();
    long byteSize = cursor.int64();
    return new BlobExtent(keyPrefix + cursor.text(), byteOffset, byteSize);
  }

  /// Returns a cursor at the same position, over all bytes of the blob before `end`.
  ///
  /// @throws IndexOutOfBoundsException if the blob is shorter
  static Cursor readUpTo(Blob blob, Cursor cursor, long end) throws IOException {
    if (end <= cursor.segment().byteSize()) {
      return cursor;
    }
    if (end > blob.byteSize()) {
      throw new IndexOutOfBoundsException(
          "Expected %d bytes but found %d".formatted(end, blob.byteSize()));
    }
    MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(end)]);
    blob.readFully(0, bytes);
    return new Cursor(bytes, cursor.position());
  }

  static void requireMagic(byte[] magic, Cursor start) {
    requireEqual(new String(magic, StandardCharsets.US_ASCII), start.text(magic.length));
  }

  static void requireEqual(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new IllegalArgumentException("Expected " + expected + " but found " + found);
    }
  }
}
