package dev.quiver.formats.json;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/// Reads the tokens of a block in order, with the texts of scalars as bytes. Used by one thread.
abstract class JsonTokenReader {

  final JsonBlock block;
  final Limits limits;

  /// The text of the last scalar that was read, from `start` to `end`. The next one may overwrite
  /// it.
  byte[] text;

  int start;
  int end;

  /// The offset in the block of the last scalar.
  int scalarOffset;

  JsonTokenReader(JsonBlock block, Limits limits) {
    block.enclose();
    this.block = block;
    this.limits = limits;
    this.text = block.text;
  }

  final JsonBlock block() {
    return block;
  }

  /// Returns the next token, or null at the end.
  abstract @Nullable JsonToken next();

  /// Returns the next token of a value that has begun.
  final JsonToken required() {
    JsonToken token = next();
    if (token == null) {
      throw new IllegalStateException("Expected a token but found the end");
    }
    return token;
  }

  /// Reads the next token if it certainly is this key. If not, [#next] and [#name] decide.
  boolean readKey(JsonKey expected) {
    return false;
  }

  /// Returns the key that is the current token.
  abstract String name();

  /// Returns the offset in the block of the key that is the current token.
  abstract int nameOffset();

  /// Returns the offset in the block after what was read.
  abstract int offset();

  /// Returns the offset in the block of the last scalar.
  final int scalarOffset() {
    return scalarOffset;
  }

  /// Reads the text of a scalar: a string without its quotation marks, a number as it is written.
  ///
  /// @throws JsonErrors.InvalidTextException if it has a surrogate without its other half
  abstract void readScalar(JsonToken token);

  final void setText(byte[] bytes, int from, int to) {
    text = bytes;
    start = from;
    end = to;
  }

  /// Requires that the depth of the values around is within the limit.
  ///
  /// @param depth 1 for the values of a record
  final void requireDepth(int depth) {
    if (depth > limits.depth().maximum()) {
      limits.depth().check(depth, "levels of values", InputLocation.UNKNOWN);
    }
  }

  /// Skips the value that begins with a token, whose strings and depth are checked.
  ///
  /// @param depth of the value, 1 for those of a record
  final void skip(JsonToken token, int depth) {
    int level = depth;
    JsonToken next = token;
    while (true) {
      if (next.isStructStart()) {
        requireDepth(++level);
      } else if (next.isStructEnd()) {
        level--;
      } else if (next == JsonToken.VALUE_STRING) {
        readScalar(next);
      }
      if (level == depth) {
        return;
      }
      next = required();
    }
  }
}
