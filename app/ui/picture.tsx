type PictureProps = {
  /** One of our photos (`/photos/<name>-<width>.webp`, or below `/files`), or any other address. */
  src: string;
  alt: string;
  sizes?: string | undefined;
  /** For a page's first picture; the others load lazily. */
  priority?: boolean | undefined;
  width?: number | undefined;
  height?: number | undefined;
  className?: string | undefined;
};

export function Picture(props: PictureProps) {
  const { src, alt, sizes = "100vw", priority, width = 1280, height = 720, ...rest } = props;
  const photo = ownPhoto.exec(src)?.[1];
  const image = (
    <img
      {...rest}
      alt={alt}
      src={photo ? `${photo}-800.webp` : src}
      {...(photo && { srcSet: sourceSet(photo, "webp"), sizes })}
      width={width}
      height={height}
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : "auto"}
      decoding={priority ? "auto" : "async"}
    />
  );
  if (!photo) return image;
  return (
    <picture className="contents">
      <source type="image/avif" srcSet={sourceSet(photo, "avif")} sizes={sizes} />
      {image}
    </picture>
  );
}

type ThumbnailProps = Pick<PictureProps, "src" | "priority" | "className"> & {
  isWide?: boolean | undefined;
};

/** Up to 128 px, or 240 where wide, beside the text that it belongs to: only the smallest file. */
export function Thumbnail({ src, priority, isWide, className }: ThumbnailProps) {
  const photo = ownPhoto.exec(src)?.[1];
  return (
    <picture className={className}>
      {photo && isWide && (
        <source type="image/avif" media="(min-width: 64rem)" srcSet={`${photo}-480.avif`} />
      )}
      {photo && <source type="image/avif" srcSet={`${photo}-256.avif`} />}
      <img
        alt=""
        src={photo ? `${photo}-480.webp` : src}
        width="480"
        height="270"
        loading={priority ? "eager" : "lazy"}
        fetchPriority={priority ? "high" : undefined}
        className="absolute size-full object-cover"
      />
    </picture>
  );
}

const ownPhoto = /^((?:\/files)?\/photos\/.+)-\d+\.webp$/;
const widths = [480, 800, 1280];

function sourceSet(photo: string, format: "avif" | "webp"): string {
  return widths.map((width) => `${photo}-${width}.${format} ${width}w`).join(", ");
}

/** Our pages load nothing from other sites. */
export function ownPath(text: string | null | undefined): string | null {
  return text && /^\/(?:[^/\\\p{Cc}][^\\\p{Cc}]*)?$/u.test(text) ? text : null;
}
