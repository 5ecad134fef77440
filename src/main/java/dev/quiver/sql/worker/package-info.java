/// The process that runs statements, and the frames between it and the service.
///
/// It has no environment of the service, no secrets and no network. It maps the stored versions
/// that a statement names, and nothing else; its memory is limited by the operating system, its
/// time by the service, which kills it. A worker that dies is one failed statement.
///
/// One thread reads requests and maps files. Another runs the statements, and can be denied all
/// files by the kernel, together with the threads of the engine, which it starts.
///
/// The service sends requests, the worker responds to each in order. Everything is a
/// [dev.quiver.sql.worker.WorkerFrame]: its type, the size of its payload, the payload. A payload
/// is a record in the format of [java.io.DataOutput], or bytes of an IPC stream.
@NullMarked
package dev.quiver.sql.worker;

import org.jspecify.annotations.NullMarked;
