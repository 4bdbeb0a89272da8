import type { Literal } from '@cadmus/model/values/literal'
import { statement, type Asked } from './context.ts'
import { faults } from './faults.ts'
import { fieldOf, type Field, type Place } from './fields.ts'
import { PlanFault, type BoundStatement, type SqlRows } from './plan.ts'
import { existing } from './selects.ts'
import { selecting, type Condition } from './tree.ts'

/** A field with the slot of its new value. */
export type Slotted = { readonly field: Field; readonly value: Literal | null; readonly slot: number }

/** A record that must be there: the field of its entity that has the slot's value. */
export type Target = { readonly place: Place; readonly field: Field; readonly slot: number }

export function targetsOf({ places }: Asked, slots: readonly Slotted[]): Target[] {
  return slots.flatMap(({ field: { references }, value, slot }) => {
    if (!references || !value) return []
    const place = places.of(references.entity)
    return [{ place, field: fieldOf(place, references.field), slot }]
  })
}

export function thereIs({ place, field, slot }: Target): Condition {
  return { kind: 'exists', select: existing(place, field, slot, 'x') }
}

/** Whether the record and all that it will refer to are there: one query for all. */
export function* checkReferences(
  asked: Asked,
  targets: readonly Target[],
  own: Target | null,
): Generator<BoundStatement, void, SqlRows> {
  const { checker } = asked
  if (targets.length === 0) return
  const all = own ? [own, ...targets] : targets
  const shape = `there ${all.map(({ place, field, slot }) => [place.index, field.index, slot].join()).join(' ')}`
  const build = () =>
    selecting({
      columns: all.map(
        ({ place, field, slot }) => ({ kind: 'exists', select: existing(place, field, slot, 'x') }) as const,
      ),
    })
  const [row = []] = yield statement(asked, shape, build, checker.values)
  const missing = all.findIndex((_, index) => Number(row[index] ?? 0) === 0)
  const name = all[missing]?.place.entity.name
  if (name === undefined) return
  throw new PlanFault(own && missing === 0 ? 'notFound' : 'invalid', faults.notFound(name))
}

/** Which one it was that was not there, when nothing was inserted. */
export function* lostReference(asked: Asked, targets: readonly Target[]): Generator<BoundStatement, void, SqlRows> {
  yield* checkReferences(asked, targets, null)
  throw new PlanFault('conflict', faults.referred)
}
