"""Rulesets: variants as data, house rules on top, and what they mean in words."""
