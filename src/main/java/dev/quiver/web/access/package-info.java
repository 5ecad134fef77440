/// The principal of a request, and whether it may do what the request asks: Spring Security, with
/// the rules of this service.
@NullMarked
package dev.quiver.web.access;

import org.jspecify.annotations.NullMarked;
