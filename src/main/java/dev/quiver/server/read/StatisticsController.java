package dev.quiver.server.read;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.statistics.ColumnProfile;
import dev.quiver.arrow.statistics.ColumnProfileFormat;
import dev.quiver.arrow.statistics.ProfiledColumn;
import dev.quiver.arrow.text.JsonNumbers;
import dev.quiver.arrow.transform.Projection;
import dev.quiver.arrow.type.Schema;
import dev.quiver.server.access.Access;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.TagVariant;
import dev.quiver.server.resource.ColumnProfileJson;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.resource.ParameterParser;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.VersionHeaders;
import dev.quiver.server.transfer.Responder;
import dev.quiver.sql.query.ColumnProfiles;
import dev.quiver.sql.query.Conditions;
import dev.quiver.sql.query.RowCondition;
import dev.quiver.store.Datasets;
import dev.quiver.store.access.Principal;
import dev.quiver.store.read.RowMatches;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// Statistics of the columns of a version, over all rows or the matches of a condition. They never
/// change, and are calculated by the first request that needs them: neither by a HEAD nor for a
/// client that has them.
@RestController
final class StatisticsController {

  /// The characters of a hash of columns, of four bits each.
  private static final int HASH_LENGTH = 32;

  private final Datasets datasets;
  private final Responder responder;
  private final ColumnProfiles profiles;
  private final Conditions conditions;
  private final Limit columnCount;

  StatisticsController(
      Datasets datasets,
      Responder responder,
      ColumnProfiles profiles,
      Conditions conditions,
      QuiverProperties properties) {
    this.datasets = datasets;
    this.responder = responder;
    this.profiles = profiles;
    this.conditions = conditions;
    this.columnCount = properties.limits().profiled();
  }

  @GetMapping(Paths.DATASET + "/statistics")
  void statistics(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    JsonNumbers numbers =
        ParameterParser.choice(request, "numbers", JsonNumbers.class, JsonNumbers.NUMBER);
    RowCondition condition = ReadParameters.condition(request);
    try (Snapshot snapshot = datasets.open(reference)) {
      VersionHeaders.set(request, response, reference, snapshot.summary());
      List<ProfiledColumn> columns =
          columns(snapshot.schema(), request.getParameterValues("columns"));
      columnCount.check(
          columns.size(), "columns with statistics", InputLocation.detail("parameter columns"));
      responder.send(
          request,
          response,
          new VersionRepresentations(reference, snapshot)
              .calculatedDocument(
                  variant(snapshot, condition, columns, numbers),
                  () ->
                      document(snapshot, condition, columns, numbers, Access.principal(request))));
    }
  }

  private static List<ProfiledColumn> columns(Schema schema, String[] lists) {
    return lists == null
        ? ProfiledColumn.all(schema)
        : ProfiledColumn.at(schema, Projection.pathsThroughStructs(schema, List.of(lists)));
  }

  private static TagVariant variant(
      Snapshot snapshot,
      @Nullable RowCondition condition,
      List<ProfiledColumn> columns,
      JsonNumbers numbers) {
    String indices = columns.stream().map(ProfiledColumn::indices).toList().toString();
    TagVariant variant =
        TagVariant.document(
            "statistics",
            ColumnProfileFormat.VERSION,
            numbers.name().toLowerCase(Locale.ROOT),
            Sha256.hex(indices).substring(0, HASH_LENGTH));
    return condition == null ? variant : variant.selected(Conditions.id(snapshot, condition));
  }

  private Documents.Statistics document(
      Snapshot snapshot,
      @Nullable RowCondition condition,
      List<ProfiledColumn> columns,
      JsonNumbers numbers,
      Principal principal)
      throws IOException {
    VersionSummary summary = snapshot.summary();
    long rowCount = summary.file().rows();
    List<ColumnProfile> calculated;
    if (condition == null) {
      calculated = profiles.of(snapshot, columns);
    } else {
      RowMatches matches = conditions.matches(snapshot, condition, principal);
      rowCount = matches.count();
      calculated = profiles.of(snapshot, matches, columns);
    }
    List<ColumnProfileJson> members = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      members.add(ColumnProfileJson.of(columns.get(i), calculated.get(i), numbers));
    }
    return new Documents.Statistics(summary.name().value(), summary.version(), rowCount, members);
  }
}
