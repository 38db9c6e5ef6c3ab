#!/usr/bin/env bash
# To be sourced by the scripts of the examples. Sets root, the top of the project, target, where the library is built,
# and built, where the classes of the examples are. SHARDBUS_INFINISPAN may name a profile of the pom, which builds with
# another line of Infinispan, and SHARDBUS_JAVA another Java.
# shellcheck disable=SC2034
common=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$common/../.." && pwd)
line=${SHARDBUS_INFINISPAN:-}
target=$root/target${line:+/$line}
built=$target/examples
java=${SHARDBUS_JAVA:-java}

# Whether the class file is missing, or a source is younger than the last build.
is_stale() {
  local class=$1
  shift
  [[ -s $built/classpath && -e $built/$class && -d $target/classes ]] || return 0
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
    (cd "$root" && mvn -q -Denforcer.skip ${line:+-P"$line"} compile) >&2
    touch "$built/classpath"
  fi
  exec 9>&-
}

# The archive of classes that examples/prepare.sh makes: a JVM that takes its classes from there starts with half of the
# processor time.
archive=$built/shardbus.jsa
archive_jar=$built/shardbus.jar

# Whether the archive is there, and nothing was compiled since.
is_archived() {
  [[ -s $archive && -z $(find "$built/classpath" "$target/classes" -newer "$archive" -print -quit) ]]
}

# Sets library, the class path of the library and what it needs, and archived, the options that take the archive; none
# where there is no archive, or an old one. Another JVM than the one that made it starts without it and says nothing.
use_archive() {
  library=$target/classes:$(<"$built/classpath")
  archived=()
  if is_archived; then
    library=$archive_jar:$(<"$built/classpath")
    archived=(-Xshare:auto -XX:SharedArchiveFile="$archive" '-Xlog:cds*=off' '-Xlog:class+path=off')
  fi
}

# Makes the archive with a JVM that plays the first seconds of a cluster; classes of directories cannot be archived.
make_archive() {
  exec 9>"$built/lock"
  flock 9
  rm -f "$archive" "$archive.new"
  jar --create --no-compress --file "$archive_jar.new" -C "$target/classes" . -C "$built/counter" common
  mv "$archive_jar.new" "$archive_jar"
  "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx512m -Djava.net.preferIPv4Stack=true '-Xlog:cds*=off' \
    -Dlogback.configurationFile="$root/examples/counter/logback.xml" -XX:ArchiveClassesAtExit="$archive.new" \
    -cp "$archive_jar:$(<"$built/classpath")" common.WarmUp
  mv "$archive.new" "$archive"
  exec 9>&-
}
