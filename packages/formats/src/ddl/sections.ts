/** The part of a script that its migration tool plays; line numbers stay. `undone`: first and last line of each other part. */
export type UpSections = { text: string; undone: readonly (readonly [first: number, last: number])[] }

/** dbmate, goose, sql-migrate, Play evolutions, MyBatis migrations. */
const marker =
  /^[ \t]*(?:--|#)[ \t]*(?:(?:migrate:|\+(?:goose|migrate)[ \t]+|---[ \t]*!)(up|down)s?\b|\/\/[ \t]*@(undo)\b)/gim

/** Empties the sections that take a migration back. */
export function upSections(text: string): UpSections {
  const undone: [number, number][] = []
  const parts: string[] = []
  let end = 0
  let line = 1
  for (const { start, stop } of downSections(text)) {
    const [before, section] = [text.slice(end, start), text.slice(start, stop)]
    line += linesIn(before)
    undone.push([line, line + linesIn(section.trimEnd())])
    line += linesIn(section)
    parts.push(before, '\n'.repeat(linesIn(section)))
    end = stop
  }
  return { text: undone.length === 0 ? text : [...parts, text.slice(end)].join(''), undone }
}

/** As in the tools, a down section counts only after an up section. */
function downSections(text: string): { start: number; stop: number }[] {
  const sections: { start: number; stop: number }[] = []
  let hasUp = false
  let start: number | undefined
  for (const { index, 1: direction, 2: undo } of text.matchAll(marker)) {
    const isUp = direction?.toLowerCase() === 'up'
    if (isUp && start !== undefined) sections.push({ start, stop: index })
    if (isUp) start = undefined
    else if (hasUp || undo !== undefined) start ??= index
    hasUp ||= isUp
  }
  return start === undefined ? sections : [...sections, { start, stop: text.length }]
}

/** Number of line breaks. */
export function linesIn(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
