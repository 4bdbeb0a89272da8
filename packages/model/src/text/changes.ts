import { isEqual } from '../equal.ts'
import { unmovedKeys } from '../merge/items.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { type LineFields, readLine } from './line.ts'
import type { MarkedText } from './marked-text.ts'
import { MarkIndex } from './places.ts'
import { outsideOf } from './outside.ts'
import { meaningOfChecks } from './text-checks.ts'
import { meaningOfEnum, textEnums } from './text-enumerations.ts'
import { meaningOfGroups } from './text-groups.ts'
import { parsing } from './parse.ts'
import type { ParsedColumn, ParsedEnum, ParsedTable, ParsedText, Range } from './parsed-text.ts'

export type TextChange = { from: number; to: number; insert: string }

/**
 * The replacements, in order and without overlaps, that turn the shown text into that of a changed model. Lines that mean the same stay
 * as they are, with their comments; tables stay where they are. `base`: the text of the model before the change; what is equal in it and
 * in `next` stays as the user has left it, as do tables and lines of the user's own. A text with faults is left alone.
 */
export function* changing(shown: MarkedText, next: MarkedText, base?: MarkedText): Steps<readonly TextChange[]> {
  if (shown.text === next.text || base?.text === next.text) return []
  const target = yield* viewing(next)
  const view = yield* viewing(shown)
  if (view.parsed.problems.length > 0) return []
  const before = base && (yield* viewing(base))
  const changes = new Changes(view, target, before)
  const all = yield* changes.all()
  const asides = asidesOf(view, target)
  const isPlain = asides.length === 0 && !view.parsed.tables.some(hasChecksInLines)
  if (isPlain || !changes.isAny) return all
  // What blocks say apart from the lines is written in the lines instead.
  const plain = yield* view.withoutAsides(target)
  const isLeft = ({ column, fields }: Line, left: Line | undefined) =>
    isEqual(fields(), left?.fields()) && column.settings.length === left?.column.settings.length
  const lines = [...view.lines].filter(([uid, line]) => !isLeft(line, plain.lines.get(uid)))
  const tables = view.tables.filter(({ uid, parsed }) => {
    const left = plain.byUid.get(uid)
    return left && blocks.some(({ meaningOf }) => !isEqual(meaningOf(parsed), meaningOf(left.parsed)))
  })
  const unsaid = new Set([...lines.map(([uid]) => uid), ...tables.map(({ uid }) => uid)])
  const written = yield* new Changes(plain, target, before, unsaid).all()
  return inOrder([...asides.map(({ from, to }) => removal(view.text, from, to)), ...written])
}

/** Blocks `Enum` are those of the manifest in its text, and stand apart from the lines in that of an entity. */
function asidesOf({ parsed }: View, target: View): readonly Range[] {
  return target.parsed.project === null ? [...parsed.asides, ...parsed.enums] : parsed.asides
}

function* viewing(shown: MarkedText): Steps<View> {
  return yield* viewOf(shown, yield* parsing(shown.text))
}

function* viewOf(shown: MarkedText, parsed: ParsedText): Steps<View> {
  const marks = new MarkIndex(shown.marks)
  const outside = outsideOf(parsed, () => {})
  const enums = textEnums(parsed.enums)
  yield
  const lineOf = (column: ParsedColumn): Line => ({
    column,
    fields: () => readLine(column, { enums, outside: outside.get(column), report: () => {} })?.fields,
    uid: marks.at(column.name)?.uid ?? '',
  })
  const lines = new Map<string, Line>()
  const tables = yield* mapInSteps(parsed.tables, (table): Table => {
    const own = table.columns.map(lineOf)
    for (const line of own) lines.set(line.uid, line)
    return { parsed: table, uid: marks.at(table.name)?.uid ?? '', lines: own }
  })
  const named = new Map(parsed.enums.map(one => [marks.at(one.name)?.uid ?? '', one]))
  return new View(shown, parsed, { tables, lines, enums: named })
}

/** What a table says in blocks of its own. */
const blocks = [
  { places: 'groupBlocks', meaningOf: meaningOfGroups },
  { places: 'checkBlocks', meaningOf: meaningOfChecks },
] as const
type Block = (typeof blocks)[number]

