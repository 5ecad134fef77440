/// Failures as problem details (RFC 9457), and how those below Spring become one.
@NullMarked
package dev.quiver.web.problem;

import org.jspecify.annotations.NullMarked;
