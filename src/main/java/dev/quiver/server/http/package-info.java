/// Decisions of HTTP itself by the headers of a request (RFC 9110): preconditions and `If-Range`,
/// ranges, negotiated types and content codings, entity tags. Failures as problem documents (RFC
/// 9457).
@NullMarked
package dev.quiver.server.http;

import org.jspecify.annotations.NullMarked;
