/// Values of HTTP headers, how they are parsed, compared and negotiated (RFC 9110, RFC 9530), and
/// failures as problem documents (RFC 9457).
@NullMarked
package dev.quiver.server.http;

import org.jspecify.annotations.NullMarked;
