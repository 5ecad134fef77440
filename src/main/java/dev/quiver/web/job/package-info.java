/// Uploads that go on after their response, as jobs, and the controller of jobs.
@NullMarked
package dev.quiver.web.job;

import org.jspecify.annotations.NullMarked;
