/** What the pages before sign-in and the frame of every page say. */
export default import.meta.glob(["../is/{api,auth,layouts,notifications,shell}.ts"], {
  eager: true,
  import: "default",
});
