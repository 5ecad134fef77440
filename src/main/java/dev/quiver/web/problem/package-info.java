/// Failures as problem details (RFC 9457), and the mapping of failures outside Spring.
@NullMarked
package dev.quiver.web.problem;

import org.jspecify.annotations.NullMarked;
