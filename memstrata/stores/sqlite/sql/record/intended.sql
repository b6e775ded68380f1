SELECT path FROM intended ORDER BY path
