#!/usr/bin/env bash
. "$(dirname "$0")/common.bash"
packages exceljs@4.4.0 hucre@1.0.0 write-excel-file@4.1.1 read-excel-file@9.3.17

cat >both.js <<'JS'
import { writeFileSync } from "node:fs";
import ExcelJS from "exceljs";
import { readXlsx, writeXlsx } from "hucre/xlsx";
import readExcelFile from "read-excel-file/node";
import writeExcelFile from "write-excel-file/node";

const text = "part_x0041_";
const workbook = new ExcelJS.Workbook();
workbook.addWorksheet("Sheet").addRow([text]);
const bytes = await workbook.xlsx.writeBuffer();
const again = new ExcelJS.Workbook();
await again.xlsx.load(bytes);
console.log("exceljs", again.worksheets[0].getCell("A1").value);

const written = await writeXlsx({ sheets: [{ name: "Sheet", rows: [[text]] }] });
console.log("hucre", (await readXlsx(written)).sheets[0].rows[0][0]);

writeFileSync("pair.xlsx", await writeExcelFile([[{ type: String, value: text }]]).toBuffer());
const [read] = await readExcelFile("pair.xlsx");
console.log("write-excel-file", (read.data ?? [read])[0][0]);
JS
node both.js >seen
for library in exceljs hucre write-excel-file; do
  expect "$library: part_x0041_, written and read again, is" partA "$(sed -n "s/^$library //p" seen)"
done
finish
