package dev.quiver.sql.library;

import java.lang.foreign.MemorySegment;

/// Functions that return tables, the replacement of unknown tables by them, and the callbacks of
/// both.
public final class TableFunctions {
  private static final int SUCCESS = 0;

  private final MemorySegment createTableFunction;
  private final MemorySegment destroyTableFunction;
  private final MemorySegment tableFunctionSetName;
  private final MemorySegment tableFunctionAddParameter;
  private final MemorySegment tableFunctionSetBind;
  private final MemorySegment tableFunctionSetInit;
  private final MemorySegment tableFunctionSetLocalInit;
  private final MemorySegment tableFunctionSetFunction;
  private final MemorySegment tableFunctionSupportsProjectionPushdown;
  private final MemorySegment registerTableFunction;
  private final MemorySegment addReplacementScan;
  private final MemorySegment replacementScanSetFunctionName;
  private final MemorySegment replacementScanAddParameter;
  private final MemorySegment replacementScanSetError;
  private final MemorySegment bindGetParameter;
  private final MemorySegment bindAddResultColumn;
  private final MemorySegment bindSetCardinality;
  private final MemorySegment bindSetBindData;
  private final MemorySegment bindSetError;
  private final MemorySegment initGetBindData;
  private final MemorySegment initGetColumnCount;
  private final MemorySegment initGetColumnIndex;
  private final MemorySegment initSetMaxThreads;
  private final MemorySegment initSetInitData;
  private final MemorySegment initSetError;
  private final MemorySegment functionGetInitData;
  private final MemorySegment functionGetLocalInitData;
  private final MemorySegment functionSetError;

  TableFunctions(Functions functions) {
    createTableFunction = functions.find("create_table_function");
    destroyTableFunction = functions.find("destroy_table_function");
    tableFunctionSetName = functions.find("table_function_set_name");
    tableFunctionAddParameter = functions.find("table_function_add_parameter");
    tableFunctionSetBind = functions.find("table_function_set_bind");
    tableFunctionSetInit = functions.find("table_function_set_init");
    tableFunctionSetLocalInit = functions.find("table_function_set_local_init");
    tableFunctionSetFunction = functions.find("table_function_set_function");
    tableFunctionSupportsProjectionPushdown =
        functions.find("table_function_supports_projection_pushdown");
    registerTableFunction = functions.find("register_table_function");
    addReplacementScan = functions.find("add_replacement_scan");
    replacementScanSetFunctionName = functions.find("replacement_scan_set_function_name");
    replacementScanAddParameter = functions.find("replacement_scan_add_parameter");
    replacementScanSetError = functions.find("replacement_scan_set_error");
    bindGetParameter = functions.find("bind_get_parameter");
    bindAddResultColumn = functions.find("bind_add_result_column");
    bindSetCardinality = functions.find("bind_set_cardinality");
    bindSetBindData = functions.find("bind_set_bind_data");
    bindSetError = functions.find("bind_set_error");
    initGetBindData = functions.find("init_get_bind_data");
    initGetColumnCount = functions.find("init_get_column_count");
    initGetColumnIndex = functions.find("init_get_column_index");
    initSetMaxThreads = functions.find("init_set_max_threads");
    initSetInitData = functions.find("init_set_init_data");
    initSetError = functions.find("init_set_error");
    functionGetInitData = functions.find("function_get_init_data");
    functionGetLocalInitData = functions.find("function_get_local_init_data");
    functionSetError = functions.find("function_set_error");
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
    return (int) Downcalls.call(registerTableFunction, connection, function) == SUCCESS;
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
