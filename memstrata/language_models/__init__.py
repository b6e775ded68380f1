"""Language models behind the port `LanguageModel`: the scripted one; others bring their own module."""
