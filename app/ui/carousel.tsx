import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import { classNames } from "./class-names.ts";
import { ChevronLeft, ChevronRight } from "./icon.tsx";
import { useHydrated } from "./use-hydrated.ts";

type CarouselProps = {
  label: string;
  slides: ReactNode[];
  className?: string | undefined;
};

export function Carousel({ label, slides, className }: CarouselProps) {
  const { track, current, isNear, comeNear, follow, show } = useSlides(slides.length);
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.target !== event.currentTarget) return;
    event.preventDefault();
    show(current + step);
  };
  return (
    <div
      role="group"
      aria-roledescription="carousel"
      aria-label={label}
      onPointerEnter={comeNear}
      onFocus={comeNear}
      className={classNames(
        "group relative overflow-hidden",
        !isNear && "waiting-slides",
        className,
      )}
    >
      <div
        ref={track}
        {...(slides.length > 1 && { tabIndex: 0, role: "group", "aria-label": "Slides" })}
        onScroll={follow}
        onKeyDown={keys}
        className="flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain [scrollbar-width:none] focus-visible:-outline-offset-4 motion-safe:scroll-smooth"
      >
        {slides.map((slide, index) => (
          <div
            key={index}
            role="group"
            aria-roledescription="slide"
            aria-label={`Slide ${index + 1} of ${slides.length}`}
            className="w-full shrink-0 snap-center snap-always"
          >
            {slide}
          </div>
        ))}
      </div>
      {slides.length > 1 && <Controls count={slides.length} current={current} show={show} />}
    </div>
  );
}

function useSlides(count: number) {
  const track = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const [isNear, setNear] = useState(false);
  const comeNear = () => setNear(true);
  const follow = () => {
    const element = track.current;
    if (!element) return;
    setCurrent(Math.round(element.scrollLeft / element.clientWidth));
    comeNear();
  };
  // Somebody may have turned the photos before the scripts came.
  useEffect(() => {
    if (track.current?.scrollLeft) follow();
  }, []);
  const show = (index: number) => {
    const element = track.current;
    const wanted = Math.min(Math.max(index, 0), count - 1);
    element?.scrollTo({ left: wanted * element.clientWidth });
  };
  return { track, current, isNear, comeNear, follow, show };
}

type ControlsProps = { count: number; current: number; show: (index: number) => void };

function Controls({ count, current, show }: ControlsProps) {
  const hydrated = useHydrated();
  return (
    <>
      {hydrated && (
        <>
          <StepButton
            aria-label="Previous slide"
            className="left-2"
            aria-disabled={current === 0}
            onClick={() => show(current - 1)}
          >
            <ChevronLeft />
          </StepButton>
          <StepButton
            aria-label="Next slide"
            className="right-2"
            aria-disabled={current === count - 1}
            onClick={() => show(current + 1)}
          >
            <ChevronRight />
          </StepButton>
        </>
      )}
      <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
        <p role="status" className="sr-only">{`Slide ${current + 1} of ${count}`}</p>
        <div aria-hidden className="flex gap-1.5 rounded-pill bg-night/70 px-2.5 py-1.5">
          {Array.from({ length: count }, (_, index) => (
            <span
              key={index}
              className={classNames(
                "h-1.5 rounded-pill bg-chalk transition-[width,opacity]",
                index === current ? "w-5" : "w-1.5 opacity-60",
              )}
            />
          ))}
        </div>
      </div>
    </>
  );
}

function StepButton({ className, ...button }: ComponentProps<"button">) {
  return (
    <button
      type="button"
      {...button}
      className={classNames(
        "absolute top-1/2 grid size-11 -translate-y-1/2 place-items-center rounded-pill bg-night/70 text-chalk",
        "transition-opacity hover:bg-night aria-disabled:opacity-0 focus-visible:opacity-100 pointer-coarse:hidden",
        className,
      )}
    />
  );
}
