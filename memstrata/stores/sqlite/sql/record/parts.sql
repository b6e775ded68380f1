SELECT path FROM parts
