-- How far each followed file was taken.

CREATE TABLE IF NOT EXISTS followed (
    adapter VARCHAR NOT NULL,
    device UBIGINT NOT NULL,
    inode UBIGINT NOT NULL,
    file VARCHAR NOT NULL,
    head_bytes INTEGER NOT NULL,
    head VARCHAR NOT NULL,
    byte BIGINT NOT NULL,
    line BIGINT NOT NULL,
    from_byte BIGINT NOT NULL,
    from_line BIGINT NOT NULL,
    keys STRUCT(key VARCHAR, byte BIGINT)[] NOT NULL,
    is_whole BOOLEAN NOT NULL,
    taken_at TIMESTAMP NOT NULL
);
COMMENT ON TABLE followed IS 'Files that tricklog load --follow has taken lines from, and how far.';
COMMENT ON COLUMN followed.adapter IS 'Whose logs they were read as; empty for hand logs.';
COMMENT ON COLUMN followed.device IS 'Number of the disk that the file is on, as the system has it.';
COMMENT ON COLUMN followed.inode IS 'Number of the file on that disk.';
COMMENT ON COLUMN followed.file IS 'What the log was called when it was first seen.';
COMMENT ON COLUMN followed.head_bytes IS 'How many bytes of the beginning are known.';
COMMENT ON COLUMN followed.head IS 'Digest of the first head_bytes bytes: it is known by them.';
COMMENT ON COLUMN followed.byte IS 'Everything before this byte is in the warehouse.';
COMMENT ON COLUMN followed.line IS 'The one that begins there.';
COMMENT ON COLUMN followed.from_byte IS
    'Where the first line begins of records of several lines that are not complete; else byte.';
COMMENT ON COLUMN followed.from_line IS 'Number of the line that begins there.';
COMMENT ON COLUMN followed.keys IS 'These records, and the byte at which each begins.';
COMMENT ON COLUMN followed.is_whole IS 'Whether it is read whole, as an archive, and not followed.';
COMMENT ON COLUMN followed.taken_at IS 'When lines of it were taken last, or it was seen, in UTC.';
