package dev.quiver.server;

import dev.quiver.arrow.codec.Sha256;
import java.util.Map;
import org.springframework.test.context.DynamicPropertyRegistry;

/// Tokens of a test that names their principals.
final class NamedTokens {

  private NamedTokens() {}

  /// Returns the token of a principal.
  static String of(String principal) {
    return "token-of-" + principal;
  }

  /// Configures the tokens of principals.
  ///
  /// @param permissions those of each, by its name
  static void configure(DynamicPropertyRegistry registry, Map<String, String> permissions) {
    int index = 0;
    for (Map.Entry<String, String> token : permissions.entrySet()) {
      String key = "quiver.auth.tokens[%d].".formatted(index);
      registry.add(key + "name", token::getKey);
      registry.add(key + "sha256", () -> Sha256.hex(of(token.getKey())));
      registry.add(key + "permissions", token::getValue);
      index++;
    }
  }
}
