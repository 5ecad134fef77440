package dev.quiver.formats;

import dev.quiver.arrow.type.Schema;

/// A dataset to which the rows of a file are appended.
///
/// @param schema whose types the rows get
/// @param lastUpload the parameters of the last file of text that was uploaded to it
public record AppendedDataset(Schema schema, FileParameters lastUpload) {

  /// Returns the new names that the last file got.
  public ColumnRenames lastRenames() {
    return ColumnRenames.parse(lastUpload.values());
  }

  /// Returns the dataset with the names that its columns have in a file.
  ///
  /// @param renames those of the file
  public AppendedDataset namedFor(ColumnRenames renames) {
    return new AppendedDataset(
        renames.inverse(schema),
        renames.equals(lastRenames()) ? lastUpload : lastUpload.without(ColumnRenames.PARAMETER));
  }
}
