/** Categories of the local service; the real list is not published. */
const CATEGORIES = ["Business", "Design", "Education", "Engineering", "Personal"] as const;

export async function listCategories(): Promise<{ items: { name: string }[] }> {
  return { items: CATEGORIES.map((name) => ({ name })) };
}
