package dev.quiver.sql.library;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Single values: parameters of statements and of table functions.
public final class Values {
  private final NativeText text;

  /// A decimal: the precision and the scale in a byte each, then, at 8, the low and the high half.
  public static final StructLayout DECIMAL =
      MemoryLayout.structLayout(
          ValueLayout.JAVA_BYTE,
          ValueLayout.JAVA_BYTE,
          MemoryLayout.paddingLayout(6),
          MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

  private static final MethodHandle CREATE_DECIMAL =
      Downcalls.handle(FunctionDescriptor.of(ValueLayout.JAVA_LONG, DECIMAL));
  private static final MethodHandle CREATE_DOUBLE =
      Downcalls.handle(FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_DOUBLE));

  private final MemorySegment createDecimal;
  private final MemorySegment createDouble;
  private final MemorySegment createVarcharLength;
  private final MemorySegment createBool;
  private final MemorySegment createInt64;
  private final MemorySegment createNullValue;
  private final MemorySegment getVarchar;
  private final MemorySegment isNullValue;
  private final MemorySegment destroyValue;

  Values(Functions functions, NativeText text) {
    this.text = text;
    createDecimal = functions.find("create_decimal");
    createDouble = functions.find("create_double");

    createVarcharLength = functions.find("create_varchar_length");
    createBool = functions.find("create_bool");
    createInt64 = functions.find("create_int64");
    createNullValue = functions.find("create_null_value");
    getVarchar = functions.find("get_varchar");
    isNullValue = functions.find("is_null_value");
    destroyValue = functions.find("destroy_value");
  }

  private long createText(long text, long byteSize) {
    return Downcalls.call(createVarcharLength, text, byteSize);
  }

  public long createBool(boolean value) {
    return Downcalls.call(createBool, value ? 1 : 0);
  }

  public long createInt64(long value) {
    return Downcalls.call(createInt64, value);
  }

  public long createNull() {
    return Downcalls.call(createNullValue);
  }

  /// Returns a value as text, or null if it is null. The function itself ends the process then.
  public @Nullable String text(long value) {
    boolean isNull = (Downcalls.call(isNullValue, value) & 0xFF) != 0;
    return isNull ? null : text.take(Downcalls.call(getVarchar, value));
  }

  private void destroy(long valuePointer) {
    Downcalls.call(destroyValue, valuePointer);
  }

  public long createDecimal(MemorySegment decimal) {
    try {
      return (long) CREATE_DECIMAL.invokeExact(createDecimal, decimal);
    } catch (Throwable e) {
      throw Downcalls.failure(e);
    }
  }

  public long createDouble(double value) {
    try {
      return (long) CREATE_DOUBLE.invokeExact(createDouble, value);
    } catch (Throwable e) {
      throw Downcalls.failure(e);
    }
  }

  /// Returns a text, or 0 if it is not valid Unicode.
  public long createText(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      return createText(copy.address(), bytes.length);
    }
  }

  /// Destroys a value by its address.
  public void release(long value) {
    try (Arena arena = Arena.ofConfined()) {
      destroy(arena.allocateFrom(ValueLayout.JAVA_LONG, value).address());
    }
  }
}
