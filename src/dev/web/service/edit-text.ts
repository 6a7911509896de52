/** What an edit does, in words. */
export function editText(kind: string, rows = 1): string {
  const count = rows === 1 ? "a row" : `${rows} rows`;
  const names: Readonly<Record<string, string>> = {
    insert: `write ${count}`,
    update: "update a row",
    delete: `delete ${count}`,
    push: "push a button",
    action: "run an action",
    deliver: "run an automation",
    createPage: "create a page",
    updatePage: "update a page",
    deletePage: "delete a page",
    deleteContent: "delete content",
    publish: "publish the doc",
  };
  return names[kind] ?? kind;
}
