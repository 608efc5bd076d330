"""The version of chattest; the package's metadata takes it from here."""

VERSION = "0.1.0"
