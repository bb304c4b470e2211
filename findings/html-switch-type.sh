#!/usr/bin/env bash
. "$(dirname "$0")/common.bash"
# ARIA in HTML lets a button of any type have the role switch; without a type it is a submit button.
program java default-jre-headless
# Without its install script, which downloads a Java where it finds none.
packages vnu-jar@26.9.27

check() {
  echo "<!DOCTYPE html><html lang=en><title>x</title><form><button $1>On</button></form></html>" >page.html
  java -jar node_modules/vnu-jar/build/dist/vnu.jar --format json page.html 2>&1 |
    node -p 'const { messages } = JSON.parse(require("fs").readFileSync(0, "utf8"));
      messages.filter(({ type }) => type === "error").map(({ message }) => message.replace(/[“”]/g, "")).join() || "no error"'
}

expect "a submit button as a switch" \
  "Bad value submit for attribute type on element button." "$(check 'type="submit" role="switch" aria-checked="true"')"
expect "one without a type" \
  "Element button is missing one or more of the following attributes: type." "$(check 'role="switch" aria-checked="true"')"
expect "a submit button as a link, of which ARIA in HTML says the same" "no error" \
  "$(check 'type="submit" role="link"')"
finish
