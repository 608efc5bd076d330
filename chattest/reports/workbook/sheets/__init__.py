"""The workbook's sheets. Each module has one or more `Sheet` records; `reports/writers/xlsx.py` puts them in order."""
