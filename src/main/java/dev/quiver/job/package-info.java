/// Uploads that go on after their response: their states in the store, which every service that
/// shares it reads and changes, and the threads that run them.
@NullMarked
package dev.quiver.job;

import org.jspecify.annotations.NullMarked;
