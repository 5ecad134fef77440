package dev.quiver.server.config;

/// A configuration that the service cannot start with. Its message is one line that names the key.
public final class ConfigurationException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  ConfigurationException(String message) {
    super(message);
  }

  /// Returns an exception about the value of a key.
  public static ConfigurationException of(String expected, Object found, String key) {
    return new ConfigurationException(
        "Expected %s but found %s at %s".formatted(expected, found, key));
  }

  /// Requires the value of a key to be valid.
  ///
  /// @throws ConfigurationException otherwise
  static void require(boolean valid, String expected, Object found, String key) {
    if (!valid) {
      throw of(expected, found, key);
    }
  }
}
