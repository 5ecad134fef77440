package dev.quiver.formats.json;

import dev.quiver.formats.Advice;
import java.util.List;
import java.util.Map;

/// Where the records of a file are.
///
/// @param layout how they follow each other
/// @param byteOffset of the first one, or of the bracket before it, within the text of the file
/// @param isGeoJson whether the records are features (RFC 7946, section 3.2)
/// @param found what was found rather than stated, by name, as responses have it
/// @param advice warnings, and the records that there are instead
record JsonRecords(
    Layout layout,
    long byteOffset,
    boolean isGeoJson,
    Map<String, Object> found,
    List<Advice> advice) {

  /// The member of the findings for the key of the records.
  static final String KEY = "records";

  enum Layout {
    /// One array, whose elements are the records.
    ARRAY,
    /// An array that is a member of the only object of the file. More follows its end.
    MEMBER,
    /// Objects, with blanks between them.
    OBJECTS,
    /// The only object of the file, which is the record.
    OBJECT
  }

  static JsonRecords of(Layout layout, long byteOffset) {
    return new JsonRecords(layout, byteOffset, /* isGeoJson= */ false, Map.of(), List.of());
  }
}
