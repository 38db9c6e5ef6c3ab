#!/usr/bin/env bash
# To be sourced: builds the example and the library if a source is younger, and sets classes, the class path of the
# nodes, and tests, that of the broker.
# shellcheck disable=SC2034
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

mkdir -p "$here/target"
exec 9>"$here/target/lock"
flock 9
if [[ ! -s $here/target/classpath ||
  -n $(find "$here/pom.xml" "$here/main" "$here/test" "$root/src/main" -newer "$here/target/classpath" -type f -print -quit) ]]; then
  echo "building the example; the first time, Maven downloads Kafka" >&2
  (cd "$root" && mvn -q -Denforcer.skip -Dspotless.check.skip install -DskipTests) >&2
  (cd "$here" && mvn -q test-compile dependency:build-classpath -Dmdep.outputFile=target/tests &&
    mvn -q dependency:build-classpath -Dmdep.includeScope=runtime -Dmdep.outputFile=target/classpath) >&2
fi
exec 9>&-
classes=$here/target/classes:$(<"$here/target/classpath")
tests=$here/target/test-classes:$here/target/classes:$(<"$here/target/tests")
