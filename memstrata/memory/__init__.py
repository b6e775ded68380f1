"""The memory as its callers meet it: what can be asked and told, and who may.

`access` decides who reaches what; `asking` and `telling` are all that faces (command line, REST, MCP,
Python) call; nothing below is called by them.
"""
