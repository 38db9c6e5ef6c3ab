#!/usr/bin/env bash
# Checks on a cluster of counters that there is one live instance of each, and on a cluster of accounts that nothing is
# lost or doubled; see README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../common/build.sh
source "$here/../common/build.sh"
build_examples verify/verify/Verify.class "$root/src/test/java/io/shardbus/verify" "$here/src" "$here/../counter/src"

exec "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx1g -Djava.net.preferIPv4Stack=true \
  -Dlogback.configurationFile="$here/../counter/logback.xml" -Dshardbus.root="$root" \
  -Dverify.server="$built/postgres:$target/classes:$(<"$built/classpath-postgres")" \
  -cp "$built/verify:$target/classes:$(<"$built/classpath")" verify.Verify "$@"
