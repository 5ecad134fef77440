package dev.quiver.sql.library;

import java.lang.foreign.MemorySegment;

/// The types of columns and values. Each type that a method returns is destroyed by the caller.
public final class LogicalTypes extends FunctionGroup {
  private final NativeText text;
  private final MemorySegment createLogicalType = find("create_logical_type");
  private final MemorySegment createDecimalType = find("create_decimal_type");
  private final MemorySegment createListType = find("create_list_type");
  private final MemorySegment createArrayType = find("create_array_type");
  private final MemorySegment createMapType = find("create_map_type");
  private final MemorySegment createStructType = find("create_struct_type");
  private final MemorySegment createUnionType = find("create_union_type");
  private final MemorySegment logicalTypeSetAlias = find("logical_type_set_alias");
  private final MemorySegment getTypeId = find("get_type_id");
  private final MemorySegment logicalTypeGetAlias = find("logical_type_get_alias");
  private final MemorySegment decimalWidth = find("decimal_width");
  private final MemorySegment decimalScale = find("decimal_scale");
  private final MemorySegment decimalInternalType = find("decimal_internal_type");
  private final MemorySegment enumInternalType = find("enum_internal_type");
  private final MemorySegment enumDictionarySize = find("enum_dictionary_size");
  private final MemorySegment enumDictionaryValue = find("enum_dictionary_value");
  private final MemorySegment listTypeChildType = find("list_type_child_type");
  private final MemorySegment arrayTypeChildType = find("array_type_child_type");
  private final MemorySegment arrayTypeArraySize = find("array_type_array_size");
  private final MemorySegment mapTypeKeyType = find("map_type_key_type");
  private final MemorySegment mapTypeValueType = find("map_type_value_type");
  private final MemorySegment structTypeChildCount = find("struct_type_child_count");
  private final MemorySegment structTypeChildName = find("struct_type_child_name");
  private final MemorySegment structTypeChildType = find("struct_type_child_type");
  private final MemorySegment unionTypeMemberCount = find("union_type_member_count");
  private final MemorySegment unionTypeMemberName = find("union_type_member_name");
  private final MemorySegment unionTypeMemberType = find("union_type_member_type");
  private final MemorySegment destroyLogicalType = find("destroy_logical_type");

  LogicalTypes(Functions functions, NativeText text) {
    super(functions);
    this.text = text;
  }

  public long create(int typeId) {
    return Downcalls.call(createLogicalType, typeId);
  }

  public long createDecimal(int precision, int scale) {
    return Downcalls.call(createDecimalType, precision, scale);
  }

  public long createList(long child) {
    return Downcalls.call(createListType, child);
  }

  public long createArray(long child, long size) {
    return Downcalls.call(createArrayType, child, size);
  }

  public long createMap(long key, long value) {
    return Downcalls.call(createMapType, key, value);
  }

  public long createStruct(long children, long names, long count) {
    return Downcalls.call(createStructType, children, names, count);
  }

  public long createUnion(long members, long names, long count) {
    return Downcalls.call(createUnionType, members, names, count);
  }

  public void setAlias(long type, long alias) {
    Downcalls.call(logicalTypeSetAlias, type, alias);
  }

  public int id(long type) {
    return (int) Downcalls.call(getTypeId, type);
  }

  /// Returns the name of a type that is stored like another one, such as `JSON`, or an empty text.
  public String alias(long type) {
    return text.take(Downcalls.call(logicalTypeGetAlias, type));
  }

  public int decimalPrecision(long type) {
    return (int) Downcalls.call(decimalWidth, type) & 0xFF;
  }

  public int decimalScale(long type) {
    return (int) Downcalls.call(decimalScale, type) & 0xFF;
  }

  /// Returns the type of the integers that hold the decimals.
  public int decimalStorage(long type) {
    return (int) Downcalls.call(decimalInternalType, type);
  }

  /// Returns the type of the integers that hold the positions of an enum.
  public int enumStorage(long type) {
    return (int) Downcalls.call(enumInternalType, type);
  }

  public int enumSize(long type) {
    return (int) Downcalls.call(enumDictionarySize, type);
  }

  public String enumValue(long type, long index) {
    return text.take(Downcalls.call(enumDictionaryValue, type, index));
  }

  public long listChild(long type) {
    return Downcalls.call(listTypeChildType, type);
  }

  public long arrayChild(long type) {
    return Downcalls.call(arrayTypeChildType, type);
  }

  public long arraySize(long type) {
    return Downcalls.call(arrayTypeArraySize, type);
  }

  public long mapKey(long type) {
    return Downcalls.call(mapTypeKeyType, type);
  }

  public long mapValue(long type) {
    return Downcalls.call(mapTypeValueType, type);
  }

  public long structSize(long type) {
    return Downcalls.call(structTypeChildCount, type);
  }

  public String structName(long type, long index) {
    return text.take(Downcalls.call(structTypeChildName, type, index));
  }

  public long structChild(long type, long index) {
    return Downcalls.call(structTypeChildType, type, index);
  }

  public long unionSize(long type) {
    return Downcalls.call(unionTypeMemberCount, type);
  }

  public String unionName(long type, long index) {
    return text.take(Downcalls.call(unionTypeMemberName, type, index));
  }

  public long unionMember(long type, long index) {
    return Downcalls.call(unionTypeMemberType, type, index);
  }

  /// Destroys a type by its address.
  public void release(long type) {
    destroy(destroyLogicalType, type);
  }
}
