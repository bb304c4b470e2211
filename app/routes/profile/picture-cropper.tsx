import "react-easy-crop/react-easy-crop.css";
import { useId, useState } from "react";
import Cropper, { type Area } from "react-easy-crop";

export type { Area };

type PictureCropperProps = {
  image: string;
  /** The visible part, in percent of the picture. */
  onCrop: (area: Area) => void;
  onUnreadable: () => void;
};

const MOST = 4;

export default function PictureCropper({ image, onCrop, onUnreadable }: PictureCropperProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const slider = useId();
  return (
    <div className="grid gap-3">
      <div className="relative h-72 overflow-hidden rounded-card bg-night">
        <Cropper
          image={image}
          crop={crop}
          zoom={zoom}
          maxZoom={MOST}
          aspect={1}
          cropShape="round"
          showGrid={false}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropAreaChange={onCrop}
          mediaProps={{ onError: onUnreadable }}
          keyboardStep={8}
          cropperProps={{ role: "group", "aria-label": "Picture: move it with the arrow keys" }}
          disableAutomaticStylesInjection
        />
      </div>
      <div className="grid grid-cols-[auto_1fr] items-center gap-3">
        <label htmlFor={slider} className="font-semibold">
          Zoom
        </label>
        <input
          id={slider}
          type="range"
          min={1}
          max={MOST}
          step={0.1}
          value={zoom}
          onChange={({ target }) => setZoom(Number(target.value))}
          className="h-11 w-full"
        />
      </div>
    </div>
  );
}
