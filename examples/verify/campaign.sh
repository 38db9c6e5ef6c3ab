#!/usr/bin/env bash
# Lets RUNS (100) faults happen to processes, with a line for each and a table at the end; see README.md.
set -euo pipefail
runs=100
[[ ${1:-} =~ ^[0-9]+$ ]] && { runs=$1; shift; }
exec "$(dirname "${BASH_SOURCE[0]}")/run.sh" campaign "$runs" "$@"
