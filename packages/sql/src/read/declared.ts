import type { ScriptDatabase } from '../databases.ts'
import { utcMark } from '../databases/mysql.ts'
import type { Thing } from '@cadmus/model/import-things'
import { type Counts, noCounts } from './counts.ts'
import type { Context } from './context.ts'
import { enumeratedTypes } from './enumerations.ts'
import type { RawColumn, RawPart, RawTable } from './read-schema.ts'

/** Most databases drop a part with any of its columns; MySQL drops the column from the part. */
export function liveParts(table: RawTable, dialect: ScriptDatabase): RawPart[] {
  const live = new Set(table.liveColumns)
  return table.parts.flatMap(part => {
    const columns = part.columns.filter(column => live.has(column))
    if (columns.length === part.columns.length) return isDropped(part) ? [] : [part]
    const isShrunk = dialect === 'mysql' && part.kind !== 'foreignKey' && columns.length > 0
    return isShrunk ? [{ ...part, columns }] : []
  })
}

/** CASCADE drops the foreign keys to a table or column with it. */
function isDropped(part: RawPart): boolean {
  if (part.kind !== 'foreignKey') return false
  return part.target?.table.dropped === 'cascade' || part.target?.columns.some(one => one?.isDropped) === true
}

/** The parts of a partition that its table does not have. */
export function partitionParts(context: Context, partition: RawTable, table: RawTable): RawPart[] {
  const known = new Set(table.parts.map(part => textOf(context, part)))
  return partition.parts.filter(part => part.kind !== 'default' && !known.has(textOf(context, part)))
}

function textOf(context: Context, part: RawPart): string {
  const names = part.columns.map(({ name }) => name)
  return JSON.stringify([part.kind, names, part.kind === 'check' ? context.shownText(part.span) : ''])
}

/** The default value that a column declares itself; generated values are none. */
export function hasDefault({ default: written, identity }: RawColumn): boolean {
  return written !== null && written.expression?.kind !== 'null' && !identity
}

/** The comment without the mark of an instant at its end, which is part of the type. */
export function commentOf(
  { comment, type: { name } }: Pick<RawColumn, 'comment' | 'type'>,
  dialect: ScriptDatabase,
): { text: string; isInstant: boolean } {
  const isInstant = dialect === 'mysql' && name === 'DATETIME' && comment.endsWith(utcMark)
  return { text: isInstant ? comment.slice(0, -utcMark.length).trimEnd() : comment, isInstant }
}

/** What a part of a table counts as; null for the name of a default value. */
export function thingOf(part: Pick<RawPart, 'kind'> & { thing?: Thing | undefined }): Thing | undefined {
  switch (part.kind) {
    case 'primary':
      return 'key'
    case 'default':
      return undefined
    case 'other':
      return part.thing ?? 'other'
    default:
      return part.kind
  }
}

/** The tables that become entities, in their order. */
export function tablesOfModel({ schema }: Context): RawTable[] {
  return schema.tables.all.filter(({ partitionOf }) => partitionOf === null)
}

/** What the tables have after the last statement. */
export function declaredCounts(context: Context): Counts {
  const counts = noCounts()
  for (const { kind } of context.schema.otherObjects.all) if (kind.of) counts[kind.of] += 1
  for (const { comment } of enumeratedTypes(context)) {
    counts.enumeration += 1
    counts.comment += comment === '' ? 0 : 1
  }
  for (const table of context.schema.tables.all) {
    const { partitionOf, comment } = table
    counts.table += 1
    counts.comment += comment === '' ? 0 : 1
    const parts = partitionOf ? partitionParts(context, table, partitionOf) : liveParts(table, context.dialect)
    for (const part of parts) {
      const thing = thingOf(part)
      if (thing) counts[thing] += 1
    }
    // A partition has the columns of its table.
    for (const column of partitionOf ? [] : table.liveColumns) {
      counts.column += 1
      counts.default += hasDefault(column) ? 1 : 0
      counts.comment += commentOf(column, context.dialect).text === '' ? 0 : 1
    }
  }
  return counts
}
