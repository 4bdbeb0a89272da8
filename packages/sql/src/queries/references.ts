import type { Literal } from '@cadmus/model/values/literal'
import { statement, type Query } from './context.ts'
import { faults } from './faults.ts'
import { fieldOf, type Field, type EntityMapping } from './fields.ts'
import { PlanFault, type BoundStatement, type SqlRows } from './plan.ts'
import { selectExisting } from './selects.ts'
import { newSelect, type Condition } from './tree.ts'

export type BoundField = { readonly field: Field; readonly value: Literal | null; readonly slot: number }

/** A record that must exist: the one whose field has the slot's value. */
export type Target = { readonly mapping: EntityMapping; readonly field: Field; readonly slot: number }

export function targetsOf({ mappings }: Query, slots: readonly BoundField[]): Target[] {
  return slots.flatMap(({ field: { references }, value, slot }) => {
    if (!references || !value) return []
    const mapping = mappings.of(references.entity)
    return [{ mapping, field: fieldOf(mapping, references.field), slot }]
  })
}

export function existsCondition({ mapping, field, slot }: Target): Condition {
  return { kind: 'exists', select: selectExisting(mapping, field, slot, 'x') }
}

/** Checks in one query that the record and all records that it will refer to exist. */
export function* checkReferences(
  query: Query,
  targets: readonly Target[],
  own: Target | null,
): Generator<BoundStatement, void, SqlRows> {
  const { checker } = query
  if (targets.length === 0) return
  const all = own ? [own, ...targets] : targets
  const shape = `there ${all.map(({ mapping, field, slot }) => [mapping.index, field.index, slot].join()).join(' ')}`
  const build = () =>
    newSelect({
      columns: all.map(
        ({ mapping, field, slot }) => ({ kind: 'exists', select: selectExisting(mapping, field, slot, 'x') }) as const,
      ),
    })
  const [row = []] = yield statement(query, shape, build, checker.values)
  const missing = all.findIndex((_, index) => Number(row[index] ?? 0) === 0)
  const name = all[missing]?.mapping.entity.name
  if (name === undefined) return
  throw new PlanFault(own && missing === 0 ? 'notFound' : 'invalid', faults.notFound(name))
}

/** Determines the missing record after an insert that inserted nothing. */
export function* throwMissingReference(
  query: Query,
  targets: readonly Target[],
): Generator<BoundStatement, void, SqlRows> {
  yield* checkReferences(query, targets, null)
  throw new PlanFault('conflict', faults.reference)
}