/** The fields are read only of lines that the model changed. */
type Line = { column: ParsedColumn; fields: () => LineFields | undefined; uid: string }
type Table = { parsed: ParsedTable; uid: string; lines: readonly Line[] }
type Parts = {
  tables: readonly Table[]
  lines: ReadonlyMap<string, Line>
  enums: ReadonlyMap<string, ParsedEnum>
}

/** A text with the identities of its tables and lines. */
class View {
  readonly text: string
  readonly parsed: ParsedText
  readonly tables: readonly Table[]
  readonly byUid: ReadonlyMap<string, Table>
  readonly lines: ReadonlyMap<string, Line>
  readonly enums: ReadonlyMap<string, ParsedEnum>
  readonly #shown: MarkedText

  constructor(shown: MarkedText, parsed: ParsedText, { tables, lines, enums }: Parts) {
    this.enums = enums
    this.#shown = shown
    this.text = shown.text
    this.parsed = parsed
    this.tables = tables
    this.byUid = new Map(tables.map(table => [table.uid, table]))
    this.lines = lines
  }

  /** The text without what blocks apart from the lines mean. */
  withoutAsides(target: View): Steps<View> {
    const enums = target.parsed.project === null ? [] : this.parsed.enums
    const tables = this.parsed.tables.map(table => {
      const { groupBlocks, checkBlocks } = table
      const columns = table.columns.map(withoutChecks)
      return {
        ...table,
        columns,
        indexes: within(groupBlocks, table.indexes),
        checks: within(checkBlocks, table.checks),
      }
    })
    return viewOf(this.#shown, { ...this.parsed, tables, references: [], enums })
  }

  of({ from, to }: { from: number; to: number }): string {
    return this.text.slice(from, to)
  }
}

class Changes {
  readonly #shown: View
  readonly #next: View
  readonly #base: View | undefined
  /** Lines and tables that have lost a part of their meaning, though the model did not change them. */
  readonly #unsaid: ReadonlySet<string>
  readonly #changes: TextChange[] = []
  /** Whether the model changed, even if a line keeps its text. */
  isAny = false

  constructor(shown: View, next: View, base: View | undefined, unsaid: ReadonlySet<string> = new Set()) {
    this.#shown = shown
    this.#next = next
    this.#base = base
    this.#unsaid = unsaid
  }

