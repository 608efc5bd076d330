// The page of several compared runs has nothing but plots and tables, which base.js draws.
