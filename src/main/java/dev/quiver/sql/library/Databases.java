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
public final class Databases {
  private static final int SUCCESS = 0;

  /// The share of a statement that is done in percent or -1, the rows read so far, and all rows.
  public static final StructLayout PROGRESS =
      MemoryLayout.structLayout(
          ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

  public static final long ROWS_READ_OFFSET = 8;
  public static final long ROWS_TOTAL_OFFSET = 16;

  private static final MethodHandle QUERY_PROGRESS =
      Downcalls.handle(FunctionDescriptor.of(PROGRESS, ValueLayout.JAVA_LONG));

  private final MemorySegment queryProgress;
  private final MemorySegment libraryVersion;
  private final MemorySegment createConfig;
  private final MemorySegment setConfig;
  private final MemorySegment destroyConfig;
  private final MemorySegment openExt;
  private final MemorySegment close;
  private final MemorySegment connect;
  private final MemorySegment disconnect;
  private final MemorySegment interrupt;
  private final MemorySegment query;

  Databases(Functions functions) {
    queryProgress = functions.find("query_progress");

    libraryVersion = functions.find("library_version");
    createConfig = functions.find("create_config");
    setConfig = functions.find("set_config");
    destroyConfig = functions.find("destroy_config");
    openExt = functions.find("open_ext");
    close = functions.find("close");
    connect = functions.find("connect");
    disconnect = functions.find("disconnect");
    interrupt = functions.find("interrupt");
    query = functions.find("query");
  }

  public @Nullable String version() {
    return NativeText.read(Downcalls.call(libraryVersion));
  }

  public boolean createConfiguration(long configurationPointer) {
    return (int) Downcalls.call(createConfig, configurationPointer) == SUCCESS;
  }

  public boolean configure(long configuration, long name, long value) {
    return (int) Downcalls.call(setConfig, configuration, name, value) == SUCCESS;
  }

  public void destroyConfiguration(long configurationPointer) {
    Downcalls.call(destroyConfig, configurationPointer);
  }

  public boolean open(long path, long databasePointer, long configuration, long errorPointer) {
    return (int) Downcalls.call(openExt, path, databasePointer, configuration, errorPointer)
        == SUCCESS;
  }

  public void close(long databasePointer) {
    Downcalls.call(close, databasePointer);
  }

  public boolean connect(long database, long connectionPointer) {
    return (int) Downcalls.call(connect, database, connectionPointer) == SUCCESS;
  }

  public void disconnect(long connectionPointer) {
    Downcalls.call(disconnect, connectionPointer);
  }

  public void interrupt(long connection) {
    Downcalls.call(interrupt, connection);
  }

  public boolean query(long connection, long sql, long result) {
    return (int) Downcalls.call(query, connection, sql, result) == SUCCESS;
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