  *all(): Steps<TextChange[]> {
    this.#project()
    if (this.#next.parsed.project) this.#enums()
    yield* mapInSteps(this.#shown.tables, table => {
      const next = this.#next.byUid.get(table.uid)
      if (next) this.#table(table, next)
      else if (!this.#base || this.#wasIn(table.uid)) this.#remove(table.parsed.from, table.parsed.to)
    })
    this.#addTables()
    return inOrder(this.#changes)
  }

  #enums(): void {
    const base = this.#base?.enums
    for (const [uid, one] of this.#shown.enums) {
      const next = this.#next.enums.get(uid)
      const before = base?.get(uid)
      if (!next) {
        if (!base || before) this.#remove(one.from, one.to)
        continue
      }
      const now = meaningOfEnum(next)
      if (before && isEqual(meaningOfEnum(before), now)) continue
      if (!isEqual(meaningOfEnum(one), now)) this.#replace(one.from, one.to, this.#next.of(next))
    }
    const staying = [...this.#shown.enums].filter(([uid]) => this.#next.enums.has(uid))
    const at = staying.at(-1)?.[1].to ?? this.#shown.parsed.project?.to ?? 0
    for (const [uid, next] of this.#next.enums) {
      if (this.#shown.enums.has(uid) || base?.has(uid)) continue
      const block = this.#next.of(next)
      this.#replace(at, at, at === 0 ? `${block}\n\n` : `\n\n${block}`)
    }
  }

  /** Whether the model had a table: what the text has besides is the user's own, what it lacks is removed by the user. */
  #wasIn(table: string): boolean {
    return this.#base?.byUid.has(table) ?? false
  }

  #replace(from: number, to: number, insert: string): void {
    this.isAny = true
    if (this.#shown.text.slice(from, to) !== insert) this.#changes.push({ from, to, insert })
  }

  #remove(from: number, to: number): void {
    this.isAny = true
    this.#changes.push(removal(this.#shown.text, from, to))
  }

  #project(): void {
    const [shown, next] = [this.#shown.parsed.project, this.#next.parsed.project]
    if (!next || isEqual(content(next), content(this.#base?.parsed.project)) || isEqual(content(next), content(shown)))
      return
    const insert = this.#next.of(next)
    if (shown) this.#replace(shown.from, shown.to, insert)
    else this.#replace(0, 0, `${insert}\n\n`)
  }

  #addTables(): void {
    let at = this.#shown.parsed.project?.to ?? 0
    for (const { uid, parsed } of this.#next.tables) {
      const present = this.#shown.byUid.get(uid)
      if (present) at = present.parsed.to
      else if (!this.#wasIn(uid)) {
        const block = this.#next.of(parsed)
        const isFirst = this.#shown.text.slice(0, at).trim() === ''
        this.#replace(at, at, isFirst ? `${block}\n` : `\n\n${block}`)
      }
    }
  }

  #table(shown: Table, next: Table): void {
    const base = this.#base?.byUid.get(shown.uid)
    this.#head(shown, next, base)
    this.#note(shown.parsed, next.parsed, base?.parsed)
    this.#columns(shown, next)
    for (const block of blocks) this.#block(shown, next, base, block)
  }

  #block({ parsed: shown, uid }: Table, { parsed: next }: Table, base: Table | undefined, block: Block): void {
    const { meaningOf, places } = block
    const [before, now] = [meaningOf(shown), meaningOf(next)]
    const isUnchanged = base && isEqual(meaningOf(base.parsed), now) && !this.#unsaid.has(uid)
    if (isUnchanged || isEqual(before, now)) return
    const [written] = next[places]
    const [place, ...others] = shown[places]
    if (place && written) this.#replace(place.from, place.to, this.#next.of(written))
    else if (place) this.#remove(place.from, place.to)
    else if (written) this.#insertLast(shown, this.#next.of(written))
    for (const { from, to } of others) this.#remove(from, to)
  }

  /** Before the bracket that closes a table. */
  #insertLast({ to }: ParsedTable, lines: string): void {
    const { text } = this.#shown
    const start = text.lastIndexOf('\n', to - 1) + 1
    if (text.slice(start, to - 1).trim() === '') this.#replace(start, start, `\n  ${lines}\n`)
    else this.#replace(to - 1, to - 1, `\n  ${lines}\n`)
  }

  #head({ parsed: shown }: Table, { parsed: next }: Table, base: Table | undefined): void {
    if (next.name.text !== base?.parsed.name.text && next.name.text !== shown.name.text)
      this.#replace(shown.name.from, shown.name.to, this.#next.of(next.name))
    const [before, now] = [parentOf(shown), parentOf(next)]
    if (now === before || (base && now === parentOf(base.parsed))) return
    this.#replace(shown.name.to, shown.open, this.#next.text.slice(next.name.to, next.open))
  }

