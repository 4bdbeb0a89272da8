import type { Mark, MarkedText } from '../marked-text.ts'

type Range = { from: number; to: number }

/**
 * For tests only: the text after replacements, each once, with marks as an editor moves them. `carried`: names whose marks go along with
 * the text that is inserted, as those of a line that is cut and pasted.
 */
export function edited(
  shown: MarkedText,
  changes: readonly (readonly [string, string])[],
  carried: readonly string[] = [],
): MarkedText {
  const now = changes.reduce((text, [before, after]) => {
    const from = text.text.indexOf(before)
    if (from < 0) throw new Error(`The text has no ${before}.`)
    return replaced(text, { from, to: from + before.length }, after)
  }, shown)
  const again = carried.flatMap(name => {
    const from = now.text.indexOf(` ${name} `) + 1
    const mark = shown.marks.find(one => shown.text.slice(one.from, one.to) === name)
    return mark ? [{ ...mark, from, to: from + name.length }] : []
  })
  return { text: now.text, marks: [...now.marks, ...again].toSorted((a, b) => a.from - b.from) }
}

/** One replacement. What is equal at its ends stays, and marks move as with typing: what is typed at a name belongs to it. */
export function replaced({ text, marks }: MarkedText, { from, to }: Range, insert: string): MarkedText {
  const old = text.slice(from, to)
  const most = Math.min(old.length, insert.length)
  let start = 0
  while (start < most && old[start] === insert[start]) start += 1
  let end = 0
  while (end < most - start && old.at(-1 - end) === insert.at(-1 - end)) end += 1
  const [first, last] = [from + start, to - end]
  const shift = insert.length - old.length
  const moved = marks.flatMap((mark): Mark[] => {
    const isBehind = mark.from >= last && mark.from > first
    const place = {
      from: isBehind ? mark.from + shift : Math.min(mark.from, first),
      to: mark.to < first ? mark.to : mark.to >= last ? mark.to + shift : first,
    }
    return place.to > place.from ? [{ ...mark, ...place }] : []
  })
  return { text: text.slice(0, first) + insert.slice(start, insert.length - end) + text.slice(last), marks: moved }
}
