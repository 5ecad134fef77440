/// The principal of a request, its limits, whether it may do what the request asks, and the filters
/// that every request passes first.
@NullMarked
package dev.quiver.server.access;

import org.jspecify.annotations.NullMarked;
