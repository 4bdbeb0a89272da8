import type { OnDelete } from '@cadmus/model/entity-attribute'
import { hasSameItems } from '@cadmus/model/equal'
import type { RawForeignKey, RawKey, RawPart } from './read-schema.ts'

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
