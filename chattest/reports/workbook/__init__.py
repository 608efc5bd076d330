"""The workbook: cell formats, tables and charts, and a file for each sheet in `sheets/`."""
