#!/usr/bin/env bash
# The command line of operators, from a clone; see ../../docs/guides/command-line.md.
#   examples/operations/shardbus.sh --url http://127.0.0.1:8081/sharding nodes --json
set -euo pipefail
# shellcheck source=../common/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common/build.sh"
build_examples ../classes/io/shardbus/cli/ShardbusCommand.class
terminal=false
if [[ -t 1 ]]; then terminal=true; fi

# shellcheck disable=SC2086
exec "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xshare:auto -Dshardbus.terminal=$terminal \
  ${JAVA_OPTS:-} -cp "$target/classes:$(<"$built/classpath")" io.shardbus.cli.ShardbusCommand "$@"
