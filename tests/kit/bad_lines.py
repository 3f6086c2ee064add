"""Lines that cannot be read, one kind each: the name, the line, the code, the pointer, the byte.

The byte is given by what stands there: the rest of the line from the trouble on begins with it.
``HERE`` means the start of the line, ``END`` its end.
"""

import json
from typing import Final, NamedTuple

from tests.kit.log_lines import SOUND, SOUND_LINE, line
from tricklog.ingest.reading.json_positions import MAX_DEPTH
from tricklog.ingest.reading.reader import MAX_LINE
from tricklog.ingest.reading.rejects import RejectCode as Code

HERE: Final = b""
END: Final = b"\0end"


class BadLine(NamedTuple):
    """A line with one trouble, and what the reject of it must say."""

    name: str
    text: bytes
    code: Code
    pointer: str = ""
    at: bytes = HERE


def put(old: bytes, new: bytes) -> bytes:
    """The sound line with one piece of text replaced."""
    assert SOUND_LINE.count(old) == 1, old
    return SOUND_LINE.replace(old, new)


def dealer(raw: bytes) -> bytes:
    """The sound line with this written as the dealer."""
    return put(b'"dealer": 3', b'"dealer": ' + raw)


def named(raw: bytes) -> bytes:
    """The sound line with this written between the quotes of its id."""
    return put(b"club-1", raw)


def extra(raw: bytes) -> bytes:
    """The sound line with this written where anything may stand."""
    return put(b'{"a": null}', raw)


def options(raw: bytes) -> bytes:
    """The sound line with these house rules."""
    return put(b'{"min_bid": 6}', raw)


EXT: Final = "/ext/club~1table/1"

NO_TEXT: Final = [
    BadLine("latin-1", named(b"caf\xe9"), Code.INVALID_UTF8, "", b"\xe9"),
    BadLine("windows-1252 quotes", named(b"\x93bo\x94"), Code.INVALID_UTF8, "", b"\x93"),
    BadLine("stray continuation byte", named(b"\x80"), Code.INVALID_UTF8, "", b"\x80"),
    BadLine("truncated sequence", named(b"\xe2\x82"), Code.INVALID_UTF8, "", b"\xe2"),
    BadLine("overlong slash", named(b"\xc0\xaf"), Code.INVALID_UTF8, "", b"\xc0"),
    BadLine("overlong NUL", named(b"\xc0\x80"), Code.INVALID_UTF8, "", b"\xc0"),
    BadLine("overlong in three bytes", named(b"\xe0\x80\xaf"), Code.INVALID_UTF8, "", b"\xe0"),
    BadLine("surrogate in UTF-8", named(b"\xed\xa0\x80"), Code.INVALID_UTF8, "", b"\xed"),
    BadLine("CESU-8 pair", named(b"\xed\xa0\xbd\xed\xb8\x80"), Code.INVALID_UTF8, "", b"\xed"),
    BadLine("beyond U+10FFFF", named(b"\xf4\x90\x80\x80"), Code.INVALID_UTF8, "", b"\xf4"),
    BadLine("byte FE", named(b"\xfe"), Code.INVALID_UTF8, "", b"\xfe"),
    BadLine("not UTF-8 outside strings", SOUND_LINE + b"\xff", Code.INVALID_UTF8, "", b"\xff"),
    BadLine("not UTF-8 before not JSON", b"{\xff", Code.INVALID_UTF8, "", b"\xff"),
]

