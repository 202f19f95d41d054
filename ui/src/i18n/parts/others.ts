/** What every other page says, among them the editor and the admin pages. */
export default import.meta.glob(
  [
    "../is/*.ts",
    "!../is/{api,auth,landing,layouts,notifications,shell}.ts",
    "!../is/{files,models,search,tags,thumbnails,uploads}.ts",
  ],
  { eager: true, import: "default" },
);
