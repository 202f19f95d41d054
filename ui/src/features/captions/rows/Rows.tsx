import { Fragment } from "react";
import styles from "./rows.module.css";

/** A text whose row breaks have a sign: without it they look like the places where a narrow box wraps it. */
export const Rows = ({ text }: { text: string }) =>
  text.includes("\n")
    ? text.split("\n").map((row, index) => (
        <Fragment key={index}>
          {index > 0 && <span className={styles.break}>{"\n"}</span>}
          {row}
        </Fragment>
      ))
    : text;