NO_JSON: Final = [
    BadLine("a word", b"hand", Code.NOT_JSON),
    BadLine("a comment line", b"# hands of November", Code.NOT_JSON),
    BadLine("a header of commas", b"id,dealer,actions", Code.NOT_JSON),
    BadLine("a mark-up line", b"<hand id='1'/>", Code.NOT_JSON),
    BadLine("a shell prompt", b"$ tricklog audit", Code.NOT_JSON),
    BadLine("a merge conflict", b"<<<<<<< HEAD", Code.NOT_JSON),
    BadLine("an open brace", b"{", Code.NOT_JSON, "", END),
    BadLine("a closing brace", b"}", Code.NOT_JSON),
    BadLine("an open bracket", b"[", Code.NOT_JSON, "", END),
    BadLine("an open quote", b'"', Code.NOT_JSON, "", END),
    BadLine("only a comma", b",", Code.NOT_JSON),
    BadLine("a form feed", b"\x0c", Code.NOT_JSON),
    BadLine("a vertical tab", b"\x0b", Code.NOT_JSON),
    BadLine("a no-break space", "\u00a0".encode(), Code.NOT_JSON),
    BadLine("a line separator alone", "\u2028".encode(), Code.NOT_JSON),
    BadLine("a byte order mark alone", b"\xef\xbb\xbf", Code.NOT_JSON),
    BadLine("a byte order mark inside the file", b"\xef\xbb\xbf" + SOUND_LINE, Code.NOT_JSON),
    BadLine("NUL bytes alone", b"\0" * 512, Code.NOT_JSON),
    BadLine("NUL bytes behind", SOUND_LINE + b"\0\0\0", Code.NOT_JSON, "", b"\0"),
    BadLine("UTF-16 without a mark", '{"a":1}'.encode("utf-16-le"), Code.NOT_JSON, "", b"\0"),
    BadLine("UTF-32 without a mark", '{"a":1}'.encode("utf-32-be"), Code.NOT_JSON),
    BadLine("cut off in a string", SOUND_LINE[:40], Code.NOT_JSON, "", END),
    BadLine("cut off before the last brace", SOUND_LINE[:-1], Code.NOT_JSON, "", END),
    BadLine("one brace too many", SOUND_LINE + b"}", Code.NOT_JSON, "", b"}"),
    BadLine("two objects", SOUND_LINE + SOUND_LINE, Code.NOT_JSON, "", SOUND_LINE),
    BadLine("two objects and a comma", SOUND_LINE + b"," + SOUND_LINE, Code.NOT_JSON, "", b",{"),
    BadLine("two objects and a carriage return", b"{}\r{}", Code.NOT_JSON, "", b"{}"),
    BadLine("a comma behind", SOUND_LINE + b",", Code.NOT_JSON, "", b","),
    BadLine("a comment behind", SOUND_LINE + b" // won", Code.NOT_JSON, "", b"// won"),
    BadLine("a comment inside", dealer(b"/* me */ 3"), Code.NOT_JSON, "", b"/* me"),
    BadLine("trailing comma in an object", SOUND_LINE[:-1] + b",}", Code.NOT_JSON, "", b"}"),
    BadLine("trailing comma in a list", put(b'"2 trump H"]', b'"2 trump H",]'), Code.NOT_JSON),
    BadLine("a comma missing", put(b'"dealer": 3,', b'"dealer": 3'), Code.NOT_JSON),
    BadLine("a colon missing", put(b'"dealer":', b'"dealer"'), Code.NOT_JSON, "", b"3"),
    BadLine("two colons", put(b'"dealer":', b'"dealer"::'), Code.NOT_JSON, "", b": 3"),
    BadLine("a key without quotes", put(b'"dealer"', b"dealer"), Code.NOT_JSON, "", b"dealer"),
    BadLine("a key in single quotes", put(b'"dealer"', b"'dealer'"), Code.NOT_JSON, "", b"'d"),
    BadLine("a number as key", put(b'"dealer"', b"3"), Code.NOT_JSON, "", b"3: 3"),
    BadLine("brackets crossed", extra(b"[{]}"), Code.NOT_JSON, "", b"]}"),
    BadLine("True", dealer(b"True"), Code.NOT_JSON, "", b"True"),
    BadLine("None", dealer(b"None"), Code.NOT_JSON, "", b"None"),
    BadLine("undefined", dealer(b"undefined"), Code.NOT_JSON, "", b"undefined"),
    BadLine("NaN", dealer(b"NaN"), Code.NOT_JSON, "", b"NaN"),
    BadLine("Infinity", extra(b"Infinity"), Code.NOT_JSON, "", b"Infinity"),
    BadLine("minus Infinity", extra(b"-Infinity"), Code.NOT_JSON, "", b"Infinity"),
    BadLine("a leading zero", dealer(b"03"), Code.NOT_JSON, "", b"3"),
    BadLine("a leading plus", dealer(b"+3"), Code.NOT_JSON, "", b"+3"),
    BadLine("a leading point", extra(b".5"), Code.NOT_JSON, "", b".5"),
    BadLine("a trailing point", extra(b"5."), Code.NOT_JSON),
    BadLine("an empty exponent", extra(b"1e"), Code.NOT_JSON),
    BadLine("a lone minus", extra(b"-"), Code.NOT_JSON),
    BadLine("a hexadecimal number", dealer(b"0x3"), Code.NOT_JSON, "", b"x3"),
    BadLine("digits with underscores", extra(b"1_000"), Code.NOT_JSON, "", b"_000"),
    BadLine("full-width digits", dealer("\uff13".encode()), Code.NOT_JSON, "", "\uff13".encode()),
    BadLine("a tab in a string", named(b"a\tb"), Code.NOT_JSON, "", b"\tb"),
    BadLine("NUL in a string", named(b"a\0b"), Code.NOT_JSON, "", b"\0b"),
    BadLine("an escape sequence of a terminal", named(b"\x1b[31m"), Code.NOT_JSON, "", b"\x1b"),
    BadLine("a carriage return in a string", named(b"a\rb"), Code.NOT_JSON, "", b"\rb"),
    BadLine("an escape that is none", named(b"\\x41"), Code.NOT_JSON),
    BadLine("a short Unicode escape", named(b"\\u12"), Code.NOT_JSON),
    BadLine("a high surrogate alone", named(b"\\ud83d"), Code.NOT_JSON),
    BadLine("a low surrogate alone", named(b"\\ude00"), Code.NOT_JSON),
    BadLine("surrogates the wrong way round", named(b"\\ude00\\ud83d"), Code.NOT_JSON),
    BadLine("a surrogate in a key", put(b'"a": null', b'"\\ud800": null'), Code.NOT_JSON),
    BadLine(
        "not JSON behind a wrong type", put(b'"tricklog/1"', b"5")[:-1], Code.NOT_JSON, "", END
    ),
    BadLine("not JSON in a list", b"[1,", Code.NOT_JSON, "", END),
]

