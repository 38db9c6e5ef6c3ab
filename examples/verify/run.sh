#!/usr/bin/env bash
# Checks on a cluster of counters that there is one live instance of each; see README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
built=$root/target/examples

is_stale() {
  [[ -s $built/classpath && -e $built/verify/verify/Verify.class && -e $built/counter/counter/CounterNode.class ]] || return 0
  [[ -n $(find "$root/pom.xml" "$root/src/main" "$root/src/test/java/io/shardbus/verify" "$here/src" "$here/../counter/src" \
    -newer "$built/classpath" -type f -print -quit) ]]
}

if is_stale; then
  mkdir -p "$built"
  exec 9>"$built/lock"
  flock 9
  if is_stale; then
    (cd "$root" && mvn -q -Denforcer.skip compile) >&2
    touch "$built/classpath"
  fi
  exec 9>&-
fi

exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx1g -Djava.net.preferIPv4Stack=true \
  -Dlogback.configurationFile="$here/../counter/logback.xml" -Dshardbus.root="$root" \
  -cp "$built/verify:$root/target/classes:$(<"$built/classpath")" verify.Verify "$@"
