"""The offline extractor: spaCy's parse of English and rules over it; no network, no model server.

`turns` and `language` prepare the text, `pipeline` parses it, `grammar` reads clauses, `stance` decides
whether a clause is asserted at all, `frames`, `copulas`, `nominals` and `fields` say what is told, `tense`
when, `discourse` who is meant.
"""
