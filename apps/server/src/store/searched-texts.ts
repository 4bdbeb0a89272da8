import { searchLimits } from '@cadmus/model/contract/search'
import { type MatchRank, searchWords, wordRank } from '@cadmus/model/search/match-text'
import { type SearchText, type SearchTextKind, searchTextKinds } from '@cadmus/model/search/search-texts'
import { type RawBuilder, sql } from 'kysely'
import { yieldToEventLoop } from '../event-loop.ts'
import type { Db } from './database.ts'
import { isSqlite } from './name-index.ts'
import { readTexts, termOf } from './search-parts.ts'
import type { SearchedDocument } from './search-text.ts'

export type TextMatch = { documentKind: SearchedDocument; documentId: number; text: SearchText; rank: MatchRank }

/** Parts read for a kind: those with the words themselves, then those with longer words. */
const partsPerKind = 20
/** Characters of them in which matches are looked for: a few documents with very long texts must not keep a thread. */
const maxRead = 1_000_000
/** Matches of a kind in a part: as many as an answer has. */
const maxOfPart = searchLimits.matches.max
/** Index entries read for them, so that a word of many documents costs no more than a rare one. */
const maxEntries = 200

/**
 * Searches descriptions, choices and scopes of one organisation for texts in which each word of the search starts a word.
 * Returns more matches than needed, because documents may be invisible; best first. One or two letters match only a whole
 * word, because too many words start with them.
 */
export async function searchTexts(db: Db, organisationId: number, search: string): Promise<TextMatch[]> {
  const words = searchWords(search)
  if (words.length === 0) return []
  const forms = words.some(mayBePrefix) ? [false, true] : [false]
  const parts = searchTextKinds.flatMap(kind =>
    forms.map(isPrefix => partsWith(db, organisationId, kind, words, isPrefix)),
  )
  const [first, ...others] = parts
  if (first === undefined) return []
  const rows = await others.reduce((all, part) => all.unionAll(part), first).execute()
  const distinct = new Map(rows.map(row => [`${row.document_kind} ${row.document_id} ${row.part}`, row]))
  const matches: TextMatch[] = []
  let read = 0
  for (const row of distinct.values()) {
    if (read > maxRead) break
    read += row.texts.length
    await yieldToEventLoop()
    matches.push(...matchesIn(row, words))
  }
  return matches.toSorted((one, other) => one.rank - other.rank)
}

type Row = { document_kind: SearchedDocument; document_id: number; texts: string }

/** The best matches of a part. */
function matchesIn({ document_kind: documentKind, document_id: documentId, texts }: Row, words: readonly string[]) {
  const matches = readTexts(texts).flatMap((text): TextMatch[] => {
    const rank = wordRank(text.text, words)
    return rank === null ? [] : [{ documentKind, documentId, text, rank }]
  })
  if (matches.length <= maxOfPart) return matches
  const byKind = Map.groupBy(matches, ({ text }) => text.kind)
  return [...byKind.values()].flatMap(some => some.toSorted((one, other) => one.rank - other.rank).slice(0, maxOfPart))
}

function partsWith(db: Db, organisationId: number, kind: SearchTextKind, words: readonly string[], isPrefix: boolean) {
  const terms = words.map(word => ({
    term: termOf(organisationId, kind, word),
    isPrefix: isPrefix && mayBePrefix(word),
  }))
  const matching = db
    .selectFrom('search_text')
    .select(['search_text.document_kind', 'search_text.document_id', 'search_text.part', 'search_text.texts'])
    .where('search_text.organisation_id', '=', organisationId)
    .where(isSqlite(db) ? inFts(terms) : inVector(terms))
    .limit(partsPerKind)
  return db.selectFrom(matching.as('matching')).selectAll()
}

/** Short words of other scripts mean more. */
function mayBePrefix(word: string): boolean {
  return !/^[a-z\d]{1,2}$/.test(word)
}

type Term = { term: string; isPrefix: boolean }

/** Terms consist of letters and digits, so that they need no quoting within the quotes. */
function inFts(terms: readonly Term[]): RawBuilder<boolean> {
  const query = terms.map(({ term, isPrefix }) => `"${term}"${isPrefix ? ' *' : ''}`).join(' AND ')
  return sql<boolean>`search_text.id in (select rowid from search_word where search_word match ${query} limit ${maxEntries})`
}

function inVector(terms: readonly Term[]): RawBuilder<boolean> {
  const query = terms.map(({ term, isPrefix }) => `'${term}'${isPrefix ? ':*' : ''}`).join(' & ')
  return sql<boolean>`search_vector(search_text.words) @@ ${query}::tsquery`
}
