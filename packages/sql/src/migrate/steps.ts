import type { DatabaseType } from '@cadmus/model/database-types'
import type { MigrationGrade } from '@cadmus/model/migration-step'
import { changesOf, type SchemaChange } from '../alter-changes.ts'
import { countingQuery } from '../alter-counts.ts'
import type { ColumnPair, SchemaPairs, TablePair } from '../alter-pairs.ts'
import { refusalsOf } from '../alter-refusals.ts'
import { isFixed, isText } from '../column-types.ts'
import type { Dialect } from '../dialect.ts'
import type { Column, ColumnType, Table } from '../tree.ts'
import { foreignKeyChanges, partChanges, type Survival, type Targets, targetsOf } from './surviving.ts'
import { isTypeChanged } from './wording.ts'

/** A change of tables in terms of the model. */
export type MigrationStep = {
  readonly grade: MigrationGrade
  readonly entity: string
  readonly attribute: string
  readonly text: string
  /** Counts what stops the script or is lost. */
  readonly question: string | null
  /** Identifies the count, in each database. */
  readonly key: string
}

type IsRewritten = (pair: TablePair) => boolean

export function stepsOf(
  pairs: SchemaPairs,
  isRewritten: IsRewritten,
  dialect: Dialect,
  database: DatabaseType,
): { steps: MigrationStep[]; refused: string[] } {
  const rewritten = new Set(pairs.pairs.filter(isRewritten).flatMap(({ before, after }) => [before, after]))
  const changes = changesOf(pairs, dialect)
  const tableOf = tablesByPart(pairs)
  const about = { targets: targetsOf(pairs), byTable: new Map(pairs.pairs.map(pair => [pair.after, pair])) }
  const isShown = (change: SchemaChange) =>
    change.kind !== 'inconvertible' && !isEmpty(change, about, isRewritten, dialect)
  const steps = changes.filter(isShown).map((change): MigrationStep => {
    const { entity, attribute, query, key } = change
    const table = tableOf.get(change.of)
    const isMoved = table !== undefined && rewritten.has(table)
    const text =
      change.kind === 'misfits' && table
        ? `'${attribute}' of '${table.source.name}' changes its type, which fails if there are records whose value does not fit.`
        : change.text
    return {
      grade: gradeOf(change, isMoved, dialect, database),
      entity,
      attribute,
      text,
      question: query === null ? null : countingQuery(query),
      key,
    }
  })
  return {
    steps: [...steps, ...conditionSteps(pairs, dialect)],
    refused: changes.filter(({ kind }) => kind === 'inconvertible').map(refusedText),
  }
}

function conditionSteps(pairs: SchemaPairs, dialect: Dialect): MigrationStep[] {
  const names = new Map(pairs.pairs.map(({ after: { source } }) => [source.uid, source.name]))
  return refusalsOf(pairs, dialect).map(({ text, query, key, source, entity: uid }) => {
    const attribute = source.kind ? source.name.trim() : ''
    const entity = names.get(uid) ?? ''
    return { grade: 'mayFail', entity, attribute, text, question: countingQuery(query), key }
  })
}

function refusedText({ text }: SchemaChange): string {
  return `${text} Map or derive them by a data step, or add an attribute of the new type beside it and remove the old one later.`
}

function tablesByPart({ pairs, added, dropped }: SchemaPairs): ReadonlyMap<SchemaChange['of'], Table> {
  const tables = new Map<SchemaChange['of'], Table>()
  for (const pair of pairs) {
    for (const of of [pair.before, pair.after, ...pair.columns, ...pair.added]) tables.set(of, pair.after)
    for (const column of pair.dropped) tables.set(column, pair.before)
  }
  for (const table of [...added, ...dropped]) tables.set(table, table)
  return tables
}

type About = { readonly targets: Targets; readonly byTable: ReadonlyMap<SchemaChange['of'], TablePair> }

/** Changes that need no statement: the order of columns, and references to what only has another name. */
function isEmpty({ kind, of }: SchemaChange, about: About, isRewritten: IsRewritten, dialect: Dialect): boolean {
  if (kind !== 'order' && kind !== 'foreignKeys') return false
  const pair = about.byTable.get(of)
  if (!pair || isRewritten(pair)) return false
  const foreign = foreignKeyChanges(pair, about.targets, () => false, dialect, byContent)
  if (kind === 'foreignKeys') return foreign.dropped.length + foreign.added.length === 0
  const { remaining, dropped, added } = partChanges(pair, dialect, byContent)
  return (
    dropped.length + added.length === 0 && remaining.every(({ before, after }) => before.item.name === after.item.name)
  )
}

const byContent: Survival = { renamesKeys: true, checksFollowNames: true, indexesForeignKeys: false }

function gradeOf(change: SchemaChange, isMoved: boolean, dialect: Dialect, database: DatabaseType): MigrationGrade {
  switch (change.kind) {
    case 'newTable':
      return 'safe'
    case 'droppedTable':
    case 'droppedColumn':
    case 'inconvertible':
    case 'target':
    case 'lostData':
      return 'losesData'
    case 'data':
      return 'rewrites'
    case 'misfits':
      return 'mayFail'
    default:
      return isMoved ? 'rewrites' : gradeInPlace(change, dialect, database)
  }
}

function gradeInPlace({ kind, of }: SchemaChange, dialect: Dialect, database: DatabaseType): MigrationGrade {
  if (kind === 'renamed' || kind === 'default' || kind === 'order') return 'safe'
  if (kind === 'newColumn' && 'nullable' in of) return newColumnGrade(of, database)
  if (kind === 'type' && 'before' in of && 'type' in of.before) {
    return isMetadata({ before: of.before, after: of.after }, dialect, database) ? 'safe' : 'rewrites'
  }
  return kind === 'optional' && database === 'postgresql' ? 'safe' : 'locks'
}

function newColumnGrade({ default: value, identity, nullable }: Column, database: DatabaseType): MigrationGrade {
  if (identity || (value?.kind === 'computed' && value.value === 'uuid')) return 'rewrites'
  // Only some editions of SQL Server add a required column without touching the records.
  return database === 'mssql' && !nullable ? 'rewrites' : 'safe'
}

/** Whether the database changes the type without touching the records. */
function isMetadata(pair: ColumnPair, dialect: Dialect, database: DatabaseType): boolean {
  if (!isTypeChanged(pair, dialect)) return true
  const [from, to] = [pair.before.type, pair.after.type]
  if (isFixed(from) !== isFixed(to)) return false
  if (isText(from) && isText(to)) {
    const [old, now] = [lengthOf(from), lengthOf(to)]
    if (now < old) return false
    // Up to 63 characters of four bytes, MySQL stores the length in one byte.
    return database === 'mysql'
      ? to.kind === 'varchar' && (now <= 63 || old > 63)
      : database !== 'hsql' || to.kind === 'varchar'
  }
  return (
    database === 'postgresql' &&
    from.kind === 'decimal' &&
    to.kind === 'decimal' &&
    from.scale === to.scale &&
    from.precision !== null &&
    (to.precision === null || to.precision >= from.precision)
  )
}

function lengthOf(type: ColumnType): number {
  return 'length' in type && type.length !== undefined ? type.length : Infinity
}
