#!/usr/bin/env bash
# Starts the node of devices, in the foreground; see README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../common/build.sh
source "$here/../common/build.sh"

[[ $# -le 2 && ${2:-1} =~ ^[1-9][0-9]{0,4}$ ]] || { echo "usage: $0 [DIRECTORY [HTTP_PORT]]" >&2; exit 2; }
build_examples devices/devices/DevicesMain.class "$here/src"

# shellcheck disable=SC2086
exec "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xms64m -Xmx512m -Djava.net.preferIPv4Stack=true \
  -Dlogback.configurationFile="$here/logback.xml" ${JAVA_OPTS:-} \
  -cp "$built/devices:$target/classes:$(<"$built/classpath")" devices.DevicesMain \
  "${1:-$root/target/devices}" "${2:-8090}"
