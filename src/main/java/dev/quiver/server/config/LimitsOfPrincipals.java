package dev.quiver.server.config;

import static dev.quiver.server.config.ConfigurationException.require;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.store.access.PrincipalLimits;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// The limits of each principal, so that others have their share of the service. 0 means unlimited.
///
/// @param requests its requests in progress
/// @param statements requests that run SQL, conditions or statistics
/// @param bytesPerSecond the bytes of response bodies that are sent to it
/// @param storedBytes the bytes in the store that its versions have, and as many that the parts of
///   its resumable uploads have
/// @param uploads its resumable uploads that are open
public record LimitsOfPrincipals(
    @DefaultValue("0") int requests,
    @DefaultValue("0") int statements,
    @DefaultValue("0B") DataSize bytesPerSecond,
    @DefaultValue("0B") DataSize storedBytes,
    @DefaultValue("0") int uploads) {

  private static final String KEY = "quiver.auth.limits.";

  /// A lower rate would let a single write of a response wait for minutes.
  private static final DataSize BYTES_PER_SECOND_MINIMUM = DataSize.ofKilobytes(64);

  public LimitsOfPrincipals {
    require(requests >= 0, "0 or more", requests, KEY + "requests");
    require(statements >= 0, "0 or more", statements, KEY + "statements");
    requireRate(bytesPerSecond, "0B, or 64KB or more", KEY + "bytes-per-second");
    require(storedBytes.toBytes() >= 0, "0B or more", storedBytes, KEY + "stored-bytes");
    requireUploads(uploads, 0, KEY + "uploads");
    requireBounded(bytesPerSecond.toBytes(), requests, KEY + "requests");
  }

  public PrincipalLimits limits() {
    return new PrincipalLimits(
        new Limit(KEY + "requests", requests),
        new Limit(KEY + "statements", statements),
        new Limit(KEY + "bytes-per-second", bytesPerSecond.toBytes()),
        new Limit(KEY + "stored-bytes", storedBytes.toBytes()),
        new Limit(KEY + "uploads", uploads));
  }

  static void requireUploads(int found, int minimum, String key) {
    boolean valid = found >= minimum && found <= UploadsProperties.MOST_OPEN;
    require(valid, minimum + " to " + UploadsProperties.MOST_OPEN, found, key);
  }

  /// A response that waits for its rate holds a place among the places of all principals.
  static void requireBounded(long bytesPerSecond, long requests, String key) {
    require(
        bytesPerSecond == 0 || requests > 0, "1 or more beside bytes-per-second", requests, key);
  }

  static void requireRate(DataSize found, String expected, String key) {
    boolean valid = found.toBytes() == 0 || found.compareTo(BYTES_PER_SECOND_MINIMUM) >= 0;
    require(valid, expected, found, key);
  }
}
