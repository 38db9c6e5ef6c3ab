#!/usr/bin/env bash
# Starts node N (1, 2, 3, ...) of a cluster of counters, in the foreground; see README.md.
exec "$(dirname "${BASH_SOURCE[0]}")/../common/run-node.sh" counter counter.CounterNode "$@"
