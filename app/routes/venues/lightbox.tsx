import FullScreen from "yet-another-react-lightbox";
import "./lightbox.css";
import type { Photo } from "./venue-view.ts";

export interface LightboxProps {
  photos: Photo[];
  index: number;
  close: () => void;
}

export default function Lightbox({ photos, index, close }: LightboxProps) {
  const slides = photos.map(({ large, alt }) => ({ src: large, alt }));
  return (
    <FullScreen
      open
      close={close}
      index={index}
      slides={slides}
      carousel={{ finite: true, padding: 0 }}
      controller={{ closeOnPullDown: true, closeOnBackdropClick: true }}
      labels={{ Lightbox: "Photos", "Photo gallery": "Photos" }}
    />
  );
}
