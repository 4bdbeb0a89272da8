/**
 * Returns the form in which a database stores a text: PostgreSQL rejects NUL, and no database stores unpaired
 * surrogates. Comparisons must use this form. Contents keep the original, since they are JSON.
 */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Filters out texts that no row can contain, because PostgreSQL rejects comparisons with NUL. */
export function comparable(texts: Iterable<string>): string[] {
  return [...new Set(texts)].filter(text => storable(text) === text)
}
