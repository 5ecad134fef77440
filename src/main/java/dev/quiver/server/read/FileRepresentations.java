package dev.quiver.server.read;

import dev.quiver.arrow.transform.InvalidColumnsException;
import dev.quiver.formats.Format;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.http.TagVariant;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.FileBody;
import dev.quiver.server.transfer.Representation;
import dev.quiver.server.transfer.WorkbookFiles;
import dev.quiver.sql.execution.EngineLibrary;
import dev.quiver.sql.query.ParquetFiles;
import dev.quiver.store.access.Principal;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.SelectedVersion;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/// The representations of one version that are files, which are written before they are sent:
/// workbooks of Excel and Parquet.
public record FileRepresentations(VersionRepresentations versions) {

  /// Returns the selected columns and rows as a workbook.
  ///
  /// @param body keeps the file until the response is sent
  /// @param response gets the header with the warnings when the body is opened
  /// @throws InvalidColumnsException if a column is missing
  public Representation workbook(
      ReadParameters parameters, WorkbookFiles files, FileBody body, HttpServletResponse response)
      throws IOException {
    SelectedVersion selected = versions.snapshot().select(parameters.selection());
    TagVariant variant = workbookVariant(parameters, selected);
    String tag = EntityTag.of(versions.snapshot().summary().id()).with(variant).value();
    BodySource source =
        files.kept(
            body,
            tag,
            selected.rows(),
            selected.isStoredWithin(RowsBody.SMALL_BYTES),
            sheet(parameters, selected),
            response);
    return workbook(parameters, selected, source);
  }

  /// Returns the selected columns and rows as a workbook of this response alone. The caller holds a
  /// permit.
  ///
  /// @param body keeps the file until the response is sent
  /// @param response gets the header with the warnings when the body is opened
  /// @throws InvalidColumnsException if a column is missing
  public Representation workbookOnce(
      ReadParameters parameters, WorkbookFiles files, FileBody body, HttpServletResponse response)
      throws IOException {
    SelectedVersion selected = versions.snapshot().select(parameters.selection());
    WorkbookFiles.Rows rows = sheet(parameters, selected);
    return workbook(
        parameters, selected, new BodySource.Kept(() -> files.once(body, rows, response)));
  }

  private WorkbookFiles.Rows sheet(ReadParameters parameters, SelectedVersion selected) {
    // Two references to the same version are the same workbook.
    String name = versions.snapshot().summary().name().value();
    return new WorkbookFiles.Rows(
        name, parameters.text(), selected.schema(), sink -> writeBatches(selected, sink));
  }

  private static void writeBatches(SelectedVersion selected, WorkbookFiles.BatchSink sink)
      throws IOException {
    try (DecodedBatches batches = selected.decodedBatches()) {
      for (long i = 0; i < batches.count(); i++) {
        sink.write(batches.read(i));
      }
    }
  }

  private static TagVariant workbookVariant(ReadParameters parameters, SelectedVersion selected) {
    return TagVariant.workbook(parameters.text()).selected(selected.id());
  }

  private Representation workbook(
      ReadParameters parameters, SelectedVersion selected, BodySource body) {
    Map<String, String> headers = headers(Format.EXCEL, parameters, selected);
    headers.putAll(VersionRepresentations.cutting(parameters));
    TagVariant variant = workbookVariant(parameters, selected);
    return versions.of(Format.EXCEL.mediaType(), variant, headers, body);
  }

  /// Returns the selected columns and rows as a Parquet file.
  ///
  /// @param principal of the request
  /// @param body keeps the file until the response is sent
  /// @throws InvalidColumnsException if a column is missing
  /// @throws dev.quiver.formats.parquet.UnrepresentableTypeException if Parquet lacks a column's
  ///   type
  public Representation parquet(
      ReadParameters parameters, ParquetFiles files, Principal principal, FileBody body)
      throws IOException {
    SelectedVersion selected = selectedForParquet(parameters, files);
    return parquet(
        parameters,
        selected,
        body.kept(() ->
            files.open(parquetTag(selected).value(), versions.snapshot(), selected, principal)));
  }

  /// Returns the selected columns and rows as a Parquet file of this response alone.
  ///
  /// @param principal of the request
  /// @param body keeps the file until the response is sent
  /// @throws InvalidColumnsException if a column is missing
  /// @throws dev.quiver.formats.parquet.UnrepresentableTypeException if Parquet lacks a column's
  ///   type
  public Representation parquetOnce(
      ReadParameters parameters, ParquetFiles files, Principal principal, FileBody body)
      throws IOException {
    SelectedVersion selected = selectedForParquet(parameters, files);
    return parquet(
        parameters,
        selected,
        new BodySource.Kept(() -> body.own(files.write(versions.snapshot(), selected, principal))));
  }

  private SelectedVersion selectedForParquet(ReadParameters parameters, ParquetFiles files)
      throws IOException {
    SelectedVersion selected = versions.snapshot().select(parameters.selection());
    files.require(selected.schema());
    return selected;
  }

  private static TagVariant parquetVariant(SelectedVersion selected) {
    return TagVariant.parquet(EngineLibrary.VERSION).selected(selected.id());
  }

  private EntityTag parquetTag(SelectedVersion selected) {
    return EntityTag.of(versions.snapshot().summary().id()).with(parquetVariant(selected));
  }

  private Representation parquet(
      ReadParameters parameters, SelectedVersion selected, BodySource body) throws IOException {
    return versions.of(
        Format.PARQUET.mediaType(),
        parquetVariant(selected),
        headers(Format.PARQUET, parameters, selected),
        body);
  }

  private Map<String, String> headers(
      Format format, ReadParameters parameters, SelectedVersion selected) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Arrow-Row-Count", Long.toString(selected.rows()));
    headers.put(
        "Content-Disposition",
        VersionRepresentations.disposition(
            format.disposition(), versions.reference() + format.suffix()));
    headers.put("Link", versions.links(format, parameters));
    return headers;
  }
}
