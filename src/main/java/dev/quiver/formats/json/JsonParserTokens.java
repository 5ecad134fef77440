package dev.quiver.formats.json;

import dev.quiver.arrow.memory.Limits;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/// The tokens of a block, in order, from a parser that checks that the text is JSON. Used by one
/// thread. [JsonTokens] are those of text that was checked.
///
/// The text of a scalar is a part of the block unless it has escapes. The parser's own limits are
/// out of reach, so that a limit of the service speaks first.
final class JsonParserTokens extends JsonTokenReader implements AutoCloseable {

  /// The longest name, string or number of a file that is read as a stream, in bytes.
  private static final int LENGTH_MAXIMUM = JsonScanner.RECORD_BYTE_SIZE_MAXIMUM;

  private static final int STREAM_DEPTH_MAXIMUM = 10_000;

  /// Parsers of blocks, whose size bounds all lengths.
  private static final JsonFactory BLOCKS = factory(Integer.MAX_VALUE, Integer.MAX_VALUE);

  /// Parsers of whole files.
  static final JsonFactory STREAMS = factory(LENGTH_MAXIMUM, STREAM_DEPTH_MAXIMUM);

  /// Returns a factory of parsers of JSON as RFC 8259 has it, in UTF-8.
  private static JsonFactory factory(int lengthMaximum, int depthMaximum) {
    return JsonFactory.builder()
        // Interned names would fill a table of the process.
        .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
        // A block is not of another encoding because of where a NUL is.
        .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
        // Names that share a hash are valid.
        .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(depthMaximum)
                .maxNameLength(lengthMaximum)
                .maxNumberLength(lengthMaximum)
                .maxStringLength(lengthMaximum)
                .build())
        .build();
  }

  private final JsonParser parser;
  private final int first;

  JsonParserTokens(JsonBlock block, Limits limits) {
    super(block, limits);
    this.first = block.isArray ? JsonBlock.FIRST - 1 : JsonBlock.FIRST;
    int byteSize = (block.isArray ? block.end + 1 : block.end) - first;
    this.parser = BLOCKS.createParser(ObjectReadContext.empty(), block.text, first, byteSize);
  }

  @Override
  @Nullable JsonToken next() {
    return parser.nextToken();
  }

  @Override
  String name() {
    return parser.currentName();
  }

  @Override
  int nameOffset() {
    return first + (int) parser.currentTokenLocation().getByteOffset();
  }

  @Override
  int offset() {
    return first + (int) parser.currentLocation().getByteOffset();
  }

  @Override
  void readScalar(JsonToken token) {
    switch (token) {
      case VALUE_STRING -> readString();
      case VALUE_TRUE -> setWord(JsonTokens.TRUE);
      case VALUE_FALSE -> setWord(JsonTokens.FALSE);
      default -> {
        int after = offset();
        setText(block.text, after - parser.getStringLength(), after);
        scalarOffset = start;
      }
    }
  }

  private void setWord(byte[] word) {
    setText(word, 0, word.length);
    scalarOffset = offset() - word.length;
  }

  private void readString() {
    int opening = offset();
    scalarOffset = opening - 1;
    parser.finishToken();
    int closing = offset() - 1;
    setText(block.text, opening, closing);
    if (parser.getStringLength() != closing - opening && hasEscape()) {
      byte[] decoded = utf8(parser.getString(), scalarOffset);
      setText(decoded, 0, decoded.length);
    }
  }

  private boolean hasEscape() {
    for (int i = start; i < end; i++) {
      if (text[i] == '\\') {
        return true;
      }
    }
    return false;
  }

  /// Returns a text as UTF-8.
  ///
  /// @param offset of the text in the block
  /// @throws JsonErrors.InvalidTextException if it has a surrogate without its other half
  static byte[] utf8(String text, int offset) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (Character.isLowSurrogate(c)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          throw new JsonErrors.InvalidTextException(
              offset, "both halves of a surrogate pair", "\\u%04X".formatted((int) c));
        }
        i++;
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Returns the offset in the block of an error.
  int offset(JacksonException error) {
    return error.getLocation() == null
        ? offset()
        : first + (int) Math.max(0, error.getLocation().getByteOffset());
  }

  @Override
  public void close() {
    parser.close();
  }
}
