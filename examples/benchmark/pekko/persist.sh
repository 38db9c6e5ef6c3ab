#!/bin/bash
# Runs the Pekko peer of persist: ./persist.sh URI PID_OF_THE_SERVER [ROUNDS [SECONDS]]. The database is empty.
cd "$(dirname "$0")"
[ target/cp.txt -nt src/main/java/bench/PersistBench.java ] && [ target/cp.txt -nt pom.xml ] || { mvn -q compile && mvn -q dependency:build-classpath -Dmdep.outputFile=target/cp.txt; } >&2 || exit 1
D=pekko.actor.default-dispatcher.fork-join-executor; I=pekko.actor.internal-dispatcher.fork-join-executor
exec timeout 1800 java -Xms1g -Xmx2g -XX:+UseParallelGC --add-opens java.base/java.nio=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED \
 -Djava.util.concurrent.ForkJoinPool.common.parallelism=2 -D$D.parallelism-min=2 -D$D.parallelism-max=2 -D$I.parallelism-min=2 -D$I.parallelism-max=2 \
 -cp "target/classes:$(cat target/cp.txt)" bench.PersistBench "$1" "$2" "${3:-3}" "${4:-3}"
