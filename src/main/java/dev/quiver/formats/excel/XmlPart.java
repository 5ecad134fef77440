package dev.quiver.formats.excel;

import com.fasterxml.aalto.UncheckedStreamException;
import com.fasterxml.aalto.stax.InputFactoryImpl;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/// A part of a workbook as XML, of which one element is read after another: each up to its end,
/// with [#nextChild], [#appendText] or [#skip]. The namespaces of elements are not compared, since
/// Strict Open XML has others than the transitional one. Used by one thread.
final class XmlPart implements AutoCloseable {

  private final String name;
  private final InputStream content;
  private final XMLStreamReader reader;

  /// Begins to read a part, up to its root element.
  ///
  /// @param factory the result of [#factory]
  /// @param content closed with this
  XmlPart(XMLInputFactory factory, String name, InputStream content) throws IOException {
    this.name = name;
    this.content = content;
    try {
      this.reader = factory.createXMLStreamReader(content);
    } catch (XMLStreamException e) {
      content.close();
      throw unreadable(e.getLocation());
    }
    boolean hasRoot = false;
    try {
      while (!hasRoot) {
        hasRoot = next() == XMLStreamConstants.START_ELEMENT;
      }
    } finally {
      if (!hasRoot) {
        content.close();
      }
    }
  }

  /// Returns a factory for the parts of one workbook, whose names it keeps.
  static XMLInputFactory factory() {
    XMLInputFactory factory = new InputFactoryImpl();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    return factory;
  }

  /// Moves to the next element within the current one, or to the end of that.
  ///
  /// @return whether there is an element
  boolean nextChild() {
    while (true) {
      switch (next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          return true;
        }
        case XMLStreamConstants.END_ELEMENT, XMLStreamConstants.END_DOCUMENT -> {
          return false;
        }
        default -> {
          // Text between elements, or a comment.
        }
      }
    }
  }

  /// Moves to the next element of a name within the current one, past all others, or to the end of
  /// the current one.
  ///
  /// @return whether there is such an element
  boolean nextChild(String element) {
    while (nextChild()) {
      if (isAt(element)) {
        return true;
      }
      skip();
    }
    return false;
  }

  /// Returns the name of the current element, without its prefix.
  String element() {
    return reader.getLocalName();
  }

  boolean isAt(String element) {
    return element().equals(element);
  }

  int attributeCount() {
    return reader.getAttributeCount();
  }

  /// Returns the name of an attribute without its prefix, or an empty text if it has one.
  String attributeName(int index) {
    return hasPrefix(index) ? "" : reader.getAttributeLocalName(index);
  }

  private boolean hasPrefix(int index) {
    String prefix = reader.getAttributePrefix(index);
    return prefix != null && !prefix.isEmpty();
  }

  String attributeValue(int index) {
    return reader.getAttributeValue(index);
  }

  /// Returns the value of an attribute without a prefix, or null if it is absent.
  @Nullable String attribute(String attribute) {
    for (int i = 0; i < attributeCount(); i++) {
      if (attributeName(i).equals(attribute)) {
        return attributeValue(i);
      }
    }
    return null;
  }

  /// Returns the value of the attribute `id` of relationships, such as `r:id`, or null if it is
  /// absent.
  @Nullable String relationshipId() {
    for (int i = 0; i < attributeCount(); i++) {
      if (hasPrefix(i) && reader.getAttributeLocalName(i).equals("id")) {
        return attributeValue(i);
      }
    }
    return null;
  }

  /// Moves to the end of the current element.
  void skip() {
    for (int depth = 1; depth > 0; ) {
      int event = next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        depth++;
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        depth--;
      }
    }
  }

  /// Adds the text of the current element, without that of elements within it, and moves to its
  /// end.
  ///
  /// @param lengthMaximum the characters that all of the text may have
  /// @return whether it has no more characters. The rest is not added
  boolean appendText(StringBuilder text, int lengthMaximum) {
    try {
      return append(text, lengthMaximum);
    } catch (UncheckedStreamException e) {
      // The parser reads a text when it is asked for it.
      throw unreadable(reader.getLocation());
    }
  }

  private boolean append(StringBuilder text, int lengthMaximum) {
    boolean isComplete = true;
    while (true) {
      switch (next()) {
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          int length = Math.min(reader.getTextLength(), lengthMaximum - text.length());
          isComplete &= length == reader.getTextLength();
          text.append(reader.getTextCharacters(), reader.getTextStart(), length);
        }
        case XMLStreamConstants.START_ELEMENT -> skip();
        case XMLStreamConstants.END_ELEMENT -> {
          return isComplete;
        }
        default -> {
          // A comment.
        }
      }
    }
  }

  private int next() {
    int event;
    try {
      event = reader.next();
    } catch (XMLStreamException e) {
      throw unreadable(e.getLocation());
    }
    if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
      throw PackageParts.unreadable("%s has a document type".formatted(name));
    }
    return event;
  }

  private ForeignDataException unreadable(@Nullable Location place) {
    String where =
        place == null || place.getLineNumber() < 0
            ? ""
            : " at line %,d, column %,d".formatted(place.getLineNumber(), place.getColumnNumber());
    return PackageParts.unreadable("%s is not well-formed XML%s".formatted(name, where));
  }

  /// Reads what follows the current element, to the last byte, where the part is compared with its
  /// checksum.
  ///
  /// @throws ForeignDataException if the part does not end as it should
  void finish() throws IOException {
    try {
      while (reader.hasNext()) {
        next();
      }
    } catch (XMLStreamException e) {
      throw unreadable(e.getLocation());
    }
    // The parser may end before the last byte.
    content.transferTo(OutputStream.nullOutputStream());
  }

  @Override
  public void close() throws IOException {
    content.close();
  }
}
