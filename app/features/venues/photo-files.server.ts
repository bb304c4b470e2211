import { randomBytes } from "node:crypto";
import { fileName, fileUrl, removeFile, storeFile } from "#app/platform/files.server.ts";
import { log } from "#app/platform/log.server.ts";
import { PHOTO_FORMS, type PhotoFile } from "#app/platform/images/uploaded-images.server.ts";

/** Stores a photo's files under a name that nobody can guess; answers the photo's address. */
export async function storePhoto(dataDir: string, files: PhotoFile[]): Promise<string> {
  const photo = `photos/${randomBytes(16).toString("hex")}`;
  const url = fileUrl(`${photo}-800.webp`);
  try {
    for (const { width, format, bytes } of files) {
      await storeFile(dataDir, `${photo}-${width}.${format}`, bytes);
    }
    return url;
  } catch (error) {
    await deletePhotos(dataDir, [url]);
    throw error;
  }
}

/**
 * Deletes all files of photos that no venue names any more; addresses of other pictures are left
 * alone. What cannot be deleted is swept later.
 */
export async function deletePhotos(dataDir: string, urls: string[]): Promise<void> {
  const photos = urls.map(
    (url) => /^(photos\/[0-9a-f]+)-\d+\.webp$/.exec(fileName(url) ?? "")?.[1],
  );
  try {
    for (const photo of photos.filter((each) => each !== undefined)) {
      for (const { width, format } of PHOTO_FORMS) {
        await removeFile(dataDir, `${photo}-${width}.${format}`);
      }
    }
  } catch (error) {
    log.warn({ err: error }, "a photo's files could not be deleted");
  }
}
