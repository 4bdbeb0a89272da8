import { tokensOf } from './tokens.ts'

/** The blocks of a text in { } over several lines, outer ones first. */
export function blocksOf(text: string): readonly { from: number; to: number }[] {
  const blocks: { from: number; to: number }[] = []
  const open: { from: number; hasLine: boolean }[] = []
  for (const { kind, text: sign, from, to } of tokensOf(text).tokens) {
    if (kind === 'line')
      for (let index = open.length - 1; index >= 0 && !open[index]?.hasLine; index -= 1) mark(open[index])
    if (kind === 'sign' && sign === '{') open.push({ from, hasLine: false })
    if (kind === 'sign' && sign === '}') {
      const block = open.pop()
      if (block?.hasLine) blocks.push({ from: block.from, to })
    }
  }
  return blocks.toSorted((a, b) => a.from - b.from)
}

function mark(block: { hasLine: boolean } | undefined): void {
  if (block) block.hasLine = true
}
