package dev.quiver.server.inspect;

import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The Blocks of a footer in physical order.
final class FooterBlocks {

  private final List<Block> dictionaries;
  private final List<Block> batches;
  private final int[] order;

  private FooterBlocks(List<Block> dictionaries, List<Block> batches) {
    this.dictionaries = dictionaries;
    this.batches = batches;
    this.order =
        IntStream.range(0, dictionaries.size() + batches.size())
            .boxed()
            .sorted(Comparator.comparingLong(number -> numbered(number).offset()))
            .mapToInt(Integer::intValue)
            .toArray();
  }

  static FooterBlocks of(Footer footer) {
    return new FooterBlocks(footer.dictionaries(), footer.recordBatches());
  }

  static FooterBlocks none() {
    return new FooterBlocks(List.of(), List.of());
  }

  int size() {
    return order.length;
  }

  Block get(int position) {
    return numbered(order[position]);
  }

  /// Returns the position in the footer, where record batches are numbered after the dictionaries.
  long number(int position) {
    return order[position];
  }

  boolean isDictionary(int position) {
    return order[position] < dictionaries.size();
  }

  /// Returns a name such as `Footer.recordBatches[3]`.
  String name(int position) {
    int number = order[position];
    return isDictionary(position)
        ? "Footer.dictionaries[" + number + "]"
        : "Footer.recordBatches[" + (number - dictionaries.size()) + "]";
  }

  /// Returns whether the physical order of the record batches is the footer's.
  boolean isInOrder() {
    int last = -1;
    for (int number : order) {
      if (number >= dictionaries.size()) {
        if (number < last) {
          return false;
        }
        last = number;
      }
    }
    return true;
  }

  private Block numbered(int number) {
    return number < dictionaries.size()
        ? dictionaries.get(number)
        : batches.get(number - dictionaries.size());
  }
}
