"""Questions of the user's own: from tables (CSV, JSON lines, XLSX, data frames, data sets) to labelled questions."""
