package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.DICTIONARY_ENCODING_DICTIONARY_KIND;
import static dev.quiver.arrow.metadata.VtableSlots.DICTIONARY_ENCODING_ID;
import static dev.quiver.arrow.metadata.VtableSlots.DICTIONARY_ENCODING_INDEX_TYPE;
import static dev.quiver.arrow.metadata.VtableSlots.DICTIONARY_ENCODING_IS_ORDERED;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;

/// A reader of table `DictionaryEncoding` of Schema.fbs.
final class DictionaryEncodingReader {

  private static final ArrowType.Int DEFAULT_INDEX_TYPE = new ArrowType.Int(32, true);

  private DictionaryEncodingReader() {}

  static DictionaryEncoding read(FlatTable table) {
    long kind = table.number(DICTIONARY_ENCODING_DICTIONARY_KIND);
    if (kind != 0) {
      throw table.unsupported(DICTIONARY_ENCODING_DICTIONARY_KIND, "0 (DenseArray)", kind);
    }
    FlatTable indexType = table.table(DICTIONARY_ENCODING_INDEX_TYPE);
    return new DictionaryEncoding(
        table.number(DICTIONARY_ENCODING_ID),
        indexType == null ? DEFAULT_INDEX_TYPE : TypeReader.readInt(indexType),
        table.flag(DICTIONARY_ENCODING_IS_ORDERED));
  }
}
