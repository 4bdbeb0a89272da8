/** Match quality: lower is better, null does not match. */
export type Fit = number | null

const exact = 0
const start = 1
export const wordStart = 2
const within = 3
const scattered = 10
/** Maximum number of word starts tried in a long text. */
const maxWordStarts = 20

/**
 * Matches each typed word anywhere: exactly, as a prefix, at word starts (`ordLi`, `line`), within a word, or as
 * scattered letters (`cstmr` finds Customer). Capitals inside a name start a word.
 */
export function fitOf(text: string, typed: string): Fit {
  const term = typed.trim().toLowerCase()
  if (term === '') return exact
  if (text.toLowerCase() === term) return exact
  const fits = term.split(/\s+/).map(word => wordFit(text, word))
  return fits.reduce<Fit>((sum, fit) => (sum === null || fit === null ? null : Math.max(sum, fit)), exact)
}

/**
 * Best match among a label and its synonyms, which rank slightly lower; words may match different ones (`create
 * manifest`).
 */
export function bestFit(label: string, synonyms: readonly string[], typed: string): Fit {
  const best = (text: string) => least([fitOf(label, text), ...synonyms.map(word => later(fitOf(word, text)))])
  const words = typed.trim().split(/\s+/).map(best)
  return least([
    best(typed),
    words.reduce((one, other) => (one === null || other === null ? null : Math.max(one, other))),
  ])
}

function least(fits: readonly Fit[]): Fit {
  const matches = fits.filter(fit => fit !== null)
  return matches.length === 0 ? null : Math.min(...matches)
}

function later(fit: Fit): Fit {
  return fit === null || fit >= scattered ? null : fit + 0.5
}

function wordFit(text: string, word: string): Fit {
  const folded = text.toLowerCase()
  const at = folded.indexOf(word)
  if (at === 0) return start
  if (at > 0) return startsOf(text).some(place => folded.startsWith(word, place)) ? wordStart : within
  return gapsOf(text, word)
}

/** Scattered letters, the first at a word start: fewer gaps are better. */
function gapsOf(text: string, word: string): Fit {
  if (word.length < 2) return null
  const folded = text.toLowerCase()
  const fits = startsOf(text)
    .slice(0, maxWordStarts)
    .flatMap(place => {
      if (folded[place] !== word[0]) return []
      let [at, gaps] = [place, 0]
      for (const letter of word.slice(1)) {
        const next = folded.indexOf(letter, at + 1)
        if (next < 0) return []
        gaps += Number(next > at + 1)
        at = next
      }
      return [scattered + gaps]
    })
  return fits.length === 0 ? null : Math.min(...fits)
}

/** Indices of word starts: at the beginning, after a separator, at a capital after a lower-case letter. */
function startsOf(text: string): number[] {
  return [...text.matchAll(/(?:^|(?<=[\s_./:-]))\S|(?<=[a-z0-9])[A-Z]/g)].map(match => match.index)
}
