import { columnsInOrder } from '../../columns.ts'
import type { Random } from '../../testing/seeded-random.ts'
import type { Mark, MarkedText, TextModel } from '../marked-text.ts'
import { replaced } from './edited-text.ts'

/** For tests only: a printed text that is edited as in an editor, and the identities that a reading has to find in it. */
export class ChangingText {
  marked: MarkedText
  /** Uids of lines that were renamed or moved and not changed otherwise. */
  readonly onlyMoved: Set<string>
  readonly #random: Random
  /** By uid of the entity, the lines of its table: uids, or names of new ones. */
  readonly #lines: Map<string, string[]>
  #last = 0

  constructor(shown: MarkedText, { entities }: TextModel, random: Random) {
    this.marked = shown
    this.#random = random
    this.#lines = new Map(
      entities.map(({ content }) => [content.uid, columnsInOrder(content).map(({ uid }) => uid)] as const),
    )
    this.onlyMoved = new Set([...this.#lines.values()].flat())
  }

  /** The lines that each entity has to have. */
  expected(): Record<string, string[]> {
    return Object.fromEntries(this.#lines)
  }

  /** Lines that a reading has, with the names of new ones in place of their uids. */
  withNewLines(read: Record<string, string[]>): Record<string, string[]> {
    const known = new Set([...this.#lines.values()].flat())
    return Object.fromEntries(
      Object.entries(read).map(([owner, uids]) => {
        const fresh = (this.#lines.get(owner) ?? []).filter(line => line.startsWith(newLine))
        return [owner, uids.map(uid => (known.has(uid) ? uid : (fresh.shift() ?? uid)))]
      }),
    )
  }

  change(): void {
    const steps = [() => this.#rename(), () => this.#rename(), () => this.#move(), () => this.#move()]
    this.#random.pick([
      ...steps,
      () => this.#remove(),
      () => this.#add(),
      () => this.#describe(),
      () => this.#moveCheck(),
    ])()
  }

  #newName(): string {
    this.#last += 1
    return `${newLine}${this.#last}`
  }

  #rename(): void {
    const mark = this.#random.pick(this.marked.marks)
    this.marked = replaced(this.marked, mark, this.#newName())
  }

  #line(): Mark | undefined {
    const lines = this.marked.marks.filter(({ kind }) => kind === 'attribute' || kind === 'relationship')
    return lines.length === 0 ? undefined : this.#random.pick(lines)
  }

  /** The stretch of a line with its line break. */
  #range({ from }: Mark): { from: number; to: number } {
    const { text } = this.marked
    return { from: text.lastIndexOf('\n', from) + 1, to: text.indexOf('\n', from) + 1 }
  }

  #cut(mark: Mark): string {
    const range = this.#range(mark)
    const line = this.marked.text.slice(range.from, range.to)
    this.marked = replaced(this.marked, range, '')
    for (const [owner, uids] of this.#lines)
      this.#lines.set(
        owner,
        uids.filter(uid => uid !== mark.uid),
      )
    return line
  }

  /** A place below the head of a table or below a line, with the lines before it in its table. */
  #place(): { owner: string; at: number; offset: number } {
    const mark = this.#random.pick(this.marked.marks.filter(({ kind }) => kind !== 'enumeration'))
    const table =
      mark.kind === 'entity'
        ? mark
        : this.marked.marks.findLast(({ kind, from }) => kind === 'entity' && from < mark.from)
    const owner = table?.uid ?? ''
    const at = mark.kind === 'entity' ? 0 : (this.#lines.get(owner) ?? []).indexOf(mark.uid) + 1
    return { owner, at, offset: this.#range(mark).to }
  }

  #insert(line: string, key: string): number {
    const { owner, at, offset } = this.#place()
    this.marked = replaced(this.marked, { from: offset, to: offset }, line)
    this.#lines.set(owner, (this.#lines.get(owner) ?? []).toSpliced(at, 0, key))
    return offset
  }

  #move(): void {
    const mark = this.#line()
    if (!mark) return
    const { from: start } = this.#range(mark)
    const line = this.#cut(mark)
    const offset = this.#insert(line, mark.uid)
    const moved = { ...mark, from: offset + mark.from - start, to: offset + mark.to - start }
    this.#mark(moved)
  }

  #mark(mark: Mark): void {
    const marks = [...this.marked.marks, mark].toSorted((a, b) => a.from - b.from)
    this.marked = { text: this.marked.text, marks }
  }

  #remove(): void {
    const mark = this.#line()
    if (!mark) return
    this.#cut(mark)
    this.onlyMoved.delete(mark.uid)
  }

  #add(): void {
    const name = this.#newName()
    this.#insert(`  ${name} string(7) [unique]\n`, name)
  }

  /** Exchanges two lines of a block of checks. */
  #moveCheck(): void {
    const { text } = this.marked
    const pairs = [...text.matchAll(/^( {4}`[^\n]*\n)( {4}`[^\n]*\n)/gm)]
    if (pairs.length === 0) return
    const { index, 0: both, 1: first = '', 2: second = '' } = this.#random.pick(pairs)
    this.marked = replaced(this.marked, { from: index, to: index + both.length }, `${second}${first}`)
  }

  /** Another description and flag of a line. */
  #describe(): void {
    const mark = this.#line()
    if (!mark) return
    const { to } = this.#range(mark)
    const line = this.marked.text.slice(mark.to, to - 1)
    if (/note:|unique/.test(line)) return
    const setting = `unique, note: 'Changed.'`
    const now = line.endsWith(']') ? `${line.slice(0, -1)}, ${setting}]` : `${line} [${setting}]`
    this.marked = replaced(this.marked, { from: mark.to, to: to - 1 }, now)
    this.onlyMoved.delete(mark.uid)
  }
}

const newLine = 'newName'
