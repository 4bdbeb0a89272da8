import { type Column, columnName, columnsInOrder, columnsOf, isTypeAttribute } from '../columns.ts'
import { foldName } from '../paths.ts'
import { mapInSteps, type Steps } from '../steps.ts'
import { isUid, newUid } from '../uid.ts'
import type { Answers, Doubt, Mark, TextEntity, TextModel } from './marked-text.ts'
import type { Name, ParsedColumn, ParsedTable } from './parsed-text.ts'
import { gaps, MarkIndex } from './places.ts'
import { type Shape, typeText } from './type-text.ts'

// Identity of the names of a text: by mark, then by name, then by place and shape.

/** A table with its entity; null: new. */
export type MatchedTable = { parsed: ParsedTable; uid: string; entity: TextEntity | null; columns: MatchedColumn[] }
/** A column and the entity that has it. */
type Owned = { column: Column; entity: TextEntity }
/** A line with its column; null: new. */
export type MatchedColumn = {
  parsed: ParsedColumn
  uid: string
  old: Owned | null
}
export type Matching = { tables: MatchedTable[]; doubts: Doubt[] }

/** What the line shows besides its name, in a form that is equal for equal columns; undefined if it is unknown. */
export type ShapeOf = (column: ParsedColumn) => string | undefined

export function shapeOfColumn(column: Column): string {
  return isTypeAttribute(column) ? shapeText(column) : relationshipShape
}

/** By the values of enumerations. */
export function shapeText(shape: Shape): string {
  return typeText({ ...shape, enumeration: null })
}

export const relationshipShape = 'ref'

export function* matching(
  tables: readonly ParsedTable[],
  model: TextModel,
  { marks, answers, shapeOf }: { marks: readonly Mark[]; answers: Answers; shapeOf: ShapeOf },
): Steps<Matching> {
  const matcher = new Matcher(model, { marks, answers, shapeOf })
  yield
  return yield* matcher.match(tables)
}

class Matcher {
  readonly #model: TextModel
  readonly #marks: MarkIndex
  readonly #answers: Answers
  readonly #shapeOf: ShapeOf
  readonly #columns = new Map<string, Owned>()
  /** Uids that lines have, in use or new. */
  readonly #taken = new Set<string>()
  readonly #doubts: Doubt[] = []

  constructor(
    model: TextModel,
    { marks, answers, shapeOf }: { marks: readonly Mark[]; answers: Answers; shapeOf: ShapeOf },
  ) {
    this.#model = model
    this.#marks = new MarkIndex(marks)
    this.#answers = answers
    this.#shapeOf = shapeOf
  }

