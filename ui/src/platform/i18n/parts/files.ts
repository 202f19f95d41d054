/** What the lists of files and the uploads say. */
export default import.meta.glob(["../is/{files,tags,thumbnails,uploads}.ts"], {
  eager: true,
  import: "default",
});