  #note(shown: ParsedTable, next: ParsedTable, base: ParsedTable | undefined): void {
    const [before, now] = [shown.note ?? '', next.note ?? '']
    if (before === now || (base && (base.note ?? '') === now)) return
    const { notePlace: place } = shown
    if (next.notePlace === null) {
      if (place) this.#remove(place.from, place.to)
    } else if (place) this.#replace(place.from, place.to, this.#next.of(next.notePlace))
    else this.#replace(shown.open, shown.open, `\n  ${this.#next.of(next.notePlace)}\n`)
  }

  #columns(shown: Table, next: Table): void {
    const there = new Set(next.lines.map(({ uid }) => uid))
    const former = this.#base && new Set(this.#base.byUid.get(next.uid)?.lines.map(({ uid }) => uid))
    const present = shown.lines.filter(({ uid }) => there.has(uid))
    const staying = this.#staying(present, next)
    for (const line of shown.lines) {
      if (staying.has(line.uid)) this.#line(line)
      else if (there.has(line.uid) || !former || former.has(line.uid)) this.#remove(line.column.from, line.column.to)
    }
    const isShown = new Set(shown.lines.map(({ uid }) => uid))
    let at = behindHead(shown.parsed)
    const byUid = new Map(present.map(line => [line.uid, line]))
    for (const { uid, column } of next.lines) {
      if (staying.has(uid)) at = byUid.get(uid)?.column.to ?? at
      else if (isShown.has(uid) || !former?.has(uid)) this.#insert(at, this.#next.of(column))
    }
  }

  /** Lines that keep their places: all, unless the model changed their order. */
  #staying(present: readonly Line[], next: Table): ReadonlySet<string> {
    const uids = present.map(({ uid }) => uid)
    const isPresent = new Set(uids)
    const order = next.lines.map(({ uid }) => uid).filter(uid => isPresent.has(uid))
    const before = this.#base?.byUid.get(next.uid)?.lines.map(({ uid }) => uid)
    if (
      before &&
      isEqual(
        before.filter(uid => isPresent.has(uid)),
        order,
      )
    )
      return isPresent
    return unmovedKeys(uids, order)
  }

  /** Behind the line that ends at an offset, with its comment. */
  #insert(offset: number, line: string): void {
    const { text } = this.#shown
    const end = text.indexOf('\n', offset)
    const rest = text.slice(offset, end < 0 ? text.length : end)
    const at = end >= 0 && /^[^\S\n]*(?:\/\/.*)?$/.test(rest) ? end : offset
    this.#replace(at, at, at === offset && rest !== '' ? `\n  ${line}\n` : `\n  ${line}`)
  }

  #line({ uid, fields, column }: Line): void {
    const next = this.#next.lines.get(uid)
    const base = this.#base?.lines.get(uid)
    const isUnchanged = base && this.#base?.of(base.column) === this.#next.of(next?.column ?? base.column)
    if (!next || (isUnchanged && !this.#unsaid.has(uid))) return
    if (column.name.text !== next.column.name.text)
      this.#replace(column.name.from, column.name.to, this.#next.of(next.column.name))
    const isAlone = asidesOf(this.#shown, this.#next).length === 0
    const isSameText = isAlone && this.#shown.of(column) === this.#next.of(next.column)
    if (!this.#unsaid.has(uid) && (isSameText || isEqual(fields(), next.fields()))) return
    const { from } = next.column.type
    this.#replace(column.type.from, column.to, this.#next.text.slice(from, next.column.to))
  }
}

/** The lines of blocks of groups or checks that do not stand apart from what they mean. */
function within<T extends Range>(all: readonly Range[], lines: readonly T[]): T[] {
  return lines.filter(line => all.some(({ from, to }) => from < line.from && line.to <= to))
}

function withoutChecks(column: ParsedColumn): ParsedColumn {
  const settings = column.settings.filter(({ key }) => key !== 'check')
  return settings.length === column.settings.length ? column : { ...column, settings }
}

function hasChecksInLines({ columns }: ParsedTable): boolean {
  return columns.some(column => withoutChecks(column) !== column)
}

function content(project: ParsedText['project'] | undefined): unknown {
  return project && [project.name, project.note]
}

function parentOf({ settings }: ParsedTable): string | undefined {
  return settings.find(({ key }) => key === 'extends')?.value[0]?.text
}

/** Behind the head of a table and a note that follows it. */
function behindHead({ open, notePlace, columns }: ParsedTable): number {
  const first = columns[0]?.from ?? Number.POSITIVE_INFINITY
  return notePlace && notePlace.from >= open && notePlace.from < first ? notePlace.to : open
}

/** Removes a stretch with its line, if it has it for itself. */
function removal(text: string, from: number, to: number): TextChange {
  const start = text.lastIndexOf('\n', from - 1) + 1
  const end = text.indexOf('\n', to)
  const after = text.slice(to, end < 0 ? text.length : end)
  if (text.slice(start, from).trim() !== '' || after.trim() !== '') return { from, to, insert: '' }
  return { from: start, to: end < 0 ? text.length : end + 1, insert: '' }
}

/** In the order of the text; of the same place, in the order of their making. What overlaps one before is left out. */
function inOrder(changes: readonly TextChange[]): TextChange[] {
  const ordered: TextChange[] = []
  for (const change of changes.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = ordered.at(-1)
    if (last && last.from === change.from && last.to === change.to && change.to === change.from)
      ordered[ordered.length - 1] = { ...last, insert: last.insert + change.insert }
    else if (!last || change.from >= last.to) ordered.push(change)
  }
  return ordered
}