  /** No step is longer than a table, since keys wait for it. */
  *match(parsed: readonly ParsedTable[]): Steps<Matching> {
    yield* mapInSteps(this.#model.entities, entity => {
      for (const column of columnsOf(entity.content)) this.#columns.set(column.uid, { column, entity })
    })
    const tables = yield* this.#tables(parsed)
    const marked = yield* mapInSteps(tables, table => ({ table, markOf: this.#marksOf(table) }))
    const isHome = (owned: Owned, table: MatchedTable) => owned.entity === table.entity
    const hasName = ({ column }: Owned, line: MatchedColumn) =>
      foldName(columnName(column)) === foldName(line.parsed.name.text)
    const claims: readonly ((owned: Owned, table: MatchedTable, line: MatchedColumn) => boolean)[] = [
      (owned, table, line) => isHome(owned, table) && hasName(owned, line),
      isHome,
      (owned, _table, line) => hasName(owned, line),
      () => true,
    ]
    for (const isClaimed of claims)
      yield* mapInSteps(marked, ({ table, markOf }) => {
        // A new entity is created before others change: its columns are new, too.
        for (const line of table.entity ? table.columns : []) {
          const owned = line.old ? undefined : this.#columns.get(markOf.get(line) ?? '')
          if (owned && isClaimed(owned, table, line)) this.#claim(line, owned)
        }
      })
    yield* mapInSteps(tables, table => this.#claimByName(table))
    yield* mapInSteps(marked, ({ table, markOf }) => this.#claimByShape(table, line => markOf.get(line) === undefined))
    yield* mapInSteps(marked, ({ table, markOf }) => {
      for (const line of table.columns) {
        if (line.uid !== '') continue
        const mark = markOf.get(line)
        // The stored entity may have the column still, and a new entity is created before that is saved.
        const isLost = table.entity === null && mark !== undefined && this.#model.removed?.has(mark)
        line.uid = this.#freshUid(isLost ? undefined : mark)
      }
    })
    return { tables, doubts: this.#doubts.toSorted((a, b) => a.from - b.from) }
  }

  /** The uids of the marks of lines that have one. */
  #marksOf({ columns }: MatchedTable): ReadonlyMap<MatchedColumn, string> {
    return new Map(
      columns.flatMap(line => {
        const mark = this.#marks.at(line.parsed.name)
        return mark ? [[line, mark.uid] as const] : []
      }),
    )
  }

  #claim(line: MatchedColumn, owned: Owned): void {
    if (this.#taken.has(owned.column.uid)) return
    this.#taken.add(owned.column.uid)
    line.uid = owned.column.uid
    line.old = owned
  }

  #freshUid(marked: string | undefined): string {
    const isFree = marked !== undefined && isUid(marked) && !this.#taken.has(marked) && !this.#columns.has(marked)
    const uid = isFree ? marked : newUid()
    this.#taken.add(uid)
    return uid
  }

  #claimByName({ entity, columns }: MatchedTable): void {
    const free = entity ? columnsOf(entity.content).filter(({ uid }) => !this.#taken.has(uid)) : []
    if (!entity || free.length === 0) return
    const byName = new Map(free.map(column => [foldName(columnName(column)), column]))
    for (const line of columns) {
      const column = line.old ? undefined : byName.get(foldName(line.parsed.name.text))
      if (column) this.#claim(line, { column, entity })
    }
  }

  /** Lines between the same neighbours with the same shape: one is taken, of several one is to be chosen. */
  #claimByShape({ entity, columns }: MatchedTable, isUnmarked: (line: MatchedColumn) => boolean): void {
    if (!entity) return
    const order = columnsInOrder(entity.content)
    const isFree = ({ uid }: Column) => !this.#taken.has(uid)
    if (!order.some(isFree)) return
    const own = new Set(order.map(({ uid }) => uid))
    const free = gaps(order, column => (isFree(column) ? undefined : column.uid), shapeOfColumn)
    const lines = gaps(
      columns,
      line => (line.old && own.has(line.uid) ? line.uid : undefined),
      line => this.#shapeOf(line.parsed),
    )
    for (const [gap, all] of lines) {
      const candidates = free.get(gap) ?? []
      const open = all.filter(line => !line.old && isUnmarked(line))
      if (candidates.length === 1 && open.length === 1 && all.length === 1) {
        const [column, line] = [candidates[0], open[0]]
        if (column && line && this.#answers.get(line.parsed.name.from) !== null) this.#claim(line, { column, entity })
      } else if (candidates.length > 0) this.#askFor(open, candidates, entity)
    }
  }

  /** Answers come first, and all other lines have the same candidates. */
  #askFor(lines: readonly MatchedColumn[], candidates: readonly Column[], entity: TextEntity): void {
    const byUid = new Map(candidates.map(column => [column.uid, column]))
    for (const line of lines) {
      const column = byUid.get(this.#answers.get(line.parsed.name.from) ?? '')
      if (column) this.#claim(line, { column, entity })
    }
    const open = candidates.filter(({ uid }) => !this.#taken.has(uid))
    const named = open.map(column => ({ uid: column.uid, name: columnName(column) }))
    for (const line of lines) if (!line.old) this.#ask(line.parsed.name, named)
  }

  /** The answer; undefined, with a doubt, until there is one. */
  #ask({ from, to, text }: Name, candidates: Doubt['candidates']): string | null | undefined {
    const answer = this.#answers.get(from)
    if (answer === undefined && candidates.length > 0) this.#doubts.push({ from, to, name: text, candidates })
    return answer
  }

  *#tables(parsed: readonly ParsedTable[]): Steps<MatchedTable[]> {
    const tables = yield* mapInSteps(parsed, newTable)
    const byUid = new Map(this.#model.entities.map(entity => [entity.content.uid, entity]))
    const markOf = new Map(tables.map(table => [table, this.#marks.at(table.parsed.name)?.uid]))
    const take = (table: MatchedTable, entity: TextEntity | undefined) => {
      if (!entity || table.entity || this.#taken.has(entity.content.uid)) return
      this.#taken.add(entity.content.uid)
      table.entity = entity
      table.uid = entity.content.uid
    }
    const isNamed = (table: MatchedTable, entity: TextEntity | undefined) =>
      foldName(entity?.content.name ?? '') === foldName(table.parsed.name.text)
    const marked = (table: MatchedTable) => byUid.get(markOf.get(table) ?? '')
    yield
    for (const table of tables) if (isNamed(table, marked(table))) take(table, marked(table))
    for (const table of tables) take(table, marked(table))
    const free = this.#model.entities.filter(({ content }) => !this.#taken.has(content.uid))
    const byName = new Map(free.map(entity => [foldName(entity.content.name), entity]))
    yield
    for (const table of tables) take(table, byName.get(foldName(table.parsed.name.text)))
    const open = tables.filter(table => !table.entity && markOf.get(table) === undefined)
    for (const [table, entity] of this.#alikeTables(open)) take(table, entity)
    for (const table of tables) if (!table.entity) table.uid = this.#freshUid(markOf.get(table))
    return tables
  }

  /** Tables whose columns are those of an entity that the text no longer names. */
  #alikeTables(tables: readonly MatchedTable[]): (readonly [MatchedTable, TextEntity])[] {
    const free = this.#model.entities.filter(({ content }) => !this.#taken.has(content.uid))
    if (free.length === 0 || tables.length === 0) return []
    const owners = new Map<string, TextEntity[]>()
    for (const entity of free)
      for (const key of keysOf(entity)) owners.set(key, [...(owners.get(key) ?? []), entity].slice(0, mostAlike))
    const alike = tables.map(table => ({ table, entities: alikeEntities(table, owners, this.#marks) }))
    const counts = new Map<TextEntity, number>()
    for (const { entities } of alike) for (const one of entities) counts.set(one, (counts.get(one) ?? 0) + 1)
    return alike.flatMap(({ table, entities }) => {
      const [first] = entities
      const answer = this.#answers.get(table.parsed.name.from)
      if (!first || answer === null) return []
      if (entities.length === 1 && counts.get(first) === 1) return [[table, first] as const]
      const untaken = entities.filter(({ content }) => !this.#taken.has(content.uid))
      const named = untaken.map(({ content }) => ({ uid: content.uid, name: content.name }))
      const uid = this.#ask(table.parsed.name, named)
      return entities.filter(({ content }) => content.uid === uid).map(entity => [table, entity] as const)
    })
  }
}

/** Entities compared with a table at most, for each of its columns. */
const mostAlike = 20

/** Names of columns; most entities have a key of the same name. */
function keysOf({ content }: TextEntity): string[] {
  return columnsOf(content).flatMap(column => [column.uid, foldName(columnName(column))])
}

function alikeEntities(
  { parsed, columns }: MatchedTable,
  owners: ReadonlyMap<string, readonly TextEntity[]>,
  marks: MarkIndex,
): TextEntity[] {
  const shared = new Map<TextEntity, number>()
  for (const { name } of parsed.columns) {
    const keys = [marks.at(name)?.uid ?? '', foldName(name.text)]
    for (const entity of new Set(keys.flatMap(key => owners.get(key) ?? [])))
      shared.set(entity, (shared.get(entity) ?? 0) + 1)
  }
  const isAlike = ([{ content }, count]: [TextEntity, number]) =>
    count > 1 && count * 2 >= Math.max(columns.length, columnsOf(content).length)
  return [...shared].filter(isAlike).map(([entity]) => entity)
}

function newTable(parsed: ParsedTable): MatchedTable {
  const columns = parsed.columns.map((line): MatchedColumn => ({ parsed: line, uid: '', old: null }))
  return { parsed, uid: '', entity: null, columns }
}
