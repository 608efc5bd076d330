"""Workbooks: cell formats, tables and charts, and the sheets in `sheets/`."""
