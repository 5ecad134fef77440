VALUES (1)
FROM range(3)
TABLE numbers
DESCRIBE numbers
SUMMARIZE numbers
DESCRIBE SELECT 1
SELECT user, current_user, session_user
SELECT 'SELECT * FROM read_text(''/etc/hostname'')'
SELECT '; DROP TABLE numbers'
WITH duckdb AS (SELECT 1) FROM duckdb
SELECT "number" FROM numbers -- DROP TABLE numbers
SELECT * FROM (PIVOT numbers ON number IN (1, 2) USING count(*))
