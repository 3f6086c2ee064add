"""Reports: an evening, a season or a player as one HTML file that needs nothing else.

``evening``, ``season`` and ``player`` say what stands in a report, in values of ``content``;
``page`` makes the file of it, ``pdf`` prints that.
"""
