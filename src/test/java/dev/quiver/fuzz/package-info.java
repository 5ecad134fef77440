/// Tests with hostile input: seeded and coverage-guided mutations, and their cost to the service.
@NullMarked
package dev.quiver.fuzz;

import org.jspecify.annotations.NullMarked;
