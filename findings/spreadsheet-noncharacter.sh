#!/usr/bin/env bash
. "$(dirname "$0")/common.bash"
program soffice libreoffice-calc
packages exceljs@4.4.0 hucre@1.0.0 write-excel-file@4.1.1
soffice --version | head -1

cat >write.js <<'JS'
import { writeFileSync } from "node:fs";
import ExcelJS from "exceljs";
import { writeXlsx } from "hucre/xlsx";
import writeExcelFile from "write-excel-file/node";

const rows = ["first", "a\uFFFEb", "last"].map((text, index) => [text, index]);
const workbook = new ExcelJS.Workbook();
workbook.addWorksheet("Sheet").addRows(rows);
await workbook.xlsx.writeFile("exceljs.xlsx");
writeFileSync("hucre.xlsx", await writeXlsx({ sheets: [{ name: "Sheet", rows }] }));
const cells = rows.map(([text, number]) => [{ type: String, value: text }, { type: Number, value: number }]);
writeFileSync("write-excel-file.xlsx", await writeExcelFile(cells).toBuffer());
await new ExcelJS.Workbook().xlsx.readFile("exceljs.xlsx").catch(({ message }) => writeFileSync("own", message));
JS
node write.js
for library in exceljs hucre write-excel-file; do
  soffice "-env:UserInstallation=file://$here/profile" --headless --convert-to csv "$library.xlsx" >/dev/null 2>&1
done
seen() { paste -sd' ' "$1.csv"; }
expect "exceljs: LibreOffice shows" "first,0 ,1 ,2" "$(seen exceljs)"
expect "exceljs: reading its own file ends with" "disallowed character." "$(cut -d' ' -f2- own)"
expect "hucre: LibreOffice shows" "first,0 ,1 ,2" "$(seen hucre)"
expect "write-excel-file: LibreOffice shows" "first,0 ab,1 last,2" "$(seen write-excel-file)"
finish
