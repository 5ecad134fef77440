package dev.quiver.formats.value;

import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An encoding of text, by the labels of the Encoding Standard of the WHATWG (section 4.2).
///
/// @param name in lower case
public record TextEncoding(String name, Supplier<CharsetDecoder> decoders) {

  public static final TextEncoding UTF_8 = of("utf-8", StandardCharsets.UTF_8);
  public static final TextEncoding UTF_16LE = of("utf-16le", StandardCharsets.UTF_16LE);
  public static final TextEncoding UTF_16BE = of("utf-16be", StandardCharsets.UTF_16BE);
  public static final TextEncoding WINDOWS_1252 =
      of("windows-1252", Charset.forName("windows-1252"));

  /// Each encoding: its name, that of the JDK, and its other labels. Those without a decoder of
  /// their own, which the standard replaces by an error, are absent.
  private static final String TABLE =
      """
      utf-8 UTF-8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8
      ibm866 IBM866 866 cp866 csibm866
      iso-8859-2 ISO-8859-2 csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
      iso-8859-3 ISO-8859-3 csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
      iso-8859-4 ISO-8859-4 csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
      iso-8859-5 ISO-8859-5 csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
      iso-8859-6 ISO-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
      iso-8859-7 ISO-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek
      iso-8859-8 ISO-8859-8 csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual
      iso-8859-8-i ISO-8859-8 csiso88598i logical
      iso-8859-10 - csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6
      iso-8859-13 ISO-8859-13 iso8859-13 iso885913
      iso-8859-14 - iso8859-14 iso885914
      iso-8859-15 ISO-8859-15 csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
      iso-8859-16 ISO-8859-16
      koi8-r KOI8-R cskoi8r koi koi8 koi8_r
      koi8-u KOI8-U koi8-ru
      macintosh x-MacRoman csmacintosh mac x-mac-roman
      windows-874 x-windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
      windows-1250 windows-1250 cp1250 x-cp1250
      windows-1251 windows-1251 cp1251 x-cp1251
      windows-1252 windows-1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 latin-1 us-ascii x-cp1252
      windows-1253 windows-1253 cp1253 x-cp1253
      windows-1254 windows-1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 x-cp1254
      windows-1255 windows-1255 cp1255 x-cp1255
      windows-1256 windows-1256 cp1256 x-cp1256
      windows-1257 windows-1257 cp1257 x-cp1257
      windows-1258 windows-1258 cp1258 x-cp1258
      x-mac-cyrillic x-MacUkraine x-mac-ukrainian
      gbk GB18030 chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
      gb18030 GB18030
      big5 Big5-HKSCS big5-hkscs cn-big5 csbig5 x-x-big5
      euc-jp EUC-JP cseucpkdfmtjapanese x-euc-jp
      iso-2022-jp ISO-2022-JP csiso2022jp
      shift_jis windows-31j csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
      euc-kr x-windows-949 cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
      utf-16be UTF-16BE unicodefffe
      utf-16le UTF-16LE csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16
      x-user-defined -
      """;

  private static final int UPPER_HALF = 128;
  private static final int CONTROL_COUNT = 32;

  /// The first code point of the private area to which bytes of `x-user-defined` are mapped.
  private static final int USER_DEFINED = 0xF780;

  /// The upper halves of the encodings that the JDK lacks.
  private static final Map<String, String> UPPER_HALVES =
      Map.of(
          "iso-8859-10",
          controls()
              + "\u00A0ĄĒĢĪĨĶ§ĻĐŠŦŽ\u00ADŪŊ°ąēģīĩķ·ļđšŧž―ūŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎÏÐŅŌÓÔÕÖŨØŲÚÛÜÝÞßāáâãäåæįčéęëėíîïðņōóôõöũøųúûüýþĸ",
          "iso-8859-14",
          controls()
              + "\u00A0Ḃḃ£ĊċḊ§Ẁ©ẂḋỲ\u00AD®ŸḞḟĠġṀṁ¶ṖẁṗẃṠỳẄẅṡÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏŴÑÒÓÔÕÖṪØÙÚÛÜÝŶßàáâãäåæçèéêëìíîïŵñòóôõöṫøùúûüýŷÿ",
          "x-user-defined",
          characters(USER_DEFINED, UPPER_HALF));

  private static final Map<String, TextEncoding> BY_LABEL = byLabel();

  private static String controls() {
    return characters(UPPER_HALF, CONTROL_COUNT);
  }

  private static String characters(int first, int count) {
    StringBuilder characters = new StringBuilder();
    for (int i = 0; i < count; i++) {
      characters.append((char) (first + i));
    }
    return characters.toString();
  }

  private static TextEncoding of(String name, Charset charset) {
    return new TextEncoding(name, charset::newDecoder);
  }

  private static Map<String, TextEncoding> byLabel() {
    Map<String, TextEncoding> encodings = new HashMap<>();
    for (String line : TABLE.lines().toList()) {
      String[] words = line.split(" ");
      String upperHalf = UPPER_HALVES.get(words[0]);
      TextEncoding encoding =
          upperHalf == null
              ? of(words[0], Charset.forName(words[1]))
              : new TextEncoding(words[0], () -> new SingleByteDecoder(upperHalf));
      encodings.put(words[0], encoding);
      for (int i = 2; i < words.length; i++) {
        encodings.put(words[i], encoding);
      }
    }
    return Map.copyOf(encodings);
  }

  /// Returns the encoding of a label in any case, or null if unknown.
  public static @Nullable TextEncoding ofLabel(String label) {
    return BY_LABEL.get(label.strip().toLowerCase(Locale.ROOT));
  }

  /// Returns the encoding that a mark tells.
  public static TextEncoding of(ByteOrderMark mark) {
    return of(mark.charset().name().toLowerCase(Locale.ROOT), mark.charset());
  }

  public boolean isUtf8() {
    return name.equals(UTF_8.name);
  }

  /// Returns a decoder that reports what is not of the encoding.
  CharsetDecoder newDecoder() {
    return decoders.get();
  }
}
