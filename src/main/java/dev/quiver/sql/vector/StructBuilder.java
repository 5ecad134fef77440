package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// A builder of structs.
final class StructBuilder extends ColumnBuilder {

  private final List<ColumnBuilder> children;

  StructBuilder(Field field, Vectors vectors, List<ColumnBuilder> children) {
    super(field, vectors);
    this.children = children;
  }

  @Override
  public void attach(long vector) {
    super.attach(vector);
    for (int i = 0; i < children.size(); i++) {
      children.get(i).attach(vectors.structChild(vector, i));
    }
  }

  @Override
  public long byteSize(long row, int count) {
    return children.stream().mapToLong(child -> child.byteSize(row, count)).sum();
  }

  @Override
  void appendValues(long row, int count, SegmentAllocator allocator) {
    children.forEach(child -> child.append(row, count, allocator));
  }

  @Override
  public ArrayData take() {
    return array(List.of(), children.stream().map(ColumnBuilder::take).toList());
  }
}
