/// Value types of HTTP (RFC 9110, RFC 9530), parsed from header lines.
@NullMarked
package dev.quiver.web.http;

import org.jspecify.annotations.NullMarked;
