"""The messages and services of the protocol, generated from `protos/sixtysix/v1` by `make protos`."""
