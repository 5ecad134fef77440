package dev.quiver.store.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A line of the audit log.
///
/// @param time when it ended
/// @param requestId the id of the request, also of a job that it began; null for other work
/// @param principal the id of the principal, or what worked without one, such as `import`
/// @param client the address of the client, or null
/// @param action such as `upload` or `delete`
/// @param dataset the name, or null if it is unknown
/// @param version the number, or null if it is unknown
/// @param bytes the size of the body, as declared or else as received; null if unknown or zero
/// @param status of the response, or of the problem of work without one; null if absent
public record AuditEvent(
    Instant time,
    @Nullable String requestId,
    String principal,
    @Nullable String client,
    String action,
    @Nullable String dataset,
    @Nullable Long version,
    @Nullable Long bytes,
    @Nullable Integer status) {}
