/** A write to a full disk does not say where; neither do PostgreSQL's programs. Adds the folder. */
export async function namingFullDisk<T>(folder: string, written: Promise<T>): Promise<T> {
  return written.catch((error: unknown) => {
    if (error instanceof Error && isFull(error) && !error.message.includes(folder)) {
      error.message += ` (in ${folder})`;
    }
    throw error;
  });
}

function isFull({ message }: Error): boolean {
  return /ENOSPC|EDQUOT|no space left|quota exceeded/i.test(message);
}
