/**
 * A name from a file may hold anything; PostgreSQL's texts hold no NUL, and no database's half a character, so that two of them may
 * become one: what is compared here is what is stored. Contents, being JSON, keep all of it.
 */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Those of the texts that a row can have: PostgreSQL refuses to compare with one that holds a NUL. */
export function comparable(texts: Iterable<string>): string[] {
  return [...new Set(texts)].filter(text => storable(text) === text)
}
