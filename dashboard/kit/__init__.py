"""What pages are drawn with: charts, tables, cells, links, sections of figures."""
