#!/usr/bin/env bash
# run-node.sh EXAMPLE MAIN_CLASS N: node N (1, 2, 3, ...) of an example, in the foreground.
set -euo pipefail
# shellcheck source=build.sh
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"
example=$1
main=$2
[[ $# -eq 3 && ${3:-} =~ ^[1-9][0-9]?$ ]] || {
  echo "usage: examples/$example/run.sh N   (the number of the node, 1 to 99)" >&2
  exit 2
}
build_examples "$example/${main//.//}.class" "$root/examples/$example/src"
use_archive

# The serial collector and the quick compiler alone halve the work of a start; what JAVA_OPTS says wins.
# shellcheck disable=SC2086
exec "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xms64m -Xmx512m -Djava.net.preferIPv4Stack=true \
  -Dlogback.configurationFile="$root/examples/$example/logback.xml" "${archived[@]}" ${JAVA_OPTS:-} \
  -cp "$library:$built/$example:$root/examples/$example/resources" "$main" "$3"
