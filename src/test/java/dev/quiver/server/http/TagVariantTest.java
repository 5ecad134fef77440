package dev.quiver.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.Lz4Frame;
import dev.quiver.arrow.codec.Zstandard;
import dev.quiver.arrow.text.JsonNumbers;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.formats.Format;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The text of variants. `EntityTagsTest` covers the tags of all representations.
class TagVariantTest {

  @Test
  void joinsTheNameAndParametersOfAVariant() {
    assertThat(TagVariant.of("schema").text()).isEqualTo("schema");
    assertThat(TagVariant.of("index", 0L, 1000).text()).isEqualTo("index-0-1000");
    TextOptions options = TextOptions.whole(JsonNumbers.STRING);
    assertThat(TagVariant.text(Format.CSV, options).text()).isEqualTo("csv-2-string");
  }

  @Test
  void includesTheVersionsOfCompressionLibraries() {
    String zstd = Zstandard.INSTANCE.libraryVersion();
    String lz4 = Lz4Frame.INSTANCE.libraryVersion();
    TagVariant stream = TagVariant.of("arrows");
    assertThat(stream.recompressed(Codec.ZSTD).text()).isEqualTo("arrows-zstd-2-" + zstd);
    assertThat(stream.recompressed(Codec.NONE).text()).isEqualTo("arrows-none-2");
    TagVariant rows = stream.selected("rows-1-2");
    assertThat(rows.encodedIn(List.of(Codec.NONE, Codec.LZ4, Codec.ZSTD)).text())
        .isEqualTo("arrows-rows-1-2-1-" + lz4 + "-" + zstd);
    assertThat(rows.encodedIn(List.of())).isEqualTo(rows);
    assertThat(stream.selected("")).isEqualTo(stream);
  }

  @Test
  void appendsToTheVariantsOfATag() {
    EntityTag file = EntityTag.of("commit.3");
    assertThat(file.with(TagVariant.STORED_FILE)).isEqualTo(file);
    assertThat(file.with(TagVariant.of("arrows")).with(TagVariant.multipartMixed(true)))
        .hasToString("\"commit.3.arrows.mixed-footnotes-1\"");
    assertThatThrownBy(() -> TagVariant.contentCoded(ResponseCoding.IDENTITY))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
