import styles from "./error.module.css";
const DROP = [34, 72, 112, 140, 112, 72, 34];

/** A large 404 whose zero is a piece of a waveform. */
export function FourOhFour() {
  return (
    <svg viewBox="0 0 420 190" aria-hidden="true" className={styles.fourohfour}>
      <text x="10" y="158">
        4
      </text>
      {DROP.map((height, index) => (
        <rect
          key={index}
          x={143 + index * 19.5}
          y={95 - height / 2}
          width="11"
          height={height}
          rx="5.5"
          className={index === 3 ? styles.fourohfourNow : undefined}
        />
      ))}
      <text x="300" y="158">
        4
      </text>
    </svg>
  );
}