TOO_MUCH: Final = [
    BadLine("nested one too deep", extra(b"[" * 63 + b"]" * 63), Code.TOO_DEEP),
    BadLine("a million brackets", b"[" * 1_000_000, Code.TOO_DEEP, "", b"[" * (1_000_000 - 64)),
    BadLine("a hundred thousand objects", b'{"a":' * 100_000, Code.TOO_DEEP),
    BadLine("deep inside rules", options(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH), Code.TOO_DEEP),
    BadLine("a line one byte too long", SOUND_LINE.ljust(MAX_LINE + 1), Code.LINE_TOO_LONG),
    BadLine("a line of spaces", b" " * (3 * MAX_LINE), Code.LINE_TOO_LONG),
    BadLine("a hand behind spaces", b" " * 3 * MAX_LINE + SOUND_LINE, Code.LINE_TOO_LONG),
    BadLine("a million digits", dealer(b"9" * 1_000_000), Code.BAD_VALUE, "/dealer", b'"dealer"'),
    BadLine("a million digits in ext", extra(b"9" * 1_000_000), Code.BAD_VALUE, EXT, b"999"),
    BadLine("a huge exponent", extra(b"1e999"), Code.BAD_VALUE, EXT, b"1e999"),
    BadLine("an exponent of many digits", extra(b"-1E+" + b"9" * 99), Code.BAD_VALUE, EXT, b"-1E"),
    BadLine("1001 actions", line(actions=["0 pass"] * 1001), Code.BAD_VALUE, "/actions"),
    BadLine("eight players", line(players=[{"id": "a"}] * 8), Code.BAD_VALUE, "/players"),
    BadLine("54 winners", line(claimed={"winners": [0] * 54}), Code.BAD_VALUE, "/claimed/winners"),
    BadLine("a long id", line(id="x" * 201), Code.BAD_VALUE, "/id", b'"id": "x'),
    BadLine("a long card list", line(stock="AS " * 60), Code.BAD_VALUE, "/stock", b'"stock"'),
    BadLine("a long note", line(notes={"0": "x" * 2001}), Code.BAD_VALUE, "/notes/0", b'"0": "x'),
    BadLine("a score of ten million", line(scores=[0, 10**7]), Code.BAD_VALUE, "/scores/1"),
    BadLine("more than 64 bits", dealer(b"18446744073709551616"), Code.BAD_VALUE, "/dealer"),
    BadLine("a long key", line(**{"k" * 900: 1}), Code.UNKNOWN_FIELD, ""),
]

