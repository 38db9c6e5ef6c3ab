#!/usr/bin/env bash
# Starts node N (1, 2, 3, ...) of a cluster of auction houses, in the foreground; see README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
built=$root/target/examples

[[ ${1:-} =~ ^[1-9][0-9]?$ ]] || { echo "usage: $0 N   (the number of the node, 1 to 99)" >&2; exit 2; }

# Whether something was changed after the last build, or nothing was built yet.
is_stale() {
  [[ -s $built/classpath && -e $built/auction/auction/AuctionNode.class && -d $root/target/classes ]] || return 0
  [[ -n $(find "$root/pom.xml" "$root/src/main" "$here/src" -newer "$built/classpath" -type f -print -quit) ]]
}

# One node builds while those that start beside it wait.
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

# The serial collector and the quick compiler alone halve the work of a start; what JAVA_OPTS says wins.
# shellcheck disable=SC2086
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xms64m -Xmx512m -Djava.net.preferIPv4Stack=true \
  -Dlogback.configurationFile="$here/logback.xml" ${JAVA_OPTS:-} \
  -cp "$built/auction:$root/target/classes:$(<"$built/classpath")" auction.AuctionNode "$1"
