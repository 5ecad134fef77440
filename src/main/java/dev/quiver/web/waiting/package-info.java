/// Requests that wait for the next version of a dataset, without a thread each.
@NullMarked
package dev.quiver.web.waiting;

import org.jspecify.annotations.NullMarked;
