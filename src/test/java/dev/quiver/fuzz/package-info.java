/// Tests with hostile input: seeded damage, coverage-guided damage, and their cost for the service.
@NullMarked
package dev.quiver.fuzz;

import org.jspecify.annotations.NullMarked;
