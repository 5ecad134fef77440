/// Requests that wait for the next version of a dataset, and server-sent events.
@NullMarked
package dev.quiver.server.events;

import org.jspecify.annotations.NullMarked;
