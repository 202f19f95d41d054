/** What every other page says, among them the editor and the admin pages. */
export default import.meta.glob(
  [
    "../is/*.ts",
    "!../is/{api,auth,landing,layouts,notifications,shell}.ts",
    "!../is/{files,tags,thumbnails,uploads}.ts",
  ],
  { eager: true, import: "default" },
);
