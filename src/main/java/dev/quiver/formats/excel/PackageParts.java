package dev.quiver.formats.excel;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.formats.ForeignDataException;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import javax.xml.stream.XMLInputFactory;
import org.jspecify.annotations.Nullable;

/// The parts of a package and their relationships (ECMA-376, part 2). What is inflated is counted.
/// Used by one thread.
final class PackageParts implements AutoCloseable {

  private static final int ENTRY_COUNT_MAXIMUM = 10_000;
  private static final int RELATIONSHIP_COUNT_MAXIMUM = 10_000;

  private final XMLInputFactory factory = XmlPart.factory();
  private final ZipFile file;
  private final Limit inflated;
  private final Runnable checkpoint;

  /// The entries by the names of their parts, which are compared without case.
  private final Map<String, ZipEntry> entries = new HashMap<>();

  private long inflatedByteSize;

  private PackageParts(ZipFile file, Limit inflated, Runnable checkpoint) {
    this.file = file;
    this.inflated = inflated;
    this.checkpoint = checkpoint;
  }

  /// A relationship to a part of the same package.
  ///
  /// @param type the end of its type, such as `worksheet`
  /// @param part the name of the part
  record Relationship(String id, String type, String part) {}

  /// Opens a package.
  ///
  /// @param inflated bytes to which all parts that are read inflate
  /// @param checkpoint throws an exception if reading is to end
  /// @throws ForeignDataException if the file is no package
  static PackageParts open(Path file, Limit inflated, Runnable checkpoint) throws IOException {
    try {
      PackageParts parts = new PackageParts(new ZipFile(file.toFile()), inflated, checkpoint);
      try {
        parts.addEntries();
        return parts;
      } catch (RuntimeException | Error e) {
        parts.close();
        throw e;
      }
    } catch (ZipException | EOFException e) {
      throw other("a damaged or other file");
    }
  }

  private void addEntries() {
    if (file.size() > ENTRY_COUNT_MAXIMUM) {
      throw ForeignDataException.of(
          "Expected at most %,d entries in a workbook but found %,d"
              .formatted(ENTRY_COUNT_MAXIMUM, file.size()));
    }
    for (ZipEntry entry : Collections.list(file.entries())) {
      if (entries.put(key(entry.getName().replace('\\', '/')), entry) != null) {
        throw other("two parts of the same name");
      }
    }
  }

  private static String key(String part) {
    return part.toLowerCase(Locale.ROOT);
  }

  /// Returns the error about another file.
  static ForeignDataException other(String found) {
    return ForeignDataException.of("Expected an Excel workbook (.xlsx) but found " + found);
  }

  /// Returns the error about a damaged workbook.
  ///
  /// @param reason a sentence without its end
  static ForeignDataException unreadable(String reason) {
    return other("one that cannot be read: " + ForeignDataException.excerpt(reason));
  }

  /// Returns whether there is a part.
  boolean has(String part) {
    return entries.containsKey(key(part));
  }

  /// Begins to read a part.
  XmlPart open(String part) throws IOException {
    ZipEntry entry = entries.get(key(part));
    if (entry == null) {
      throw unreadable("it lacks the part " + part);
    }
    try {
      return new XmlPart(factory, part, new Content(file.getInputStream(entry), entry));
    } catch (ZipException e) {
      throw unreadable(part + " is damaged");
    }
  }

  /// Returns the relationships of a part, or those of the whole package.
  ///
  /// @param part its name, or an empty text for the package
  List<Relationship> relationships(String part) throws IOException {
    int folderEnd = part.lastIndexOf('/') + 1;
    String folder = part.substring(0, folderEnd);
    String source = "%s_rels/%s.rels".formatted(folder, part.substring(folderEnd));
    List<Relationship> relationships = new ArrayList<>();
    if (!has(source)) {
      return relationships;
    }
    try (XmlPart xml = open(source)) {
      while (xml.nextChild("Relationship")) {
        String id = xml.attribute("Id");
        String type = xml.attribute("Type");
        String target = xml.attribute("Target");
        boolean isInternal = !"External".equals(xml.attribute("TargetMode"));
        if (id != null && type != null && target != null && isInternal) {
          String name = type.substring(type.lastIndexOf('/') + 1);
          relationships.add(new Relationship(id, name, resolved(folder, target)));
        }
        if (relationships.size() > RELATIONSHIP_COUNT_MAXIMUM) {
          throw unreadable(
              "%s has more than %,d relationships".formatted(source, RELATIONSHIP_COUNT_MAXIMUM));
        }
        xml.skip();
      }
      xml.finish();
    }
    return relationships;
  }

  /// Returns the part of the first relationship of a type, or null if absent.
  static @Nullable String part(List<Relationship> relationships, String type) {
    return relationships.stream()
        .filter(each -> each.type().equals(type))
        .map(Relationship::part)
        .findFirst()
        .orElse(null);
  }

  /// Returns the name of the part that a reference means.
  ///
  /// @param folder that of the part with the reference, with a slash at its end
  private static String resolved(String folder, String target) {
    String path = decoded(target.replace('\\', '/'));
    Deque<String> names = new ArrayDeque<>();
    for (String name : (path.startsWith("/") ? path : folder + path).split("/")) {
      if (name.equals("..")) {
        names.pollLast();
      } else if (!name.isEmpty() && !name.equals(".")) {
        names.add(name);
      }
    }
    return String.join("/", names);
  }

  private static String decoded(String target) {
    try {
      return URLDecoder.decode(target.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return target;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /// The content of an entry, of which each byte counts. At its end it has the stated checksum.
  private final class Content extends FilterInputStream {

    private final ZipEntry entry;
    private final CRC32 checksum = new CRC32();

    Content(InputStream content, ZipEntry entry) {
      super(content);
      this.entry = entry;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      checkpoint.run();
      int count;
      try {
        count = super.read(bytes, offset, length);
      } catch (ZipException | EOFException e) {
        throw unreadable(entry.getName() + " is damaged");
      }
      if (count > 0) {
        checksum.update(bytes, offset, count);
        inflatedByteSize += count;
        inflated.check(inflatedByteSize, "inflated bytes in a workbook", InputLocation.UNKNOWN);
      } else if (count < 0 && checksum.getValue() != entry.getCrc()) {
        throw unreadable(entry.getName() + " has another checksum than stated");
      }
      return count;
    }
  }
}
