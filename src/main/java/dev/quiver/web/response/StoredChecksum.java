package dev.quiver.web.response;

import org.jspecify.annotations.Nullable;

/// The checksum of a representation that is sent as stored.
///
/// @param crc32c the CRC-32C, or null if an earlier release stored the version
public record StoredChecksum(@Nullable Integer crc32c) {}
