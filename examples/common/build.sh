#!/usr/bin/env bash
# To be sourced by the scripts of the examples. Sets root, the top of the project, and built, where the classes of the
# examples are.
# shellcheck disable=SC2034
common=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$common/../.." && pwd)
built=$root/target/examples

# Whether the class file is missing, or a source is younger than the last build.
is_stale() {
  local class=$1
  shift
  [[ -s $built/classpath && -e $built/$class && -d $root/target/classes ]] || return 0
  [[ -n $(find "$root/pom.xml" "$root/src/main" "$common/src" "$@" -newer "$built/classpath" -type f -print -quit) ]]
}

# build_examples CLASS_FILE SOURCES...: builds what is stale. One process builds while those beside it wait.
build_examples() {
  is_stale "$@" || return 0
  mkdir -p "$built"
  exec 9>"$built/lock"
  flock 9
  if is_stale "$@"; then
    echo "building the examples; the first time, Maven downloads for a minute or two" >&2
    (cd "$root" && mvn -q -Denforcer.skip compile) >&2
    touch "$built/classpath"
  fi
  exec 9>&-
}
