package dev.quiver.server.config;

import static dev.quiver.server.config.ConfigurationException.require;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// The limits of requests, below `quiver.limits`.
///
/// @param metadataBytes flatbuffer metadata of one message, or a footer
/// @param bodyBytes the body of one message
/// @param batchRows rows of one record batch
/// @param schemaFields fields of a schema, including children
/// @param schemaDepthLevels levels of nesting of a field
/// @param dictionaryBytes one dictionary, decompressed
/// @param uploadDictionaryBytes all dictionaries of one upload together
/// @param decompressionRatio decompressed bytes per compressed byte. It bounds a buffer beyond what
///   its schema can need, and all bodies of an input together, or the rows of a file of another
///   format, beyond a moderate size
/// @param uploadBatches record batches of one upload
/// @param requestBytes the body of a request
/// @param formMetadataBytes a `multipart/form-data` body without its data
/// @param reportBytes the report of an inspection before it is truncated
/// @param textResponseBytes rows of one response as JSON, CSV or TSV, before content coding, or as
///   a workbook before it is compressed
/// @param tableRows rows that a table for a terminal shows. Of more, those in the middle are left
///   out
/// @param textLengthBytes Arrow data whose text may be kept as a file. The text of more has neither
///   a length nor ranges
/// @param digestBytes a stored representation whose SHA-256 is computed for a client
/// @param verifySeconds the time for which a version may be verified
/// @param storageBytes the size of the store, including uploads in progress; 0 is unlimited
/// @param indexEntries datasets of the index that mirroring programs read
/// @param sortedDatasets datasets of a list in another order than by name
/// @param countedDatasets datasets of a list with their total
/// @param statisticsColumns columns of a response with statistics
/// @param generatedResponses concurrent responses that are generated while they are sent: selected
///   columns or rows, another codec, text, a content coding. It also limits concurrent conversions
///   and inspections. Further requests wait as long as a connection may be idle, and are then
///   rejected
/// @param inFlightBytes memory for metadata of all uploads and inspections, for documents being
///   sent, and for windows of zstd-coded bodies. Up to half of it may buffer bodies of batches. 0
///   is a quarter of the heap
/// @param uploadSeconds the time within which a request body must arrive
/// @param idleSeconds the time for which a connection may send or accept nothing
/// @param headSeconds the time in which the head of a request, or a TLS handshake, must arrive
/// @param connectionsPerAddress the maximum number of connections of one address; 0 is half of all
/// @param unboundedAddresses addresses and networks that may have any number of connections, such
///   as proxies
/// @param waitSeconds the time for which a request may wait for the next version of a dataset
/// @param waitingRequests concurrent requests that wait so, and listeners of events; 0 is an eighth
///   of the connections
/// @param minimumBytesPerSecond the average rate below which a transfer is aborted, once it has
///   taken longer than a connection may be idle
public record RequestLimits(
    @DefaultValue("64MB") DataSize metadataBytes,
    @DefaultValue("16GB") DataSize bodyBytes,
    @DefaultValue("2147483647") long batchRows,
    @DefaultValue("100000") long schemaFields,
    @DefaultValue("64") long schemaDepthLevels,
    @DefaultValue("1GB") DataSize dictionaryBytes,
    @DefaultValue("4GB") DataSize uploadDictionaryBytes,
    @DefaultValue("1000") long decompressionRatio,
    @DefaultValue("1000000") long uploadBatches,
    @DefaultValue("64GB") DataSize requestBytes,
    @DefaultValue("1MB") DataSize formMetadataBytes,
    @DefaultValue("64MB") DataSize reportBytes,
    @DefaultValue("1GB") DataSize textResponseBytes,
    @DefaultValue("1000") int tableRows,
    @DefaultValue("1GB") DataSize textLengthBytes,
    @DefaultValue("256MB") DataSize digestBytes,
    @DefaultValue("600") int verifySeconds,
    @DefaultValue("0B") DataSize storageBytes,
    @DefaultValue("100000") int indexEntries,
    @DefaultValue("100000") int sortedDatasets,
    @DefaultValue("100000") int countedDatasets,
    @DefaultValue("1000") int statisticsColumns,
    @DefaultValue("200") int generatedResponses,
    @DefaultValue("0B") DataSize inFlightBytes,
    @DefaultValue("21600") long uploadSeconds,
    @DefaultValue("60") int idleSeconds,
    @DefaultValue("10") int headSeconds,
    @DefaultValue("0") int connectionsPerAddress,
    @DefaultValue List<AddressRange> unboundedAddresses,
    @DefaultValue("60") int waitSeconds,
    @DefaultValue("0") int waitingRequests,
    @DefaultValue("1024") long minimumBytesPerSecond) {

  /// A table is in memory.
  private static final int TABLE_ROWS_MAXIMUM = 100_000;

  /// Tomcat takes the time in milliseconds, as an `int`.
  private static final long SECONDS_MAXIMUM = Integer.MAX_VALUE / 1000;

  public RequestLimits {
    requireFrom(1, metadataBytes.toBytes(), "metadata-bytes");
    requireFrom(1, bodyBytes.toBytes(), "body-bytes");
    requireFrom(1, batchRows, "batch-rows");
    requireFrom(1, schemaFields, "schema-fields");
    requireFrom(1, schemaDepthLevels, "schema-depth-levels");
    requireFrom(1, dictionaryBytes.toBytes(), "dictionary-bytes");
    requireFrom(1, uploadDictionaryBytes.toBytes(), "upload-dictionary-bytes");
    requireFrom(1, decompressionRatio, "decompression-ratio");
    requireFrom(1, uploadBatches, "upload-batches");
    requireFrom(1, requestBytes.toBytes(), "request-bytes");
    requireFrom(1, formMetadataBytes.toBytes(), "form-metadata-bytes");
    requireFrom(1, reportBytes.toBytes(), "report-bytes");
    requireFrom(1, textResponseBytes.toBytes(), "text-response-bytes");
    require(
        tableRows >= 1 && tableRows <= TABLE_ROWS_MAXIMUM,
        "1 to " + TABLE_ROWS_MAXIMUM,
        tableRows,
        "quiver.limits.table-rows");
    requireFrom(0, textLengthBytes.toBytes(), "text-length-bytes");
    requireFrom(0, digestBytes.toBytes(), "digest-bytes");
    requireFrom(1, verifySeconds, "verify-seconds");
    requireFrom(0, storageBytes.toBytes(), "storage-bytes");
    requireFrom(1, indexEntries, "index-entries");
    requireFrom(1, sortedDatasets, "sorted-datasets");
    requireFrom(1, countedDatasets, "counted-datasets");
    requireFrom(1, statisticsColumns, "statistics-columns");
    requireFrom(1, generatedResponses, "generated-responses");
    requireFrom(0, inFlightBytes.toBytes(), "in-flight-bytes");
    requireFrom(1, uploadSeconds, "upload-seconds");
    requireSeconds(idleSeconds, "idle-seconds");
    requireSeconds(headSeconds, "head-seconds");
    requireFrom(0, connectionsPerAddress, "connections-per-address");
    requireSeconds(waitSeconds, "wait-seconds");
    requireFrom(0, waitingRequests, "waiting-requests");
    requireFrom(0, minimumBytesPerSecond, "minimum-bytes-per-second");
  }

  private static void requireFrom(long minimum, long found, String key) {
    require(found >= minimum, minimum + " or more", found, "quiver.limits." + key);
  }

  private static void requireSeconds(int found, String key) {
    require(
        found >= 1 && found <= SECONDS_MAXIMUM,
        "1 to %d".formatted(SECONDS_MAXIMUM),
        found,
        "quiver.limits." + key);
  }

  /// Returns the limits on Arrow data.
  public Limits arrow() {
    return new Limits(
        limit("metadata-bytes", metadataBytes),
        limit("body-bytes", bodyBytes),
        limit("batch-rows", batchRows),
        limit("schema-fields", schemaFields),
        limit("schema-depth-levels", schemaDepthLevels),
        limit("dictionary-bytes", dictionaryBytes),
        limit("decompression-ratio", decompressionRatio),
        limit("upload-batches", uploadBatches));
  }

  /// Returns the limit on all dictionaries of an upload.
  public Limit uploadDictionaries() {
    return limit("upload-dictionary-bytes", uploadDictionaryBytes);
  }

  /// Returns the limit on the body of a request.
  public Limit request() {
    return limit("request-bytes", requestBytes);
  }

  /// Returns the limit on everything but the data of a form.
  public Limit form() {
    return limit("form-metadata-bytes", formMetadataBytes);
  }

  /// Returns the limit on the report of an inspection.
  public Limit report() {
    return limit("report-bytes", reportBytes);
  }

  /// Returns the limit on rows as text.
  public Limit text() {
    return limit("text-response-bytes", textResponseBytes);
  }

  /// Returns the limit on the rows of a table for a terminal.
  public Limit table() {
    return limit("table-rows", tableRows);
  }

  /// Returns the limit on the Arrow data that is rendered to learn the length of its text.
  public Limit textLength() {
    return limit("text-length-bytes", textLengthBytes);
  }

  /// Returns the limit on stored representations whose SHA-256 is computed.
  public Limit digest() {
    return limit("digest-bytes", digestBytes);
  }

  /// Returns the limit on the seconds for which a version is verified.
  public Limit verification() {
    return limit("verify-seconds", verifySeconds);
  }

  /// Returns the limit on the datasets of an index.
  public Limit index() {
    return limit("index-entries", indexEntries);
  }

  /// Returns the limit on the datasets of a list in another order than by name.
  public Limit sorted() {
    return limit("sorted-datasets", sortedDatasets);
  }

  /// Returns the limit on the datasets of a list with their total.
  public Limit counted() {
    return limit("counted-datasets", countedDatasets);
  }

  /// Returns the limit on the columns of a response with statistics.
  public Limit profiled() {
    return limit("statistics-columns", statisticsColumns);
  }

  /// Returns the limit on the bytes in the store; 0 is unlimited.
  public Limit storage() {
    return limit("storage-bytes", storageBytes);
  }

  /// Returns the limit on concurrent generated responses.
  public Limit generated() {
    return limit("generated-responses", generatedResponses);
  }

  /// Returns the limit on requests that wait for the next version, and listeners of events; 0 is an
  /// eighth of the connections.
  public Limit waiting() {
    return limit("waiting-requests", waitingRequests);
  }

  /// Returns the limit on the memory of all requests together; 0 is a quarter of the heap.
  public Limit inFlight() {
    return limit("in-flight-bytes", inFlightBytes);
  }

  private static Limit limit(String key, DataSize maximum) {
    return limit(key, maximum.toBytes());
  }

  private static Limit limit(String key, long maximum) {
    return new Limit("quiver.limits." + key, maximum);
  }
}
