/** A name from a file may hold anything; PostgreSQL's texts hold no NUL. Contents, being JSON, keep it. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}
