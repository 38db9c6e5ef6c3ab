#!/usr/bin/env bash
# Measures Shardbus on this machine; see README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
built=$root/target/examples

usage() {
  echo "usage: $0 fault kill|term|join|stop [--coordinator] [--resume=SECONDS] [-Doption=value ...]" >&2
  exit 2
}

# Whether something was changed after the last build, or nothing was built yet.
is_stale() {
  [[ -s $built/classpath && -e $built/benchmark/benchmark/BenchmarkMain.class && -d $root/target/classes ]] || return 0
  [[ -n $(find "$root/pom.xml" "$root/src/main" "$here/src" -newer "$built/classpath" -type f -print -quit) ]]
}

build() {
  mkdir -p "$built"
  exec 9>"$built/lock"
  flock 9
  if is_stale; then
    (cd "$root" && mvn -q -Denforcer.skip compile) >&2
    touch "$built/classpath"
  fi
  exec 9>&-
}

# The JVM options of the peer's script; what JAVA_OPTS says wins.
run() {
  # shellcheck disable=SC2086
  exec java "${jvm[@]}" -Djava.net.preferIPv4Stack=true -Dlogback.configurationFile="$here/logback.xml" \
    -Dbenchmark.logs="$root/target/benchmark-logs" ${JAVA_OPTS:-} \
    -cp "$built/benchmark:$root/target/classes:$(<"$built/classpath")" benchmark.BenchmarkMain "$@"
}

case ${1:-} in
  fault)
    [[ ${2:-} =~ ^(kill|term|join|stop)$ ]] || usage
    jvm=(-Xmx512m -XX:+UseSerialGC)
    ;;
  *) usage ;;
esac
if is_stale; then build; fi
run "$@"
