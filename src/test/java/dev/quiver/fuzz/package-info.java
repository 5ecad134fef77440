/// Hostile input: damage by seeds, damage that coverage guides, and what it costs the service.
@NullMarked
package dev.quiver.fuzz;

import org.jspecify.annotations.NullMarked;
