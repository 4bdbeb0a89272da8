import { tokensOf } from '@cadmus/model/text/tokens'

/** A text without its project at the start, behind comments: a manifest stays what it is. */
export function withoutProject(text: string): string {
  const { tokens } = tokensOf(text)
  const start = tokens.findIndex(({ kind }) => kind !== 'line')
  const head = tokens[start]
  if (head?.kind !== 'word' || head.text.toLowerCase() !== 'project') return text.trimStart()
  let depth = 0
  for (const { kind, text: sign, to } of tokens.slice(start)) {
    if (kind !== 'sign') continue
    if (sign === '{') depth += 1
    if (sign === '}') depth -= 1
    if (sign === '}' && depth === 0) return (text.slice(0, head.from) + text.slice(to).trimStart()).trimStart()
  }
  return text.trimStart()
}
