package dev.quiver.arrow.metadata;

import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.util.List;

/// The table of contents at the end of a file: table `Footer` of File.fbs.
public record Footer(
    MetadataVersion version,
    Schema schema,
    List<Block> dictionaries,
    List<Block> recordBatches,
    Metadata customMetadata) {

  public Footer {
    dictionaries = BlockList.copyOf(dictionaries);
    recordBatches = BlockList.copyOf(recordBatches);
  }
}
