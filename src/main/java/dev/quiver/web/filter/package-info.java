/// Filters that every request passes first: hosts, origins, tokens, methods, conventions.
@NullMarked
package dev.quiver.web.filter;

import org.jspecify.annotations.NullMarked;
