/** The part of the glossary that the first screen shows; the rest is loaded with the documents. */
export const firstWords = {
  Standard: 'The predefined library, also called core: entities and manifests of the Common Data Model, read-only.',
  Custom: 'The entities and manifests of your organisation.',
  'Martini-style package': 'A zip, built by Build Package, that an instance runs as an API with a database.',
} as const

const words: ReadonlyMap<string, string> = new Map(Object.entries(firstWords))

export function explainFirst(word: string): string | undefined {
  return words.get(word)
}
