type PictureProps = {
  /** A photo of ours, `/photos/<name>-<width>.webp`, or any other address. */
  src: string;
  alt: string;
  /** As in `<img sizes>`. */
  sizes?: string | undefined;
  /** For the first picture of a page: loaded at once. All others wait until they are near. */
  priority?: boolean | undefined;
  width?: number | undefined;
  height?: number | undefined;
  className?: string | undefined;
};

/** A photograph, 16:9 unless said otherwise, in the best format and width that the browser takes. */
export function Picture({
  src,
  alt,
  sizes = "100vw",
  priority,
  width = 1280,
  height = 720,
  ...rest
}: PictureProps) {
  const name = ownPhoto.exec(src)?.[1];
  const image = (
    <img
      {...rest}
      alt={alt}
      src={name ? `/photos/${name}-800.webp` : src}
      {...(name && { srcSet: sourceSet(name, "webp"), sizes })}
      width={width}
      height={height}
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : "auto"}
      decoding={priority ? "auto" : "async"}
    />
  );
  if (!name) return image;
  return (
    <picture className="contents">
      <source type="image/avif" srcSet={sourceSet(name, "avif")} sizes={sizes} />
      {image}
    </picture>
  );
}

const ownPhoto = /^\/photos\/(.+)-\d+\.webp$/;
const widths = [480, 800, 1280];

function sourceSet(name: string, format: "avif" | "webp"): string {
  return widths.map((width) => `/photos/${name}-${width}.${format} ${width}w`).join(", ");
}
