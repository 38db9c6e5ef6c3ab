#!/usr/bin/env bash
# Starts node N (1, 2, 3, ...) of the weather stations, in the foreground; see README.md.
exec "$(dirname "${BASH_SOURCE[0]}")/../common/run-node.sh" killrweather killrweather.WeatherNode "$@"
