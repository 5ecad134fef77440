/// Controllers and filters of no single feature, the mapping of exceptions to problems, and the
/// wiring of the tier.
@NullMarked
package dev.quiver.server;

import org.jspecify.annotations.NullMarked;
