SELECT * FROM read_csv('target/refused.csv')
SELECT * FROM read_csv_auto('target/refused.csv')
SELECT * FROM 'target/refused.csv'
SELECT * FROM "target/refused.parquet"
SELECT * FROM '/proc/self/environ'
SELECT * FROM read_text('/proc/self/environ')
SELECT * FROM read_blob('/etc/hostname')
SELECT * FROM glob('/tmp/*')
SELECT * FROM sniff_csv('target/refused.csv')
SELECT * FROM read_json('target/refused.json')
SELECT * FROM read_ndjson_objects('target/refused.json')
SELECT * FROM read_parquet('target/refused.parquet')
SELECT * FROM parquet_metadata('target/refused.parquet')
SELECT * FROM parquet_schema('target/refused.parquet')
SELECT * FROM read_duckdb('target/refused.db')
SELECT * FROM read_csv('/dev/stdin')
SELECT * FROM read_text('https://example.org/')
SELECT * FROM 'https://example.org/refused.parquet'
SELECT * FROM query('SELECT * FROM read_text(''/etc/hostname'')')
SELECT * FROM query_table('/etc/hostname')
SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))
SELECT json_serialize_sql('SELECT 1')
SELECT json_deserialize_sql('{}')
COPY (SELECT 1) TO 'target/refused.csv'
COPY (SELECT 1) TO '/dev/stdout'
EXPORT DATABASE 'target/refused'
IMPORT DATABASE 'target/refused'
ATTACH 'target/refused.db' AS refused
ATTACH ':memory:' AS refused
DETACH memory
USE memory
INSTALL httpfs
LOAD httpfs
LOAD 'target/refused.so'
UPDATE EXTENSIONS
CREATE SECRET refused (TYPE s3, KEY_ID 'a', SECRET 'b')
SELECT * FROM duckdb_secrets()
SELECT * FROM which_secret('s3://a', 's3')
SET enable_external_access = true
SET memory_limit = '90GB'
SET threads = 90
SET VARIABLE v = 1
SET search_path = 'main'
SET SESSION streaming_buffer_size = '9GB'
SET max_expression_depth = 90000
RESET lock_configuration
RESET disabled_filesystems
PRAGMA memory_limit = '90GB'
PRAGMA enable_profiling
PRAGMA profiling_output = 'target/refused.json'
PRAGMA database_list
CALL enable_logging('QueryLog', storage = 'file', storage_path = 'target/refused')
CALL pragma_version()
SELECT * FROM enable_logging('QueryLog')
SELECT * FROM enable_profiling('json', 'target/refused.json')
SELECT write_log('refused')
SELECT * FROM duckdb_logs()
SELECT * FROM duckdb_logs
SELECT * FROM checkpoint()
SELECT * FROM force_checkpoint()
SELECT * FROM truncate_duckdb_logs()
SELECT * FROM create_external_resource('refused', MAP {'a': 'b'})
SELECT * FROM duckdb_external_resource_types()
SELECT * FROM duckdb_settings()
SELECT value FROM system.main.duckdb_settings() WHERE name = 'secret_directory'
SELECT current_setting('temp_directory')
SELECT pg_catalog.current_setting('home_directory')
SELECT getenv('HOME')
SELECT getvariable('v')
SELECT current_query()
SELECT current_database(), current_schema(), current_schemas(true)
SELECT txid_current()
SELECT * FROM duckdb_databases()
SELECT * FROM duckdb_databases
SELECT * FROM duckdb_memory()
SELECT * FROM duckdb_extensions()
SELECT * FROM duckdb_connection_count()
SELECT * FROM duckdb_prepared_statements()
SELECT * FROM duckdb_temporary_files()
SELECT * FROM pragma_database_size()
SELECT * FROM pragma_user_agent()
SELECT * FROM pg_class
SELECT * FROM pg_catalog.pg_settings
SELECT * FROM sqlite_master
SELECT * FROM system.information_schema.columns
SHOW DATABASES
DESCRIBE pg_class
DESCRIBE SELECT * FROM duckdb_settings()
SUMMARIZE duckdb_settings
SELECT * FROM (DESCRIBE SELECT * FROM duckdb_settings())
SELECT * FROM (SUMMARIZE SELECT * FROM duckdb_settings())
CREATE TABLE refused (a INTEGER)
CREATE TEMP TABLE refused AS SELECT 1
CREATE VIEW refused AS SELECT 1
CREATE MACRO refused(a) AS a + 1
CREATE SEQUENCE refused
CREATE TYPE refused AS ENUM ('a')
DROP TABLE numbers
ALTER TABLE numbers ADD COLUMN a INTEGER
INSERT INTO numbers VALUES (1)
UPDATE numbers SET number = 1
DELETE FROM numbers
TRUNCATE numbers
MERGE INTO numbers USING numbers AS n ON true WHEN MATCHED THEN DELETE
WITH x AS (INSERT INTO numbers VALUES (1) RETURNING number) SELECT * FROM x
WITH x AS (UPDATE numbers SET number = 1 RETURNING number) SELECT * FROM x
WITH x AS (DELETE FROM numbers RETURNING number) SELECT * FROM x
WITH y AS (WITH x AS (DELETE FROM numbers RETURNING number) SELECT * FROM x) SELECT * FROM y
SELECT * FROM (WITH x AS (INSERT INTO numbers VALUES (1) RETURNING number) SELECT * FROM x)
SELECT nextval('refused')
SELECT currval('refused')
SELECT sleep_ms(10)
SELECT pg_sleep(0.01)
SELECT list_transform([1], lambda x: sleep_ms(x))
SELECT * FROM range(sleep_ms(10))
SELECT * FROM arrow_scan(1, 2, 3)
SELECT * FROM arrow_scan_dumb(1, 2, 3)
SELECT * FROM arrow_scan(NULL, NULL, NULL)
SELECT * FROM seq_scan(1)
SELECT * FROM quiver_scan('numbers')
SELECT * FROM test_all_types()
SELECT * FROM numbers AT (VERSION => 1)
PIVOT numbers ON number
EXPLAIN ANALYZE SELECT 1
SELECT 1; SELECT 2
SELECT 1; DROP TABLE numbers
SELECT 1 -- comment \n; DROP TABLE numbers
PREPARE p AS SELECT 1
EXECUTE p
BEGIN
COMMIT
VACUUM
CHECKPOINT
ANALYZE
SELECT 1 FROM
;
SELECT i, "<"([[i//100000+6, i//100000+6]::BIGINT[2]], [[i//100000+7]::BIGINT[1]]) FROM range(2048) t(i)
SELECT "<"({'a':i}, [i,i]) FROM range(5000) u(i)
SELECT "="({'a':i}, {'a':i,'b':i}) FROM range(5000) u(i)
SELECT "=="([i], {'a':i}) FROM range(5000) u(i)
SELECT "!="(MAP {i: i}, [i, i]) FROM range(5000) u(i)
SELECT "<>"([[i]::BIGINT[1]], [[i]]) FROM range(5000) u(i)
SELECT "<="({'a':i}, [{'a':i}]) FROM range(5000) u(i)
SELECT ">"({'a':i}, [i,i]) FROM range(5000) u(i)
SELECT ">="({'a':i}, [i,i]) FROM range(5000) u(i)
SELECT "IS DISTINCT FROM"({'a':i}, [i,i]) FROM range(5000) u(i)
SELECT "Is Not Distinct From"({'a':i}, [i,i]) FROM range(5000) u(i)
SELECT main."<"({'a':i}, [i,i]) FROM range(5000) u(i)
SELECT system.main."<"({'a':i}, [i,i]) FROM range(5000) u(i)
SELECT {'a':i}."<"([i,i]) FROM range(5000) u(i)
SELECT list_transform([{'a':i}], lambda x: "<"(x, [i,i])) FROM range(5000) u(i)
SELECT i FROM range(5000) u(i) WHERE "<"({'a':i}, [i,i])
SELECT i FROM range(5000) u(i) ORDER BY "<"({'a':i}, [i,i])
SELECT count(*) FILTER ("<"({'a':i}, [i,i])) FROM range(5000) u(i)
SELECT "<"({'a':i}, [i,i]) OVER () FROM range(5000) u(i)
SELECT "__between"(i, 1, 'x') FROM range(5000) u(i)
SELECT "__cast"(i, 1) FROM range(5000) u(i)
SELECT __internal_decompress_string(i::UTINYINT) FROM range(5000) u(i)
SELECT __internal_compress_string_hugeint('x')
SELECT combine(i, i) FROM range(5000) u(i)
SELECT combine_aggr(i) FROM range(5000) u(i)
SELECT finalize(i) FROM range(5000) u(i)
SELECT finalize(sum(i) EXPORT_STATE) FROM range(5000) u(i)
SELECT sum(i) EXPORT_STATE FROM range(5000) u(i)
SELECT to_aggregate_state(i, 'sum') FROM range(5000) u(i)
SELECT invoke(i, i) FROM range(5000) u(i)
SELECT constant_or_null(i, i) FROM range(5000) u(i)
SELECT remap_struct({'a':i}, NULL::ROW(b BIGINT), {'b':'a'}, NULL) FROM range(5000) u(i)
SELECT create_sort_key(i, 'ASC') FROM range(5000) u(i)
SELECT variant_to_parquet_variant(i::VARIANT) FROM range(5000) u(i)
SELECT list_aggregate([i], 'COMBINE_AGGR') FROM range(5000) u(i)
SELECT [i].list_aggr('combine_' || 'aggr') FROM range(5000) u(i)
SELECT aggregate([i], '<') FROM range(5000) u(i)
SELECT {'a':i} OPERATOR(pg_catalog.<) [i,i] FROM range(5000) u(i)
SELECT user
SELECT current_user, session_user
SELECT current_catalog
SELECT (SELECT "current_schema") FROM (SELECT 1 AS a)
SELECT 1 OPERATOR(<) 2
SELECT "<"({'a': 1}, [1])
SELECT "+"(1, 2)
