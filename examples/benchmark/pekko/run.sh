#!/bin/bash
# Runs the Pekko peer: ./run.sh local [ROUNDS], or ./run.sh remote [ROUNDS] (two JVMs on loopback). Pekko is tuned for two cores.
cd "$(dirname "$0")"
[ target/cp.txt -nt src/main/java/bench/PekkoBench.java ] || { mvn -q compile && mvn -q dependency:build-classpath -Dmdep.outputFile=target/cp.txt; } >&2 || exit 1
D=pekko.actor.default-dispatcher.fork-join-executor; I=pekko.actor.internal-dispatcher.fork-join-executor
J="java -Xms1g -Xmx4g -XX:+UseParallelGC --add-opens java.base/java.nio=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED
 -Djava.util.concurrent.ForkJoinPool.common.parallelism=2 -D$D.parallelism-min=2 -D$D.parallelism-max=2 -D$I.parallelism-min=2 -D$I.parallelism-max=2
 -Dbench.rounds=${2:-3} -cp target/classes:$(cat target/cp.txt) bench.PekkoBench"
if [ "$1" = remote ]; then
  $J host >target/pekko-host.log 2>&1 & host=$!
  trap 'kill $host 2>/dev/null' EXIT
  sleep 6
  timeout $((200 * ${2:-3})) ${J/ -cp/ -Dbench.host=$host -cp} client
else timeout $((200 * ${2:-3})) $J local; fi
