"""REST over HTTP: each route translates a request into one call of `memory`, and its answer into JSON.

`app` puts the parts together; who may come in is `gate`'s, how much `limits`', what went wrong `problems`'.
"""
