import { visibleText } from '@cadmus/model/display'

const widths: readonly (readonly [characters: string, width: number])[] = [
  ["iljI.,:;'|!` ", 0.28],
  ['ftr()[]{}"/\\-', 0.39],
  ['mwMW@%', 0.88],
]
const narrow = new Map(widths.flatMap(([characters, width]) => [...characters].map(each => [each, width] as const)))

/** Estimated width of a text; measuring each would take longer than painting it, and SVG has no measure. */
export function textWidth(text: string, size: number, weight = 400): number {
  let width = 0
  for (const character of text) width += narrow.get(character) ?? widthOf(character)
  return width * size * (weight >= 600 ? 1.05 : 1)
}

function widthOf(character: string): number {
  // Scripts of wide characters begin here.
  if (character >= '\u2E80') return 1
  return character >= 'A' && character <= 'Z' ? 0.69 : character >= '0' && character <= '9' ? 0.63 : 0.59
}

/** The text, or its beginning and '…' where it is wider than there is room; invisible characters are spelled out. */
export function fitted(stored: string, room: number, size: number, weight = 400): string {
  const text = visibleText(stored)
  if (textWidth(text, size, weight) <= room) return text
  const characters = [...text]
  let left = room - textWidth('…', size, weight) - size * 0.2
  let end = 0
  while (end < characters.length) {
    left -= textWidth(characters[end]!, size, weight)
    if (left < 0) break
    end++
  }
  return end === 0 ? '' : `${characters.slice(0, end).join('').trimEnd()}…`
}

/** Lines of a name, broken between its words (`CustomerOrder`, `customer_order`); a word that is too wide is cut. */
export function wrapped(name: string, room: number, most: number, size: number, weight = 400): string[] {
  const words = visibleText(name).match(/\p{Lu}?[^\p{Lu}_\s-]+[_-]?|\p{Lu}+(?!\p{Ll})[_-]?|./gu) ?? []
  const lines: string[] = []
  for (const word of words) {
    const joined = (lines.at(-1) ?? '') + word
    if (lines.length > 0 && textWidth(joined, size, weight) <= room) lines[lines.length - 1] = joined
    else lines.push(word.trimStart())
  }
  if (lines.length > most) lines.splice(most - 1, lines.length, lines.slice(most - 1).join(''))
  return lines.map(line => fitted(line.trim(), room, size, weight)).filter(line => line !== '')
}
