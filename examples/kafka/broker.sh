#!/usr/bin/env bash
# Starts a broker of Kafka on 127.0.0.1:9092, or another port, in the foreground, from Kafka's artifacts on Maven
# Central. Its data are in target/broker. For trying the example, not for production.
set -euo pipefail
[[ $# -le 1 && ${1:-9092} =~ ^[1-9][0-9]{0,4}$ ]] || { echo "usage: $0 [PORT]" >&2; exit 2; }
# shellcheck source=build.sh
source "$(dirname "${BASH_SOURCE[0]}")/build.sh"

exec java -Xmx64m -cp "$tests" purchases.Broker "$here/target/broker" "${1:-9092}"
