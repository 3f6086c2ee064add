"""The text form of hands, ``.trick``: what people write down, read and written.

``docs/text-form.md`` says how hands are written in it. The form can say all that a hand log can.
"""
