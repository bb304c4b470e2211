#!/usr/bin/env bash
. "$(dirname "$0")/common.bash"
packages i18n-iso-countries@7.14.0
cat >name.mjs <<'END'
import { createRequire } from "node:module";
import countries from "i18n-iso-countries";

const require = createRequire(import.meta.url);
const [, , code, language] = process.argv;
countries.registerLocale(require(`i18n-iso-countries/langs/${language}.json`));
const own = countries.getName(code, language);
console.log(`${own}, ICU: ${new Intl.DisplayNames(language, { type: "region" }).of(code)}`);
END
expect "SZ in English" "Eswatini, ICU: Eswatini" "$(node name.mjs SZ en)"
expect "SZ in Finnish has the name until 2018" "Swazimaa, ICU: Eswatini" "$(node name.mjs SZ fi)"
expect "MM in Swedish has the name until 1989" "Burma, ICU: Myanmar (Burma)" "$(node name.mjs MM sv)"
expect "KR in Finnish sorts below the K of Korea, where nobody looks" \
  "Korean tasavalta, ICU: Etelä-Korea" "$(node name.mjs KR fi)"
finish
