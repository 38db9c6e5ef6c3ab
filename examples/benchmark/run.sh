#!/usr/bin/env bash
# Measures Shardbus on this machine; see README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../common/build.sh
source "$here/../common/build.sh"

usage() {
  cat >&2 <<END
usage: $0 local|remote [--scale=SHARE] [--only=tell|ask|bus|activate] [--rounds=N] [-Doption=value ...]
       $0 compare local|remote [RUNS [ROUNDS [-Doption=value ...]]]
       $0 compare persist [RUNS [ROUNDS [SECONDS]]]
       $0 cost local|remote [--scale=SHARE] [--rounds=N] [-Doption=value ...]
       $0 passivation [--limit=N] [--accesses=N] [--plot=FILE]
       $0 passivate [--messages=N] [--rounds=N]
       $0 remember [--ids=N] [--nodes=N [--kill] [--directory=DIR]] [-Doption=value ...]
       $0 persist [--store=postgres,sqlite] [--postgres=URI] [--rounds=N] [--seconds=N] [--entities=N]
       $0 recover|project|deliver [--store=...] [--postgres=URI] [--rounds=N] [--entities=N] [--events=N]
       $0 fence [ROUNDS]
       $0 growth shards|entities|nodes|size [--upTo=N] [--scale=SHARE] [--only=local|remote]
       $0 growth memory [--entities=N]
       $0 growth allocation|takeover [--shards=N] [--hosts=N] [--kill]
       $0 growth rebalance [--shards=N] [--entities=N] [--hosts=N] [--rate=ASKS_PER_SECOND] [--seconds=N]
       $0 growth idle [--shards=N] [--entities=N] [--hosts=N] [--seconds=N]
       $0 fault kill|term|join|stop [--coordinator] [--witness] [--resume=SECONDS] [-Doption=value ...]
       $0 plot PAGE
END
  exit 2
}

case ${1:-} in
  fault)
    [[ ${2:-} =~ ^(kill|term|join|stop)$ ]] || usage
    jvm=(-Xmx512m -XX:+UseSerialGC)
    ;;
  growth)
    case ${2:-} in
      shards | size) jvm=(-Xms1g -Xmx4g -XX:+UseParallelGC) ;;
      entities | memory) jvm=(-Xms1g -Xmx8g -XX:+UseParallelGC) ;;
      nodes | allocation | rebalance | takeover | idle) jvm=(-Xmx1g -XX:+UseSerialGC) ;;
      *) usage ;;
    esac
    ;;
  compare)
    [[ ${2:-} =~ ^(local|remote|persist)$ && ${3:-3} =~ ^[1-9][0-9]*$ && ${4:-3} =~ ^[1-9][0-9]*$ ]] || usage
    jvm=(-Xmx64m)
    ;;
  cost)
    [[ ${2:-} =~ ^(local|remote)$ ]] || usage
    jvm=(-Xms1g -Xmx3g -XX:+UseParallelGC -Dbenchmark.loops=1)
    if [[ $2 == remote ]]; then jvm=(-Xms256m -Xmx1g -XX:+UseParallelGC -Dbenchmark.loops=1); fi
    ;;
  fence)
    [[ ${2:-20} =~ ^[1-9][0-9]*$ ]] || usage
    build_examples benchmark/benchmark/BenchmarkMain.class "$here/src"
    cd "$root" && exec "$java" -Xmx256m -Dlogback.configurationFile="$here/logback.xml" \
      -cp "$built/postgres:$target/classes:$(<"$built/classpath-postgres")" \
      io.shardbus.store.postgres.FenceCostMain "${2:-20}"
    ;;
  passivate) jvm=(-Xms512m -Xmx1g -XX:+UseParallelGC) ;;
  remember) jvm=(-Xms512m -Xmx2g -XX:+UseParallelGC) ;;
  passivation) jvm=(-Xmx512m) ;;
  persist | recover | project | deliver) jvm=(-Xms1g -Xmx2g -XX:+UseParallelGC) ;;
  plot)
    [[ -f ${2:-} ]] || usage
    jvm=(-Xmx64m)
    ;;
  local) jvm=(-Xms1g -Xmx4g -XX:+UseParallelGC) ;;
  # two processes share the processors: event loops for half of them each, one at least
  remote) jvm=(-Xms1g -Xmx4g -XX:+UseParallelGC -Dbenchmark.loops=$((($(nproc) + 1) / 2))) ;;
  *) usage ;;
esac
build_examples benchmark/benchmark/BenchmarkMain.class "$here/src"
# The JVM options are those of the peer's script; what JAVA_OPTS says wins.
# shellcheck disable=SC2086,SC2206
java=("$java" "${jvm[@]}" -Djava.net.preferIPv4Stack=true -Dlogback.configurationFile="$here/logback.xml"
  -Dbenchmark.logs="$root/target/benchmark-logs" -Dbenchmark.root="$root"
  -Dbenchmark.server="$built/postgres:$target/classes:$(<"$built/classpath-postgres")" ${JAVA_OPTS:-}
  -cp "$built/benchmark:$target/classes:$(<"$built/classpath")" benchmark.BenchmarkMain)
if [[ $1 != compare ]]; then exec "${java[@]}" "$@"; fi

outputs=$root/target/benchmark-compare/$2-$(date +%Y%m%d-%H%M%S)
mkdir -p "$outputs"
if [[ $2 == persist ]]; then
  # One server for both sides. It ends when its standard input does, at the latest with this script.
  coproc postgres {
    cd "$root" && exec "$java" -Xmx64m -cp "$built/postgres:$target/classes:$(<"$built/classpath-postgres")" \
      io.shardbus.store.postgres.PostgresServerMain
  }
  server=$postgres_PID
  read -r uri <&"${postgres[0]}"
fi
for ((run = 1; run <= ${3:-3}; run++)); do
  echo "run $run, load$(uptime | sed 's/.*average//')" >&2
  if [[ $2 == persist ]]; then
    "$0" persist --store=postgres --postgres="$uri" --server="$server" --rounds="${4:-3}" --seconds="${5:-3}" \
      >"$outputs/shardbus-$run"
    "$here/pekko/persist.sh" "$uri" "$server" "${4:-3}" "${5:-3}" >"$outputs/pekko-$run"
    continue
  fi
  "$0" "$2" --rounds="${4:-3}" "${@:5}" >"$outputs/shardbus-$run"
  "$here/pekko/run.sh" "$2" "${4:-3}" >"$outputs/pekko-$run"
done
"${java[@]}" comparison "$outputs"
