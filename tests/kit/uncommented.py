"""What of a database has no comment: every column, table and view is to have one."""

import duckdb
from duckdb import DuckDBPyConnection

SILENT = """
SELECT concat_ws('.', database_name, schema_name, table_name, column_name) AS place
FROM duckdb_columns() WHERE NOT internal AND coalesce(comment, '') = ''
UNION ALL
SELECT concat_ws('.', database_name, schema_name, table_name)
FROM duckdb_tables() WHERE NOT internal AND coalesce(comment, '') = ''
UNION ALL
SELECT concat_ws('.', database_name, schema_name, view_name)
FROM duckdb_views() WHERE NOT internal AND coalesce(comment, '') = ''
ORDER BY place
"""


def uncommented(connection: DuckDBPyConnection) -> list[str]:
    return [place for (place,) in connection.execute(SILENT).fetchall()]


def uncommented_in(path: str) -> list[str]:
    with duckdb.connect(path, read_only=True) as connection:
        return uncommented(connection)
