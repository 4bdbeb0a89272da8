import type { OnDelete } from '@cadmus/model/entity-attribute'
import { hasSameItems } from '@cadmus/model/equal'
import type { Context } from './context.ts'
import type { RawColumn, RawForeignKey, RawKey, RawPart, RawTable } from './read-schema.ts'

/** A column that may be the relationship of a foreign key over several. */
type Candidate = {
  reference: unknown
  default: { expression: { kind: string } | null } | null
  choiceValues: unknown
  choices: readonly string[]
  indexed: boolean
}

function hasNoDefault({ default: written }: Candidate): boolean {
  return written === null || written.expression?.kind === 'null'
}

/** InnoDB makes an index for a foreign key that has none. */
export function isImplied(index: RawKey, key: RawPart): boolean {
  return index.name === key.name && hasSameItems(index.columns, key.columns)
}

/**
 * The place of the column that is the relationship: of one key only, without what a relationship does not have, and with an index of its
 * own if one has.
 */
export function mainOf(drafts: readonly (Candidate | undefined)[]): number {
  const ranks = drafts.map((draft): number => {
    if (!draft || draft.reference) return 3
    const isPlain = hasNoDefault(draft) && draft.choiceValues === null && draft.choices.length === 0
    return isPlain ? (draft.indexed ? 0 : 1) : 2
  })
  return ranks.indexOf(Math.min(...ranks))
}

export function actionsOf({ onDelete, onUpdate }: RawForeignKey): { onDelete: OnDelete; onUpdate: OnDelete } {
  return { onDelete: actions[onDelete], onUpdate: actions[onUpdate] }
}

const actions: Readonly<Record<RawForeignKey['onDelete'], OnDelete>> = {
  noAction: 'restrict',
  restrict: 'restrict',
  cascade: 'cascade',
  setNull: 'setNull',
}

/** The columns referenced by name in foreign keys. */
export function referencedColumns(context: Context, tables: readonly RawTable[]): Set<RawColumn> {
  const targets = new Set<RawColumn>()
  for (const table of tables) {
    for (const part of table.parts) {
      const columns = part.kind === 'foreignKey' ? targetOf(context, part)?.columns : undefined
      for (const column of columns ?? []) if (column) targets.add(column)
    }
  }
  return targets
}

type Target = { table: RawTable; columns: readonly (RawColumn | undefined)[] }

/** The table and the named columns to which a foreign key refers, after all changes. */
export function targetOf({ schema }: Context, key: RawForeignKey): Target | null {
  const bound = key.target
  const isBound = bound?.table.dropped === 'no'
  const direct = isBound ? bound.table : schema.tables.find(key.path, key.table.schema)
  if (!direct) return null
  const columns = key.references.map((name, at) => (isBound ? bound.columns[at] : undefined) ?? direct.column(name))
  let table = direct
  while (table.partitionOf) table = table.partitionOf
  // A partition has the columns of its table.
  return { table, columns: table === direct ? columns : columns.map(column => column && table.column(column.name)) }
}
