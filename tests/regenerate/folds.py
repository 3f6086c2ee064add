"""Parts of a page that open at a click, or when a link leads into them."""


def folded(summary: str, content: str, anchor: str) -> str:
    """Return ``content``, which is Markdown, below ``summary``, which is HTML."""
    return (
        f'<details><summary>{summary}</summary><a id="{anchor}"></a>\n\n'
        f"{content.rstrip()}\n\n</details>\n"
    )
