#!/usr/bin/env bash
# Starts the first N nodes of the weather stations, three unless said otherwise, and the feed that sends them readings.
# Ends them all on Ctrl-C or SIGTERM.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[[ $# -le 1 && ${1:-3} =~ ^[1-9]$ ]] || { echo "usage: $0 [N]   (how many nodes, 1 to 9)" >&2; exit 2; }

pids=()
urls=()
trap 'kill -TERM "${pids[@]}" 2>/dev/null' INT TERM

# begin NAME COMMAND...: starts a process whose lines begin with its name.
begin() {
  local name=$1
  shift
  "$@" > >(sed -u "s/^/$name: /") 2> >(sed -u "s/^/$name: /" >&2) &
  pids+=($!)
}

for ((node = 1; node <= ${1:-3}; node++)); do
  begin "$node" "$here/run.sh" "$node"
  urls+=("http://127.0.0.1:$((8380 + node))")
done
begin feed "$here/feed.sh" "${urls[@]}"
feed=$!

status=0
for pid in "${pids[@]}"; do
  # A wait that a signal interrupts is taken up again.
  while kill -0 "$pid" 2>/dev/null; do wait "$pid"; done
  wait "$pid"
  ended=$?
  # Nodes leave in good order; the feed has nothing to leave, and ends by the signal.
  [[ $ended -eq 0 || ($pid -eq $feed && ($ended -eq 143 || $ended -eq 130)) ]] || status=1
done
exit "$status"
