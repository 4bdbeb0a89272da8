import { foldName } from '../paths.ts'

/** Match quality: lower is better. */
export const matchRanks = { exact: 0, prefix: 1, wordStart: 2, within: 3 } as const
export type MatchRank = (typeof matchRanks)[keyof typeof matchRanks]

/** A part of a text as UTF-16 offsets: start and end. */
export type Mark = [start: number, end: number]

/** Words of a search text; further ones are ignored. */
const maxWords = 6
/** UTF-16 code units of an indexed word; longer words match by their beginning. */
const maxWordLength = 40

/** A run of letters and digits, or the part of it that starts at a capital after a small letter. */
const run = /[\p{L}\p{N}\p{M}]+/gu
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u

/** The words of a search text, folded; texts without letters and digits have none. */
export function searchWords(search: string): string[] {
  return firstWords(foldName(search), maxWords)
}

/** The parts of a search text between spaces, folded, for names, which may consist of any characters. */
export function searchTerms(search: string): string[] {
  return [...new Set(foldName(search).split(/\s+/))].filter(term => term !== '').slice(0, maxWords)
}

/** All words of a text, folded, as they are indexed: `orderLine` has `orderline`, `order` and `line`. */
export function indexedWords(text: string): Set<string> {
  return new Set(Array.from(wordsIn(text), ({ word }) => word))
}

function* wordsIn(text: string): Generator<{ word: string; start: number; length: number }> {
  for (const match of text.matchAll(run)) {
    const parts = match[0].split(humps)
    let start = match.index
    yield { word: fold(match[0]), start, length: match[0].length }
    if (parts.length > 1)
      for (const part of parts) {
        yield { word: fold(part), start, length: part.length }
        start += part.length
      }
  }
}

function fold(word: string): string {
  return foldName(word).slice(0, maxWordLength)
}

/**
 * Rank of a text in which each word of the search starts a word; null if one does not. `words` are folded. Reads the text
 * no further than needed.
 */
export function wordRank(text: string, words: readonly string[]): MatchRank | null {
  const folded = foldName(text)
  // Rules out most texts at little cost.
  if (words.length === 0 || !words.every(word => folded.includes(word))) return null
  if (!startsEach(text, words)) return null
  const whole = firstWords(folded, words.length + 1)
  if (whole.length === words.length && words.every((word, index) => whole[index] === word)) return matchRanks.exact
  return words.length === 1 && whole[0]?.startsWith(words[0] ?? '') ? matchRanks.prefix : matchRanks.wordStart
}

function startsEach(text: string, words: readonly string[]): boolean {
  const missing = new Set(words)
  for (const { word: indexed } of wordsIn(text)) {
    for (const word of missing) if (indexed.startsWith(word)) missing.delete(word)
    if (missing.size === 0) return true
  }
  return false
}

/** The first distinct words of a folded text. */
function firstWords(folded: string, count: number): string[] {
  const result = new Set<string>()
  for (const [word] of folded.matchAll(run)) {
    result.add(word.slice(0, maxWordLength))
    if (result.size === count) break
  }
  return [...result]
}

/** Rank of a name that contains each term; null if it lacks one. `terms` are folded. */
export function nameRank(name: string, terms: readonly string[]): MatchRank | null {
  const folded = foldName(name)
  if (terms.length === 0 || !terms.every(term => folded.includes(term))) return null
  const search = terms.join(' ')
  if (folded === search) return matchRanks.exact
  if (folded.startsWith(search)) return matchRanks.prefix
  const words = [...indexedWords(name)]
  return terms.every(term => words.some(word => word.startsWith(term))) ? matchRanks.wordStart : matchRanks.within
}

/**
 * The first place of each term in a text, for highlighting: at the start of a word if possible, otherwise anywhere.
 * Ordered, without overlaps. `terms` are folded.
 */
export function marksIn(text: string, terms: readonly string[]): Mark[] {
  const lower = text.toLowerCase()
  // Letters whose small form is longer would shift the offsets.
  const isAligned = lower.length === text.length
  const words = [...wordsIn(text)]
  const marks = terms.flatMap((term): Mark[] => {
    const word = words.find(each => each.word.startsWith(term))
    if (word) return [[word.start, word.start + Math.min(term.length, word.length)]]
    const at = isAligned ? lower.indexOf(term) : -1
    return at < 0 ? [] : [[at, at + term.length]]
  })
  const result: Mark[] = []
  for (const [start, end] of marks.toSorted((one, other) => one[0] - other[0])) {
    const last = result.at(-1)
    if (last && start < last[1]) result[result.length - 1] = [last[0], Math.max(last[1], end)]
    else result.push([start, end])
  }
  return result
}

/** Characters of an excerpt, and of them before the first match. */
const excerptLength = 160
const before = 40

/** The part of a text around its first match, on one line, with the marks in it. */
export function excerptOf(text: string, terms: readonly string[]): { text: string; marks: Mark[] } {
  const [first] = marksIn(text, terms)
  const start = first && first[0] > before && text.length > excerptLength ? startOfWord(text, first[0] - before) : 0
  const end = Math.min(text.length, start + excerptLength)
  const part = text.slice(start, end).toWellFormed().replaceAll(/\s/g, ' ')
  const excerpt = `${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`
  return { text: excerpt, marks: marksIn(excerpt, terms) }
}

function startOfWord(text: string, from: number): number {
  const space = text.indexOf(' ', from)
  return space < 0 || space > from + before / 2 ? from : space + 1
}
