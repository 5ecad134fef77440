/// The conversation between the service and a worker process, over one socket.
///
/// The service sends requests, the worker answers each in order. Everything is a [Frame]: its type,
/// the size of its payload, the payload. A payload is a record in the format of
/// [java.io.DataOutput], or bytes of an IPC stream.
@NullMarked
package dev.quiver.worker.protocol;

import org.jspecify.annotations.NullMarked;
