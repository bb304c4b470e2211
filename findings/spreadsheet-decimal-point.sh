#!/usr/bin/env bash
. "$(dirname "$0")/common.bash"
program soffice libreoffice-calc
soffice --version | head -1

printf 'date,time,amount,phone\n2026-11-21,10:00:00,-9.01,0401234567\n2026-11-21,10:00:00,10.00,+358401234567\n' >amounts.csv
# 44,34,76: comma, quotation mark, UTF-8. The last two: cells quoted as text, detect special numbers.
read_as() { # LOCALE DETECT
  local profile=$here/$1
  mkdir -p "$profile/user"
  cat >"$profile/user/registrymodifications.xcu" <<XML
<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>$1</value></prop></item></oor:items>
XML
  soffice "-env:UserInstallation=file://$profile" --headless --infilter="CSV:44,34,76,1,,0,false,$2" \
    --convert-to fods amounts.csv >/dev/null 2>&1
  sed -n '/<table:table-row/,/<\/table:table-row/p' amounts.fods |
    grep -o 'office:value-type="[a-z]*"' | cut -d'"' -f2 | sed 1,4d | paste -sd' '
}
kinds="date string string float date string string float"
expect "fi-FI: kinds of date, time, amount, phone" "$kinds" "$(read_as fi-FI false)"
expect "fi-FI with special numbers detected" "date time string float date time string float" "$(read_as fi-FI true)"
expect "en-US" "date string float float date string float float" "$(read_as en-US false)"
finish
