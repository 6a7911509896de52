interface PageNode {
  id: string;
  parentId: string | undefined;
}

/** The pages above, the nearest first. A circle in a seed ends where it closes. */
export function ancestorsOf<Page extends PageNode>(page: Page, pages: readonly Page[]): Page[] {
  const above: Page[] = [];
  const parentOf = ({ parentId }: Page) => pages.find(({ id }) => id === parentId);
  for (let at = parentOf(page); at !== undefined && at !== page && !above.includes(at); at = parentOf(at)) above.push(at);
  return above;
}

/** The ids of a page and of all pages below it; empty when there is no such page. */
export function subtreeOf(pageId: string, pages: readonly PageNode[]): string[] {
  const ids = new Set(pages.filter(({ id }) => id === pageId).map(({ id }) => id));
  for (let size = -1; size !== ids.size; ) {
    size = ids.size;
    for (const { id, parentId } of pages) if (parentId !== undefined && ids.has(parentId)) ids.add(id);
  }
  return [...ids];
}
