"""Other memories, measured beside ours: each in a virtual environment and a process of its own."""
