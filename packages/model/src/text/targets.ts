import { columnName } from '../columns.ts'
import type { EntityReference } from '../entity-reference.ts'
import { textTexts } from '../messages/text.ts'
import { foldName } from '../paths.ts'
import type { LineFields, Reference } from './line.ts'
import type { OtherEntity, TextEntity, TextModel } from './marked-text.ts'
import type { MatchedColumn, MatchedTable } from './match.ts'
import type { ParsedColumn } from './parsed-text.ts'

/** A target. `formerName` of the attribute, as relationships stored before have it; `uid` null: not in the text. */
export type Target = {
  entity: EntityReference
  attribute: { name: string; formerName: string; uid: string | null }
}

/** The id that stands for a new entity. */
export const newEntityId = -1

/** The entities that references of a text can name: by their name in the text, by the name before, or outside of the text. */
export class Targets {
  readonly #tables = new Map<string, MatchedTable[]>()
  readonly #columns = new Map<MatchedTable, ReadonlyMap<string, MatchedColumn>>()
  readonly #others = new Map<string, (OtherEntity | TextEntity)[]>()
  readonly #fieldsOf: (column: ParsedColumn) => LineFields | undefined

  constructor(
    { entities, others }: TextModel,
    tables: readonly MatchedTable[],
    fieldsOf: (column: ParsedColumn) => LineFields | undefined,
  ) {
    this.#fieldsOf = fieldsOf
    const add = (name: string | null | undefined, table: MatchedTable) => {
      if (typeof name === 'string' && !this.#tables.has(foldName(name))) this.#tables.set(foldName(name), [table])
    }
    for (const table of tables) addTo(this.#tables, table.parsed.name.text, table)
    for (const table of tables) add(table.parsed.alias, table)
    for (const table of tables) add(table.entity?.content.name, table)
    const outside = new Map([...others, ...entities].map(other => [other.id, other]))
    for (const other of outside.values()) addTo(this.#others, nameOf(other), other)
  }

  /** The entity of a name; of several with names that differ in case, the one that is written like it. */
  entity(name: string): EntityReference | undefined {
    const [table] = this.#tablesOf(name)
    if (table) return referenceTo(table)
    const [other] = this.#othersOf(name)
    if (!other) return undefined
    const { uid, name: own } = 'content' in other ? other.content : other
    return { id: other.id, ...(uid === '' ? {} : { uid }), name: own, path: other.path }
  }

  #tablesOf(name: string): readonly MatchedTable[] {
    return likeWritten(this.#tables.get(foldName(name)), name, ({ parsed }) => parsed.name.text)
  }

  #othersOf(name: string): readonly (OtherEntity | TextEntity)[] {
    return likeWritten(this.#others.get(foldName(name)), name, nameOf)
  }

  /** The target of a relationship of a table. Existing entities refer to existing ones by id alone, as everywhere. */
  target(reference: Reference, owner: MatchedTable): Target | { reason: string } {
    const named = this.entity(reference.table)
    if (!named) return { reason: textTexts.unknownTarget(reference.table) }
    const [table, ...moreTables] = this.#tablesOf(reference.table)
    const [other, ...moreOthers] = this.#othersOf(reference.table)
    if ((table ? moreTables : moreOthers).length > 0) return { reason: textTexts.severalTargets(reference.table) }
    const { uid: _uid, ...known } = named
    const entity = owner.entity && named.id !== newEntityId ? known : named
    const outside = table?.entity ?? other
    const name = reference.column || (table && this.#keyIn(table)) || (outside?.primaryKey ?? '')
    if (name === '') return { reason: textTexts.noKey(reference.table) }
    const column = table && this.#columnOf(table, name)
    if (column) {
      const formerName = column.old ? columnName(column.old.column) : column.parsed.name.text
      return { entity, attribute: { name: column.parsed.name.text, formerName, uid: column.uid } }
    }
    // Inherited attributes and those of other entities are not in the text.
    const isOutside = !table || (table.entity?.content.extendsEntity ?? null) !== null
    if (!isOutside && foldName(name) !== foldName(outside?.primaryKey ?? ''))
      return { reason: textTexts.unknownTargetAttribute(reference.table, name) }
    return { entity, attribute: { name, formerName: name, uid: null } }
  }

  #keyIn({ columns }: MatchedTable): string | undefined {
    return columns.find(({ parsed }) => this.#fieldsOf(parsed)?.isKey)?.parsed.name.text
  }

  #columnOf(table: MatchedTable, name: string): MatchedColumn | undefined {
    const known = this.#columns.get(table) ?? namedColumns(table)
    this.#columns.set(table, known)
    return known.get(foldName(name))
  }
}

function addTo<T>(lists: Map<string, T[]>, name: string, item: T): void {
  const list = lists.get(foldName(name))
  if (list) list.push(item)
  else lists.set(foldName(name), [item])
}

function likeWritten<T>(items: readonly T[] = [], name: string, nameIn: (item: T) => string): readonly T[] {
  const written = items.filter(item => nameIn(item) === name)
  return written.length === 1 ? written : items
}

function nameOf(entity: OtherEntity | TextEntity): string {
  return 'content' in entity ? entity.content.name : entity.name
}

function referenceTo({ entity, uid, parsed }: MatchedTable): EntityReference {
  return entity
    ? { id: entity.id, uid, name: entity.content.name, path: entity.path }
    : { id: newEntityId, uid, name: parsed.name.text, path: '' }
}

function namedColumns({ columns }: MatchedTable): Map<string, MatchedColumn> {
  const former = columns.flatMap(column =>
    column.old ? [[foldName(columnName(column.old.column)), column] as const] : [],
  )
  return new Map([...former, ...columns.map(column => [foldName(column.parsed.name.text), column] as const)])
}
