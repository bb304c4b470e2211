// After an install. Debian's npm 9 installs the project's own Node without a link to it, and this
// runs in whatever Node there is.
import { existsSync, symlinkSync } from "node:fs";

const bin = "node_modules/.bin/node";
const own = `node-${process.platform}-${process.arch}/bin/node`;
if (!existsSync(bin) && existsSync(`node_modules/${own}`)) symlinkSync(`../${own}`, bin);
