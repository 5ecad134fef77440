/// Work and results that threads share: a pool of processors, queues of tasks, and permits in the
/// order of arrival.
@NullMarked
package dev.quiver.arrow.parallel;

import org.jspecify.annotations.NullMarked;
