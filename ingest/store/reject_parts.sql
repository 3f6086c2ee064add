-- Where the lines of rejected records of several lines stand.

CREATE TABLE IF NOT EXISTS reject_parts (
    reject VARCHAR PRIMARY KEY,
    parts STRUCT(file VARCHAR, line BIGINT, byte BIGINT)[] NOT NULL
);
COMMENT ON TABLE reject_parts IS 'Where the lines of rejected records of several lines stand, in order.';
COMMENT ON COLUMN reject_parts.reject IS 'rejects.reject.';
COMMENT ON COLUMN reject_parts.parts IS 'File, line and byte of each of them.';
