package dev.quiver.server.config;

import static dev.quiver.server.config.ConfigurationException.require;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.store.access.PrincipalLimits;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// The limits of one token, each as in [LimitsOfPrincipals]. -1 is the limit of all principals.
public record LimitsOfToken(
    @DefaultValue("-1") int requests,
    @DefaultValue("-1") int statements,
    @DefaultValue("-1B") DataSize bytesPerSecond,
    @DefaultValue("-1B") DataSize storedBytes,
    @DefaultValue("-1") int uploads) {

  private static final String KEY = "quiver.auth.tokens[].limits.";

  public LimitsOfToken {
    require(requests >= -1, "-1 or more", requests, KEY + "requests");
    require(statements >= -1, "-1 or more", statements, KEY + "statements");
    if (bytesPerSecond.toBytes() != -1) {
      LimitsOfPrincipals.requireRate(
          bytesPerSecond, "-1B, 0B, or 64KB or more", KEY + "bytes-per-second");
    }
    require(storedBytes.toBytes() >= -1, "-1B or more", storedBytes, KEY + "stored-bytes");
    LimitsOfPrincipals.requireUploads(uploads, -1, KEY + "uploads");
  }

  /// @param all the limits of all principals
  public PrincipalLimits limits(PrincipalLimits all) {
    PrincipalLimits limits =
        new PrincipalLimits(
            limit("requests", requests, all.requests()),
            limit("statements", statements, all.statements()),
            limit("bytes-per-second", bytesPerSecond.toBytes(), all.bytesPerSecond()),
            limit("stored-bytes", storedBytes.toBytes(), all.storedBytes()),
            limit("uploads", uploads, all.uploads()));
    LimitsOfPrincipals.requireBounded(
        limits.bytesPerSecond().maximum(), limits.requests().maximum(), KEY + "requests");
    return limits;
  }

  private static Limit limit(String name, long own, Limit all) {
    return own < 0 ? all : new Limit(KEY + name, own);
  }
}
