package dev.quiver.sql.library;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// Instances and the connections to them.
public final class Databases extends FunctionGroup {
  /// The share of a statement that is done in percent or -1, the rows read so far, and all rows.
  public static final StructLayout PROGRESS =
      MemoryLayout.structLayout(
          ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

  public static final long ROWS_READ_OFFSET = 8;
  public static final long ROWS_TOTAL_OFFSET = 16;

  private static final MethodHandle QUERY_PROGRESS =
      Downcalls.handle(FunctionDescriptor.of(PROGRESS, ValueLayout.JAVA_LONG));

  private final MemorySegment queryProgress = find("query_progress");
  private final MemorySegment libraryVersion = find("library_version");
  private final MemorySegment createConfig = find("create_config");
  private final MemorySegment setConfig = find("set_config");
  private final MemorySegment destroyConfig = find("destroy_config");
  private final MemorySegment openExt = find("open_ext");
  private final MemorySegment close = find("close");
  private final MemorySegment connect = find("connect");
  private final MemorySegment disconnect = find("disconnect");
  private final MemorySegment interrupt = find("interrupt");
  private final MemorySegment query = find("query");

  Databases(Functions functions) {
    super(functions);
  }

  public @Nullable String version() {
    return NativeText.read(Downcalls.call(libraryVersion));
  }

  public boolean createConfiguration(long configurationPointer) {
    return succeeds(Downcalls.call(createConfig, configurationPointer));
  }

  public boolean configure(long configuration, long name, long value) {
    return succeeds(Downcalls.call(setConfig, configuration, name, value));
  }

  public void destroyConfiguration(long configurationPointer) {
    Downcalls.call(destroyConfig, configurationPointer);
  }

  public boolean open(long path, long databasePointer, long configuration, long errorPointer) {
    return succeeds(Downcalls.call(openExt, path, databasePointer, configuration, errorPointer));
  }

  public void close(long databasePointer) {
    Downcalls.call(close, databasePointer);
  }

  public boolean connect(long database, long connectionPointer) {
    return succeeds(Downcalls.call(connect, database, connectionPointer));
  }

  public void disconnect(long connectionPointer) {
    Downcalls.call(disconnect, connectionPointer);
  }

  public void interrupt(long connection) {
    Downcalls.call(interrupt, connection);
  }

  public boolean query(long connection, long sql, long result) {
    return succeeds(Downcalls.call(query, connection, sql, result));
  }

  /// Returns the progress of a connection's statement, in the layout [#PROGRESS].
  public MemorySegment progress(SegmentAllocator allocator, long connection) {
    try {
      return (MemorySegment) QUERY_PROGRESS.invokeExact(queryProgress, allocator, connection);
    } catch (Throwable e) {
      throw Downcalls.failure(e);
    }
  }
}
