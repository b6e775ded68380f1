"""Where records and graphs are kept: one module or package a back end, none knowing another."""
