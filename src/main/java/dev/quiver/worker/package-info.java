/// A process that runs statements of users, apart from the service.
///
/// It has no environment of the service, no secrets and no network. It maps the stored versions
/// that a statement names, and nothing else; its memory is limited by the operating system, its
/// time by the service, which kills it. A worker that dies is one failed statement.
///
/// One thread reads requests and maps files. Another runs the statements, and can be denied all
/// files by the kernel, together with the threads of the engine, which it starts.
@NullMarked
package dev.quiver.worker;

import org.jspecify.annotations.NullMarked;
