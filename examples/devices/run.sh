#!/usr/bin/env bash
# Starts the node of devices, in the foreground; see README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
built=$root/target/examples

[[ $# -le 2 && ${2:-1} =~ ^[1-9][0-9]{0,4}$ ]] || { echo "usage: $0 [DIRECTORY [HTTP_PORT]]" >&2; exit 2; }

# Whether something was changed after the last build, or nothing was built yet.
is_stale() {
  [[ -s $built/classpath && -e $built/devices/devices/DevicesMain.class && -d $root/target/classes ]] || return 0
  [[ -n $(find "$root/pom.xml" "$root/src/main" "$here/src" -newer "$built/classpath" -type f -print -quit) ]]
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

# shellcheck disable=SC2086
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xms64m -Xmx512m -Djava.net.preferIPv4Stack=true \
  -Dlogback.configurationFile="$here/logback.xml" ${JAVA_OPTS:-} \
  -cp "$built/devices:$root/target/classes:$(<"$built/classpath")" devices.DevicesMain \
  "${1:-$root/target/devices}" "${2:-8090}"
