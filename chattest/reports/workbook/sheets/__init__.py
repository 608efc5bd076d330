"""The workbook's sheets, one file each.

A sheet's file has `NAME`, `ABOUT` (a line for the list of sheets), `wanted(report)`, which says whether there is
anything to show, and `write(book, report)`.
"""
