#!/usr/bin/env bash
# Sends readings of the made-up stations to the nodes at these addresses, the first three of this machine unless said
# otherwise, until it is stopped; see README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../common/build.sh
source "$here/../common/build.sh"

(($# > 0)) || set -- http://127.0.0.1:8381 http://127.0.0.1:8382 http://127.0.0.1:8383
build_examples killrweather/killrweather/WeatherFeed.class "$here/src"

# shellcheck disable=SC2086
exec "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx128m -Dlogback.configurationFile="$here/logback.xml" ${JAVA_OPTS:-} \
  -cp "$built/killrweather:$target/classes:$(<"$built/classpath")" killrweather.WeatherFeed "$@"
