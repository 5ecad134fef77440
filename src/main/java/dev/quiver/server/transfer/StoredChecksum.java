package dev.quiver.server.transfer;

import org.jspecify.annotations.Nullable;

/// The checksums of a representation that is sent as stored.
///
/// @param crc32c the CRC-32C, or null if an earlier release stored the version
/// @param sha256 the SHA-256 as hexadecimal digits, or null if the upload did not bring it
public record StoredChecksum(@Nullable Integer crc32c, @Nullable String sha256) {}
