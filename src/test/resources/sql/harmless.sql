VALUES (1)
FROM range(3)
TABLE numbers
DESCRIBE numbers
SUMMARIZE numbers
DESCRIBE SELECT 1
SELECT user, u.current_user FROM (SELECT 1 AS user, 2 AS current_user) u
SELECT 'SELECT * FROM read_text(''/etc/hostname'')'
SELECT '; DROP TABLE numbers'
WITH duckdb AS (SELECT 1) FROM duckdb
SELECT "number" FROM numbers -- DROP TABLE numbers
SELECT * FROM (PIVOT numbers ON number IN (1, 2) USING count(*))
SELECT [1] < [2], {'a': 1} = {'a': 2}, MAP {1: 2} <> MAP {1: 3}, [1]::INT[1] >= [2]::INT[1]
SELECT 1 IS DISTINCT FROM 2, [1] IS NOT DISTINCT FROM [NULL], 1 BETWEEN 0 AND 2, 5!, 1 = ANY ([1, 2])
SELECT number FROM numbers WHERE NOT (number < 1 OR number <= 0) AND number IN (1, 2)
SELECT list_aggregate([1, 2], 'sum'), [1, 2].list_aggr('string_agg', '|'), list_sum([1, 2])
