/** What the lists of files and the uploads say. */
export default import.meta.glob(["../is/{files,models,search,tags,thumbnails,uploads}.ts"], {
  eager: true,
  import: "default",
});
