import styles from "./empty.module.css";
export type Hero = "searching" | "maintenance" | "listening" | "silence" | "lost";

const BARS: Record<Hero, number[]> = {
  searching: [20, 44, 78, 118, 70, 132, 92, 54, 104, 62, 30],
  maintenance: [34, 62, 96, 124, 96, 62, 34, 62, 96, 62, 34],
  listening: [26, 58, 96, 62, 122, 84, 140, 76, 40, 22, 14],
  silence: [8, 8, 12, 8, 8, 20, 8, 8, 10, 8, 8],
  lost: [30, 72, 110, 54, 10, 10, 10, 54, 110, 72, 30],
};

/** All illustrations show the same thing: a waveform, and what happens to it. */
export function Illustration({ hero }: { hero: Hero }) {
  return (
    <svg viewBox="0 0 320 200" aria-hidden="true" className={styles.hero} data-hero={hero}>
      <rect x="24" y="18" width="272" height="164" rx="20" className={styles.heroSheet} />
      {BARS[hero].map((height, index) => (
        <rect
          key={index}
          x={62 + index * 18.4}
          y={100 - height / 2}
          width="9"
          height={height}
          rx="4.5"
          className={index === 6 ? `${styles.heroBar} ${styles.heroNow}` : styles.heroBar}
          style={{ animationDelay: `${index * 0.09}s` }}
        />
      ))}
      {hero === "searching" && (
        <g className={styles.heroLens}>
          <circle cx="226" cy="128" r="34" />
          <path d="m251 153 24 24" />
        </g>
      )}
    </svg>
  );
}
