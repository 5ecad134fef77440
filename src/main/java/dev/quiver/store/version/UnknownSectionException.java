package dev.quiver.store.version;

/// Thrown for a required section of an unknown type, which a later release wrote.
final class UnknownSectionException extends Exception {

  private static final long serialVersionUID = 1;

  UnknownSectionException(int type) {
    super("Expected sections of known types but found the required section " + type);
  }
}
