"""The memory as tools of the Model Context Protocol, on its official SDK.

`caller` is who calls, `arguments` what tools take, `answers` what they give; the tools are in `*_tools`,
`catalogue` says which of them are listed; `server` answers the protocol, `stdio` and `http` carry it; who
may come in over HTTP is `service.gate`'s.
"""
