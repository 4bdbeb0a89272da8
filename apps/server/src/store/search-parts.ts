import { readConfigurationContent } from '@cadmus/model/content'
import { indexedWords } from '@cadmus/model/search/match-text'
import {
  scopeDefinitionTexts,
  type SearchText,
  type SearchTextKind,
  searchTextKinds,
  searchTextParts,
} from '@cadmus/model/search/search-texts'
import { inWeighedBatches, storable } from './statements.ts'

/** A row's worth of a document's texts, so that neither a write nor a search handles a large document at once. */
export type SearchPart = {
  /** The texts as stored. */
  texts: string
  /** Their words, each after the letter of its kind. */
  words: string[]
}

/** UTF-16 code units of a part, and of a text; the rest of a longer text is not searched. */
const partLength = 32_000
const maxTextLength = 20_000

const letters = { description: 'd', choice: 'c', scope: 's' } as const satisfies Record<SearchTextKind, string>

/**
 * An indexed word. The organisation and the kind are part of it, so that a search reads only the words of its organisation
 * and of one kind.
 */
export function termOf(organisationId: number, kind: SearchTextKind, word: string): string {
  return `${organisationId}${letters[kind]}${word}`
}

/** Divides texts into parts. */
export function searchParts(texts: readonly SearchText[]): SearchPart[] {
  return [...partsOf(texts)]
}

/** The same one by one, with time for other work between them. */
export function* partsOf(texts: readonly SearchText[]): Generator<SearchPart> {
  const rows = texts.map(text => ({ ...text, text: storable(text.text.slice(0, maxTextLength)) }))
  const size = { items: Number.POSITIVE_INFINITY, weight: partLength }
  for (const part of inWeighedBatches(rows, size, ({ name, text }) => name.length + text.length + 60)) {
    const words = part.flatMap(({ kind, text }) => Array.from(indexedWords(text), word => letters[kind] + word))
    yield { texts: JSON.stringify(part.map(written)), words: [...new Set(words)] }
  }
}

function written({ kind, part, uid, name, text }: SearchText) {
  return [searchTextKinds.indexOf(kind), searchTextParts.indexOf(part), storable(uid), storable(name), text]
}

/** The texts of a part. */
export function readTexts(texts: string): SearchText[] {
  const rows: [kind: number, part: number, uid: string, name: string, text: string][] = JSON.parse(texts)
  return rows.map(([kind, part, uid, name, text]) => ({
    kind: searchTextKinds[kind] ?? 'description',
    part: searchTextParts[part] ?? 'document',
    uid,
    name,
    text,
  }))
}

/** The scopes defined by a configuration, as stored. */
export function configurationTexts(body: unknown): SearchText[] {
  const { configuration } = readConfigurationContent(body)
  return scopeDefinitionTexts(configuration.configurationBuild.apiScopeConfiguration.scopeDefinitions)
}
