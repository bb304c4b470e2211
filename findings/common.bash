# Sourced by every script here: leads into a temporary folder that is removed at the end.
set -euo pipefail
here=$(mktemp -d "${TMPDIR:-/tmp}/finding.XXXXXX")
trap 'rm -rf "$here"' EXIT
cd "$here"
echo '{ "private": true, "type": "module" }' >package.json
failed=0

# packages NAME@VERSION…: installs exactly these from npm, without their install scripts, and names them.
packages() {
  npm install --silent --no-audit --no-fund --ignore-scripts --save-exact "$@"
  echo "node $(node -p process.versions.node), $(IFS=,; echo "$*" | sed 's/,/, /g')"
}

# program COMMAND PACKAGE: ends with 3 where a program is missing, and names the Debian package that has it.
program() {
  command -v "$1" >/dev/null || { echo "not run: $1 is missing (Debian: $2)"; exit 3; }
}

# expect SENTENCE EXPECTED SEEN: prints what was seen; finish fails if it was something else.
expect() {
  if [ "$2" = "$3" ]; then echo "as before: $1: $3"; else
    echo "CHANGED: $1: expected $2, seen $3"
    failed=1
  fi
}

finish() { exit "$failed"; }
