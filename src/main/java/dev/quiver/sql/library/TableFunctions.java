package dev.quiver.sql.library;

import java.lang.foreign.MemorySegment;

/// Functions that return tables, the replacement of unknown tables by them, and the callbacks of
/// both.
public final class TableFunctions extends FunctionGroup {
  private final MemorySegment createTableFunction = find("create_table_function");
  private final MemorySegment destroyTableFunction = find("destroy_table_function");
  private final MemorySegment tableFunctionSetName = find("table_function_set_name");
  private final MemorySegment tableFunctionAddParameter = find("table_function_add_parameter");
  private final MemorySegment tableFunctionSetBind = find("table_function_set_bind");
  private final MemorySegment tableFunctionSetInit = find("table_function_set_init");
  private final MemorySegment tableFunctionSetLocalInit = find("table_function_set_local_init");
  private final MemorySegment tableFunctionSetFunction = find("table_function_set_function");
  private final MemorySegment tableFunctionSupportsProjectionPushdown =
      find("table_function_supports_projection_pushdown");
  private final MemorySegment registerTableFunction = find("register_table_function");
  private final MemorySegment addReplacementScan = find("add_replacement_scan");
  private final MemorySegment replacementScanSetFunctionName =
      find("replacement_scan_set_function_name");
  private final MemorySegment replacementScanAddParameter = find("replacement_scan_add_parameter");
  private final MemorySegment replacementScanSetError = find("replacement_scan_set_error");
  private final MemorySegment bindGetParameter = find("bind_get_parameter");
  private final MemorySegment bindAddResultColumn = find("bind_add_result_column");
  private final MemorySegment bindSetCardinality = find("bind_set_cardinality");
  private final MemorySegment bindSetBindData = find("bind_set_bind_data");
  private final MemorySegment bindSetError = find("bind_set_error");
  private final MemorySegment initGetBindData = find("init_get_bind_data");
  private final MemorySegment initGetColumnCount = find("init_get_column_count");
  private final MemorySegment initGetColumnIndex = find("init_get_column_index");
  private final MemorySegment initSetMaxThreads = find("init_set_max_threads");
  private final MemorySegment initSetInitData = find("init_set_init_data");
  private final MemorySegment initSetError = find("init_set_error");
  private final MemorySegment functionGetInitData = find("function_get_init_data");
  private final MemorySegment functionGetLocalInitData = find("function_get_local_init_data");
  private final MemorySegment functionSetError = find("function_set_error");

  TableFunctions(Functions functions) {
    super(functions);
  }

  public long create() {
    return Downcalls.call(createTableFunction);
  }

  public void destroy(long functionPointer) {
    Downcalls.call(destroyTableFunction, functionPointer);
  }

  public void setName(long function, long name) {
    Downcalls.call(tableFunctionSetName, function, name);
  }

  public void addParameter(long function, long type) {
    Downcalls.call(tableFunctionAddParameter, function, type);
  }

  public void setBind(long function, long callback) {
    Downcalls.call(tableFunctionSetBind, function, callback);
  }

  public void setInit(long function, long callback) {
    Downcalls.call(tableFunctionSetInit, function, callback);
  }

  public void setLocalInit(long function, long callback) {
    Downcalls.call(tableFunctionSetLocalInit, function, callback);
  }

  public void setFunction(long function, long callback) {
    Downcalls.call(tableFunctionSetFunction, function, callback);
  }

  public void setProjection(long function, boolean supported) {
    Downcalls.call(tableFunctionSupportsProjectionPushdown, function, supported ? 1 : 0);
  }

  public boolean register(long connection, long function) {
    return succeeds(Downcalls.call(registerTableFunction, connection, function));
  }

  public void addReplacementScan(long database, long callback, long data, long deleter) {
    Downcalls.call(addReplacementScan, database, callback, data, deleter);
  }

  public void setReplacement(long info, long name) {
    Downcalls.call(replacementScanSetFunctionName, info, name);
  }

  public void addReplacementParameter(long info, long value) {
    Downcalls.call(replacementScanAddParameter, info, value);
  }

  public void setReplacementError(long info, long message) {
    Downcalls.call(replacementScanSetError, info, message);
  }

  public long bindParameter(long info, long index) {
    return Downcalls.call(bindGetParameter, info, index);
  }

  public void addColumn(long info, long name, long type) {
    Downcalls.call(bindAddResultColumn, info, name, type);
  }

  public void setCardinality(long info, long rowCount, boolean exact) {
    Downcalls.call(bindSetCardinality, info, rowCount, exact ? 1 : 0);
  }

  public void setBindData(long info, long data, long deleter) {
    Downcalls.call(bindSetBindData, info, data, deleter);
  }

  public void setBindError(long info, long message) {
    Downcalls.call(bindSetError, info, message);
  }

  public long bindData(long info) {
    return Downcalls.call(initGetBindData, info);
  }

  public long columnCount(long info) {
    return Downcalls.call(initGetColumnCount, info);
  }

  /// Returns the index of a used column. A number that is not an index stands for no column.
  public long columnIndex(long info, long position) {
    return Downcalls.call(initGetColumnIndex, info, position);
  }

  public void setMaximumThreads(long info, long count) {
    Downcalls.call(initSetMaxThreads, info, count);
  }

  public void setInitData(long info, long data, long deleter) {
    Downcalls.call(initSetInitData, info, data, deleter);
  }

  public void setInitError(long info, long message) {
    Downcalls.call(initSetError, info, message);
  }

  public long initData(long info) {
    return Downcalls.call(functionGetInitData, info);
  }

  public long localInitData(long info) {
    return Downcalls.call(functionGetLocalInitData, info);
  }

  public void setError(long info, long message) {
    Downcalls.call(functionSetError, info, message);
  }
}
