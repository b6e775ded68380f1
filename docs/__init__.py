"""What writes and checks the documents. The documents themselves are the Markdown files beside it."""
