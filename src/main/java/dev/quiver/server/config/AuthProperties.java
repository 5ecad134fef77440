package dev.quiver.server.config;

import static dev.quiver.server.config.ConfigurationException.require;

import dev.quiver.store.access.Permission;
import dev.quiver.store.access.Permissions;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/// The principals and what they may do.
///
/// @param tokens tokens with names
/// @param anonymous the permissions of requests without credentials; if empty, the ones that follow
///   from the tokens
/// @param namesClaim the claim of a JWT that has the patterns of dataset names
/// @param limits what each principal may have at a time, unless its token has limits of its own
/// @param linkExpires the longest time for which a link is good
/// @param signingKey the text from which the key of links is made; if empty, one is made in the
///   store
public record AuthProperties(
    @DefaultValue List<Token> tokens,
    @DefaultValue List<String> anonymous,
    @DefaultValue("quiver_names") String namesClaim,
    @DefaultValue LimitsOfPrincipals limits,
    @DefaultValue("7d") @DurationUnit(ChronoUnit.SECONDS) Duration linkExpires,
    @DefaultValue("") String signingKey) {

  private static final String KEY = "quiver.auth.";

  private static final int SIGNING_KEY_LENGTH_MINIMUM = 32;

  public AuthProperties {
    tokens = List.copyOf(tokens);
    anonymous = List.copyOf(anonymous);
    Set<String> names = new HashSet<>();
    Set<String> hashes = new HashSet<>();
    for (Token token : tokens) {
      require(names.add(token.name()), "distinct names", token.name(), KEY + "tokens[].name");
      require(
          hashes.add(token.sha256()),
          "distinct tokens",
          "one token twice",
          KEY + "tokens[].sha256");
    }
    permissions(anonymous, KEY + "anonymous");
    require(!namesClaim.isBlank(), "the name of a claim", "none", KEY + "names-claim");
    require(linkExpires.toSeconds() >= 1, "1s or more", linkExpires, KEY + "link-expires");
    // The text is omitted.
    require(
        signingKey.isEmpty() || signingKey.length() >= SIGNING_KEY_LENGTH_MINIMUM,
        SIGNING_KEY_LENGTH_MINIMUM + " or more characters",
        signingKey.length() + " characters",
        KEY + "signing-key");
  }

  /// A token that clients send, of which only the hash is configured.
  ///
  /// @param name the name of its principal
  /// @param sha256 the SHA-256 of the token as 64 lower-case hexadecimal digits
  /// @param permissions each `read:PATTERN`, `write:PATTERN` or `admin`
  /// @param limits in place of the limits of all principals
  public record Token(
      @DefaultValue("") String name,
      @DefaultValue("") String sha256,
      @DefaultValue List<String> permissions,
      @DefaultValue LimitsOfToken limits) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    public Token {
      permissions = List.copyOf(permissions);
      require(
          NAME.matcher(name).matches(),
          "1 to 100 letters, digits, '.', '_' and '-'",
          name.isEmpty() ? "none" : "others",
          KEY + "tokens[].name");
      // The text is omitted, since it may be the token itself.
      require(
          SHA256.matcher(sha256).matches(),
          "64 lower-case hexadecimal digits",
          sha256.isEmpty() ? "none" : "others",
          KEY + "tokens[].sha256 of the token " + name);
      AuthProperties.permissions(permissions, KEY + "tokens[].permissions of the token " + name);
    }

    /// Returns the bytes of the SHA-256 of the token.
    public byte[] digest() {
      return HexFormat.of().parseHex(sha256);
    }

    /// Returns what its principal may do, besides what anonymous may.
    public Permissions granted() {
      return AuthProperties.permissions(permissions, KEY + "tokens[].permissions");
    }
  }

  /// Returns the configured permissions of requests without credentials.
  public Permissions anonymousGranted() {
    return permissions(anonymous, KEY + "anonymous");
  }

  private static Permissions permissions(List<String> texts, String key) {
    try {
      return Permissions.of(texts.stream().map(Permission::parse).toList());
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(e.getMessage() + " in " + key);
    }
  }
}