TWICE: Final = [
    BadLine("a key twice", dealer(b'3, "dealer": 3'), Code.DUPLICATE_KEY, "/dealer"),
    BadLine(
        "a key twice, one escaped", dealer(b'3, "\\u0064ealer": 3'), Code.DUPLICATE_KEY, "/dealer"
    ),
    BadLine(
        "a key twice in rules",
        options(b'{"low_to": 1, "low_to": 1}'),
        Code.DUPLICATE_KEY,
        "/rules/options/low_to",
        b'"low_to": 1}',
    ),
    BadLine(
        "a key twice in ext", extra(b'{"": 1, "": 2}'), Code.DUPLICATE_KEY, EXT + "/", b'"": 2'
    ),
    BadLine(
        "a key twice behind escaped quotes",
        extra(b'{"\\u0022\\u0022": 1, "x": 1, "x": 1}'),
        Code.DUPLICATE_KEY,
        EXT + "/x",
        b'"x": 1}',
    ),
    BadLine(
        "a key twice, quoted in it",
        extra(b'{"\\"": 1, "\\u0022": 2}'),
        Code.DUPLICATE_KEY,
        EXT + '/"',
        b'"\\u0022"',
    ),
    BadLine("a remark twice", put(b'"4": ', b'"4": "?", "4": '), Code.DUPLICATE_KEY, "/notes/4"),
]

NO_HAND: Final = [
    BadLine("a list", b"[]", Code.WRONG_TYPE, "", HERE),
    BadLine("a number", b"5", Code.WRONG_TYPE),
    BadLine("a string", b'"hand"', Code.WRONG_TYPE),
    BadLine("null", b"null", Code.WRONG_TYPE),
    BadLine("true", b"true", Code.WRONG_TYPE),
    BadLine("hands in a list", b"[" + SOUND_LINE + b"]", Code.WRONG_TYPE),
    BadLine("an empty object", b"{}", Code.UNKNOWN_FORMAT, "/format"),
    BadLine("another record", b'{"rounds": []}', Code.UNKNOWN_FORMAT, "/format"),
    BadLine("a format of another name", line(format="phh/1"), Code.UNKNOWN_FORMAT, "/format"),
    BadLine("a format in capitals", line(format="Tricklog/1"), Code.UNKNOWN_FORMAT, "/format"),
    BadLine("a format without version", line(format="tricklog"), Code.UNKNOWN_FORMAT, "/format"),
    BadLine("a format of Arabic digits", line(format="tricklog/٢"), Code.UNKNOWN_FORMAT, "/format"),
    BadLine("an empty format", line(format=""), Code.UNKNOWN_FORMAT, "/format", b'"format"'),
    BadLine("a newer format", line(format="tricklog/3"), Code.NEWER_FORMAT, "/format", b'"format"'),
    BadLine("a format that is a number", line(format=1), Code.WRONG_TYPE, "/format", b'"format"'),
]

WRONG_TYPES: Final = [
    BadLine(f"{field} is {json.dumps(value)}", line(**{field: value}), Code.WRONG_TYPE, f"/{field}")
    for field, value in (
        ("id", 7),
        ("id", None),
        ("game", ["g"]),
        ("hand", "1"),
        ("hand", 1.0),
        ("rules", "pedro"),
        ("rules", None),
        ("players", "ann bo cy dee"),
        ("players", {"0": "ann"}),
        ("dealer", "3"),
        ("dealer", True),
        ("dealer", 3.0),
        ("dealer", None),
        ("dealer", [3]),
        ("scores", {"us": 1}),
        ("deal", "AS KS"),
        ("stock", ["AS"]),
        ("kitty", None),
        ("actions", "0 pass"),
        ("actions", None),
        ("claimed", [9, 5]),
        ("status", 1),
        ("started_at", 1_795_204_980),
        ("times", [1200]),
        ("notes", "none"),
        ("ext", []),
        ("ext", "x"),
    )
] + [
    BadLine("7.0 for a score", line(scores=[7.0, 0]), Code.WRONG_TYPE, "/scores/0", b"7.0"),
    BadLine("a player by name only", line(players=["a"] * 4), Code.WRONG_TYPE, "/players/0"),
    BadLine(
        "a player id of null", line(players=[{"id": None}] * 4), Code.WRONG_TYPE, "/players/0/id"
    ),
    BadLine(
        "an action of null", line(actions=["0 pass", None]), Code.WRONG_TYPE, "/actions/1", b"null"
    ),
    BadLine("an option of null", options(b'{"low": null}'), Code.WRONG_TYPE, "/rules/options/low"),
    BadLine(
        "an option of 1.5",
        options(b'{"a/b": 1.5}'),
        Code.WRONG_TYPE,
        "/rules/options/a~1b",
        b'"a/b"',
    ),
    BadLine(
        "one of many options",
        options(b'{"a": 1, "b": 2, "c": {"x": 1}, "d": {"x": null}, "e": 5}'),
        Code.WRONG_TYPE,
        "/rules/options/d/x",
        b'"x": null',
    ),
    BadLine("a time of text", line(times={"0": "1"}), Code.WRONG_TYPE, "/times/0", b'"0": "1"'),
]

