/** A package's name for addresses and code folders: a Java identifier, with `_` for other characters. */
export function namespaceOf(packageName: string): string {
  const name = packageName.replace(/[^A-Za-z0-9_]/g, '_')
  return /^\d|^$/.test(name) || javaWords.has(name) ? `_${name}` : name
}

const javaWords = new Set(
  `_ abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally
  float for goto if implements import instanceof int interface long native new null package private protected public return short
  static strictfp super switch synchronized this throw throws transient true try void volatile while`.split(/\s+/),
)
