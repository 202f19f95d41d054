import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

export interface Player {
  media: RefObject<HTMLVideoElement | null>;
  /** Where playback is, whole milliseconds; moves about ten times a second while playing. */
  nowMs: number;
  playing: boolean;
  toggle: () => void;
  seek: (ms: number) => void;
  playSpan: (startMs: number, endMs: number) => void;
}

const TICK_MS = 100;

/** One media element and its clock. Playing a span stops at the span's end. */
export function usePlayer(): Player {
  const media = useRef<HTMLVideoElement>(null);
  const stopAt = useRef<number | undefined>(undefined);
  const [nowMs, setNowMs] = useState(0);
  const [playing, setPlaying] = useState(false);

  useEffect(() => {
    const timer = setInterval(() => {
      const element = media.current;
      if (element === null) return;
      const at = Math.round(element.currentTime * 1000);
      setNowMs(at);
      setPlaying(!element.paused);
      if (stopAt.current !== undefined && at >= stopAt.current) {
        stopAt.current = undefined;
        element.pause();
      }
    }, TICK_MS);
    return () => clearInterval(timer);
  }, []);

  const toggle = useCallback(() => {
    const element = media.current;
    if (element === null) return;
    stopAt.current = undefined;
    if (element.paused) void element.play().catch(() => undefined);
    else element.pause();
  }, []);

  const seek = useCallback((ms: number) => {
    if (media.current === null) return;
    stopAt.current = undefined;
    media.current.currentTime = Math.max(0, ms) / 1000;
    setNowMs(Math.max(0, ms));
  }, []);

  const playSpan = useCallback((startMs: number, endMs: number) => {
    if (media.current === null) return;
    media.current.currentTime = startMs / 1000;
    stopAt.current = endMs;
    void media.current.play().catch(() => undefined);
  }, []);

  return { media, nowMs, playing, toggle, seek, playSpan };
}
