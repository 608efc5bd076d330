"""The workbook's sheets, one per file.

The file of a sheet has `NAME`, `ABOUT` (a line for the list of sheets), `wanted(report)`, which says whether there is
anything to show, and `write(book, report)`.
"""
