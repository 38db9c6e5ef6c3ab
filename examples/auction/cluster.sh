#!/usr/bin/env bash
# Starts the first N nodes of the auction house, three unless said otherwise, and ends them all on Ctrl-C or SIGTERM.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[[ $# -le 1 && ${1:-3} =~ ^[1-9]$ ]] || { echo "usage: $0 [N]   (how many nodes, 1 to 9)" >&2; exit 2; }

pids=()
# Each node leaves in good order.
trap 'kill -TERM "${pids[@]}" 2>/dev/null' INT TERM
for ((node = 1; node <= ${1:-3}; node++)); do
  "$here/run.sh" "$node" > >(sed -u "s/^/$node: /") 2> >(sed -u "s/^/$node: /" >&2) &
  pids+=($!)
done

status=0
for pid in "${pids[@]}"; do
  # A wait that a signal interrupts is taken up again.
  while kill -0 "$pid" 2>/dev/null; do wait "$pid"; done
  wait "$pid" || status=1
done
exit "$status"
