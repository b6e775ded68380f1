"""Language models behind the port `LanguageModel`: any OpenAI-compatible endpoint, and the scripted one."""
