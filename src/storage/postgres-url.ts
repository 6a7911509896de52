/** Whether a text is the URL of a PostgreSQL server. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text);
}
