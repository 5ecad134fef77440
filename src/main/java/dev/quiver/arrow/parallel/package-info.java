/// Work and results that threads share: a pool of processors, queues of tasks, permits in the order
/// of arrival, and the cancellation of work.
@NullMarked
package dev.quiver.arrow.parallel;

import org.jspecify.annotations.NullMarked;