FIELDS: Final = [
    BadLine("a field too many", line(bidder=2), Code.UNKNOWN_FIELD, "/bidder"),
    BadLine("an empty field name", line(**{"": 2}), Code.UNKNOWN_FIELD, "/"),
    BadLine("a field in capitals", put(b'"dealer"', b'"Dealer"'), Code.UNKNOWN_FIELD, "/Dealer"),
    BadLine("a field with a space", put(b'"dealer"', b'"dealer "'), Code.UNKNOWN_FIELD, "/dealer "),
    BadLine(
        "a field named like a path",
        line(**{"a - at `$.b`": 2}),
        Code.UNKNOWN_FIELD,
        "/a - at `$.b`",
    ),
    BadLine(
        "a field too many in a player",
        put(b'{"id": "bo"}', b'{"id": "bo", "age": 70}'),
        Code.UNKNOWN_FIELD,
        "/players/1/age",
    ),
    BadLine(
        "a field too many in rules",
        line(rules={"variant": "pedro", "name": "x"}),
        Code.UNKNOWN_FIELD,
        "/rules/name",
    ),
    BadLine(
        "a field too many in the claim",
        line(claimed={"won": True}),
        Code.UNKNOWN_FIELD,
        "/claimed/won",
    ),
    *(
        BadLine(f"no {field}", line(**{field: ...}), Code.MISSING_FIELD, f"/{field}")
        for field in ("id", "rules", "players", "dealer", "actions")
    ),
    BadLine("no variant", line(rules={"version": 1}), Code.MISSING_FIELD, "/rules/variant"),
    BadLine(
        "a player without id",
        put(b'{"id": "bo"}', b"{}"),
        Code.MISSING_FIELD,
        "/players/1/id",
        b"{}",
    ),
]

VALUES: Final = [
    BadLine("an empty id", line(id=""), Code.BAD_VALUE, "/id", b'"id": ""'),
    BadLine("hand number 0", line(hand=0), Code.BAD_VALUE, "/hand", b'"hand": 0'),
    BadLine("a dealer before the first", dealer(b"-1"), Code.BAD_VALUE, "/dealer", b'"dealer": -1'),
    BadLine("a dealer not at the table", dealer(b"4"), Code.BAD_VALUE, "/dealer", b'"dealer": 4'),
    BadLine("a dealer at no table", dealer(b"7"), Code.BAD_VALUE, "/dealer", b'"dealer": 7'),
    BadLine("three players", line(players=SOUND["players"][:3]), Code.BAD_VALUE, "/players"),
    BadLine("no player", line(players=[]), Code.BAD_VALUE, "/players", b'"players": []'),
    BadLine("a kind of player", put(b'"bot"', b'"robot"'), Code.BAD_VALUE, "/players/3/kind"),
    BadLine("cards for five", line(deal=["", "", "", "", ""]), Code.BAD_VALUE, "/deal", b'"deal"'),
    BadLine("one score", line(scores=[1]), Code.BAD_VALUE, "/scores", b'"scores": [1]'),
    BadLine(
        "a winner not at the table",
        line(claimed={"winners": [4]}),
        Code.BAD_VALUE,
        "/claimed/winners/0",
        b"4]",
    ),
    BadLine("a status", line(status="done"), Code.BAD_VALUE, "/status", b'"status"'),
    BadLine("a note on no action", line(notes={"5": "?"}), Code.BAD_VALUE, "/notes/5", b'"5": "?"'),
    BadLine("a note on action 00", line(notes={"00": "?"}), Code.BAD_VALUE, "/notes/00", b'"00"'),
    BadLine("a note on action -1", line(notes={"-1": "?"}), Code.BAD_VALUE, "/notes/-1", b'"-1"'),
    BadLine(
        "a time before the start", line(times={"1": -2}), Code.BAD_VALUE, "/times/1", b'"1": -2'
    ),
    BadLine(
        "a version of 0",
        line(rules={"variant": "pedro", "version": 0}),
        Code.BAD_VALUE,
        "/rules/version",
    ),
    BadLine(
        "a variant in capitals", line(rules={"variant": "Pedro"}), Code.BAD_VALUE, "/rules/variant"
    ),
    BadLine(
        "a variant with a line feed",
        line(rules={"variant": "pedro\n"}),
        Code.BAD_VALUE,
        "/rules/variant",
    ),
    *(
        BadLine(
            f"started at {text!r}",
            line(started_at=text),
            Code.BAD_VALUE,
            "/started_at",
            b'"started_at"',
        )
        for text in (
            "",
            "2026-11-20",
            "2026-11-20T19:03:00",
            "2026-11-20 19:03:00Z",
            "2026-02-30T19:03:00Z",
            "2026-11-20T24:00:01Z",
            "2026-11-20T19:03:60Z",
            "2026-11-20T19:03:00+24:00",
            "2026-11-20T19:03:00.Z",
            "2026-11-20T19:03:00,5Z",
            "0000-01-01T00:00:00Z",
            "0001-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-01:00",
            "\uff12\uff10\uff12\uff16-11-20T19:03:00Z",
            "2026-11-20T19:03:00Z\n",
        )
    ),
]

