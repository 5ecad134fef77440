/// Work, results and memory that threads share: a pool of processors, queues of tasks, permits that
/// clients share fairly, the cancellation of work, caches, and working memory with its limits.
@NullMarked
package dev.quiver.arrow.parallel;

import org.jspecify.annotations.NullMarked;
