// The words of DuckDB's SQL that statements may have: its keywords, its types, and its functions under one name each.
// @ts-check

/** @param {string} text */
const words = (text) => text.trim().split(/\s+/);

/** Keywords of queries. */
export const KEYWORDS = words(`
  all and anti any array as asc asof between by case cast coalesce column cross cube current desc describe distinct
  else end escape except exclude exists extract false filter first following for from full glob group grouping
  groups having ignore ilike in inner intersect interval is isnull join lambda last lateral left like limit map
  materialized natural not notnull null nullif nulls offset on or order ordinality outer over partition percent
  pivot positional preceding qualify range recursive replace respect right rollup row rows select semi sets similar
  struct summarize tablesample then ties to true try_cast unbounded union unique unpivot using values when where
  window with within
`);

/** Keywords that are no names unless quoted. */
export const RESERVED = words(`
  all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default
  deferrable desc describe distinct do else end except false fetch for foreign from group having in initially
  intersect into lambda lateral leading limit not null offset on only or order pivot pivot_longer pivot_wider
  placing primary qualify references returning select show some summarize symmetric table then to trailing true
  union unique unpivot using variadic when where window with
`);

/** Types that a cast may name. */
export const TYPES = words(`
  bigint blob boolean date decimal double enum float hugeint integer interval json list map smallint struct text
  time timestamp timestamp_ms timestamp_ns timestamp_s timestamptz tinyint ubigint uhugeint uinteger union usmallint
  utinyint uuid varchar
`);

/** Functions. */
export const FUNCTIONS = words(`
  abs acos acosh age aggregate any_value apply approx_count_distinct approx_quantile approx_top_k arg_max
  arg_max_null arg_min arg_min_null array_cosine_distance array_cosine_similarity array_cross_product array_distance
  array_dot_product array_inner_product array_length array_to_json array_value ascii asin asinh atan atan2 atanh avg
  base64 bin bit_and bit_count bit_length bit_or bit_position bit_xor bitstring_agg bool_and bool_or cardinality
  cbrt ceil ceiling century char_length character_length chr concat concat_ws contains corr cos cosh cot count
  count_if countif covar_pop covar_samp cume_dist current_date current_localtime current_localtimestamp
  damerau_levenshtein date_diff date_part date_sub date_trunc day dayname dayofmonth dayofweek dayofyear decade
  decode degrees dense_rank element_at encode ends_with entropy enum_code enum_first enum_last enum_range epoch
  epoch_ms epoch_ns epoch_us error even exp factorial fill filter first first_value flatten floor format
  format_bytes from_base64 from_binary from_hex from_json gamma gcd gen_random_uuid generate_series get_bit
  get_current_time get_current_timestamp grade_up greatest group_concat hamming hex histogram histogram_exact hour
  instr isfinite isinf isnan isodow isoyear jaccard jaro_similarity jaro_winkler_similarity json_array
  json_array_length json_contains json_exists json_extract json_extract_path json_extract_path_text
  json_extract_string json_keys json_merge_patch json_object json_pretty json_quote json_structure json_transform
  json_type json_valid json_value kurtosis kurtosis_pop lag last last_day last_value lcm lead least left
  left_grapheme len length length_grapheme levenshtein lgamma list list_aggregate list_concat list_contains
  list_cosine_distance list_cosine_similarity list_distance list_distinct list_dot_product list_extract list_filter
  list_grade_up list_inner_product list_intersect list_position list_reduce list_resize list_reverse_sort list_slice
  list_sort list_transform list_unique list_value list_where list_zip listagg ln log log10 log2 lower lpad ltrim mad
  make_date make_time make_timestamp make_timestamp_ms make_timestamp_ns make_timestamptz map map_concat
  map_contains map_entries map_extract map_extract_value map_from_entries map_keys map_values max max_by md5 mean
  median microsecond millennium millisecond min min_by minute mod mode month monthname nanosecond nextafter now
  nth_value ntile octet_length ord percent_rank pi position power prefix printf product quantile quantile_cont
  quantile_disc quarter radians random range rank rank_dense reduce regexp_extract regexp_extract_all
  regexp_full_match regexp_matches regexp_replace regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope
  regr_sxx regr_sxy regr_syy repeat replace reverse right right_grapheme round row row_number row_to_json rpad rtrim
  second set_bit sha1 sha256 sign signbit sin sinh skewness split sqrt starts_with stddev stddev_pop stddev_samp
  strftime string_agg string_to_array strip_accents strlen strpos strptime struct_concat struct_contains
  struct_extract struct_extract_at struct_insert struct_keys struct_pack struct_update struct_values substr
  substring substring_grapheme suffix sum tan tanh time_bucket timezone to_base to_base64 to_binary to_centuries
  to_days to_decades to_hex to_hours to_json to_microseconds to_millennia to_milliseconds to_minutes to_months
  to_quarters to_seconds to_timestamp to_weeks to_years today transaction_timestamp translate trim trunc
  try_strptime typeof unbin unhex unicode union_extract union_tag union_value unnest upper url_decode url_encode
  uuid uuidv4 uuidv7 var_pop var_samp variance week weekday weekofyear xor year yearweek
`);
