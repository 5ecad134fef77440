package dev.quiver.formats;

import dev.quiver.arrow.type.Schema;

/// A dataset to which the rows of a file are appended.
///
/// @param schema whose types the rows get
/// @param lastUpload the parameters of the last file of text that was uploaded to it
public record AppendedDataset(Schema schema, FileParameters lastUpload) {}
