/** What the first page says to visitors. */
export default import.meta.glob(["../is/landing.ts"], { eager: true, import: "default" });
