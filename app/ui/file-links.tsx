type FileLinksProps = {
  files: Record<"xlsx" | "csv", string>;
  /** "your statement" */
  name: string;
  className: string;
};

/** To one file for spreadsheets and the same for programs. */
export function FileLinks({ files, name, className }: FileLinksProps) {
  return FORMATS.map(([format, label]) => (
    <a key={format} href={files[format]} download className={className}>
      <span className="sr-only">Download {name} as </span>
      {label}
    </a>
  ));
}

const FORMATS = [
  ["xlsx", "Excel"],
  ["csv", "CSV"],
] as const;
