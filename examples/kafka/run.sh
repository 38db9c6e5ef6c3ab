#!/usr/bin/env bash
# Starts node N (1, 2, 3, ...) of the customers, in the foreground; see README.md.
set -euo pipefail
[[ $# -eq 1 && ${1:-} =~ ^[1-9][0-9]?$ ]] || { echo "usage: $0 N   (the number of the node, 1 to 99)" >&2; exit 2; }
# shellcheck source=build.sh
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

# shellcheck disable=SC2086
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xms64m -Xmx512m -Djava.net.preferIPv4Stack=true \
  -Dlogback.configurationFile="$here/logback.xml" ${JAVA_OPTS:-} -cp "$classes" purchases.PurchasesNode "$1"
