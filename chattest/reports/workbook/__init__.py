"""The workbook: cell formats, tables and charts, and one file per sheet in `sheets/`."""
