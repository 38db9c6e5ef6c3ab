#!/usr/bin/env bash
# Builds the examples where they are not built, and archives the classes of the library: nodes of the examples then
# start with half of the processor time, until something is compiled again.
set -euo pipefail
# shellcheck source=common/build.sh
source "$(dirname "${BASH_SOURCE[0]}")/common/build.sh"
build_examples counter/counter/CounterNode.class "$root/examples/counter/src"
is_archived || make_archive