CARDS_AND_ACTIONS: Final = [
    *(
        BadLine(f"{text!r} as cards", line(deal=["", text, "", ""]), Code.BAD_CARD, "/deal/1")
        for text in ("10H", "as", "SA", "AS,KS", "AS  KS", " AS", "AS ", "1S", "A♠", "JK", "AS\tKS")
    ),
    BadLine("a bad card in the stock", line(stock="XX"), Code.BAD_CARD, "/stock", b'"stock"'),
    BadLine("a bad card in the kitty", line(kitty="XX"), Code.BAD_CARD, "/kitty", b'"kitty"'),
    *(
        BadLine(
            f"{text!r} as action", line(actions=["0 pass", text]), Code.BAD_ACTION, "/actions/1"
        )
        for text in (
            "bid 7",
            "7 pass",
            "-1 pass",
            "4 pass",
            "٣ pass",
            "0pass",
            "0  pass",
            " 0 pass",
            "0 pass ",
            "0 pass 7",
            "0 Pass",
            "0 bids 7",
            "0 bid",
            "0 bid 0",
            "0 bid 07",
            "0 bid 1000",
            "0 bid -7",
            "0 bid 7.0",
            "0 bid \uff17",
            "0 bid 7-Double",
            "0 trump",
            "0 trump h",
            "0 trump S H",
            "0 reveal *",
            "0 reveal seventh",
            "0 play",
            "0 play AS KS",
            "0 play 10H",
            "0 discard",
            "0 discard AS AS",
            "0 claim AS KS QS",
            "0 play AS\n",
            "0\u00a0pass",
            "0 p\u0430ss",
        )
    ),
    BadLine("an action of two letters", line(actions=["0"]), Code.BAD_VALUE, "/actions/0"),
]

RULES: Final = [
    BadLine(
        "an unknown variant",
        line(rules={"variant": "whist"}),
        Code.UNKNOWN_VARIANT,
        "/rules/variant",
    ),
    BadLine(
        "an unknown version",
        line(rules={"variant": "pedro", "version": 9999}),
        Code.UNKNOWN_VARIANT,
        "/rules/version",
    ),
    BadLine(
        "an unknown option", options(b'{"min_bd": 6}'), Code.BAD_OPTION, "/rules/options/min_bd"
    ),
    BadLine(
        "a long option name",
        options(b'{"%s": 6}' % (b"x" * 900)),
        Code.BAD_OPTION,
        "/rules/options",
    ),
    BadLine(
        "an option of the wrong type",
        options(b'{"min_bid": "6"}'),
        Code.BAD_OPTION,
        "/rules/options/min_bid",
    ),
    BadLine(
        "rules that are none",
        line(rules={"variant": "pedro", "definition": {"deck": 1}}),
        Code.BAD_OPTION,
        "/rules/definition/deck",
    ),
]

BAD_LINES: Final = [
    *(NO_TEXT + NO_JSON + TOO_MUCH + TWICE + NO_HAND),
    *(WRONG_TYPES + FIELDS + VALUES + CARDS_AND_ACTIONS + RULES),
]
