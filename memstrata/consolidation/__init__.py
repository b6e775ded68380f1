"""Consolidation: episodic facts to summaries, tool traces to procedures. Pure rules, no language model.

What is promoted is returned; writing it down, and deciding when to run, is the caller's business.
"""
