import { type Column, columnsInOrder } from './columns.ts'
import { scopeFields } from './edits/entity-edits.ts'
import type { EntityAttribute } from './entity-attribute.ts'
import type { EntityContent } from './entity.ts'
import { entityFields } from './fields/entity.ts'
import { comparedNames } from './fields/field.ts'
import { checkLine, isSameChecks } from './checks.ts'
import { isSameGroups, groupInList } from './groups.ts'
import { pairTexts } from './key-pairs.ts'
import { relationshipFields as relationshipDescriptors } from './fields/relationship.ts'
import { typeAttributeFields } from './fields/type-attribute.ts'
import { isSameReference, labelOf, unmovedKeys } from './merge/items.ts'
import type { ProblemStep } from './problem.ts'
import { isSameTarget } from './references.ts'

/**
 * A difference between two states, by uid: a rename is never a removal and an addition. `step`: the changed item, null for the compared
 * object itself; `before` and `after`: values of the field, or old and new name.
 */
export type Change<S extends ProblemStep = ColumnStep> =
  | { kind: 'added' | 'removed' | 'moved'; step: S }
  | { kind: 'renamed'; step: S | null; before: string; after: string }
  | { kind: 'changed'; step: S | null; field: string; before: unknown; after: unknown }
  /** An attribute became a foreign key, or the reverse, with the same uid. */
  | { kind: 'converted'; step: S }

type ColumnStep = Extract<ProblemStep, { kind: 'typeAttribute' | 'entityAttribute' }>

export function compareEntities(before: EntityContent, after: EntityContent): Change[] {
  return [
    ...ownChanges(before, after, ownFields),
    ...(isSameGroups(before.groups, after.groups)
      ? []
      : changed(
          null,
          'groups',
          before.groups.map(one => groupInList(one)),
          after.groups.map(one => groupInList(one)),
        )),
    ...(isSameChecks(before.checks, after.checks)
      ? []
      : changed(null, 'checks', before.checks.map(checkLine), after.checks.map(checkLine))),
    ...scopeFields.flatMap(field => changed(null, field, before.operationScopes[field], after.operationScopes[field])),
    ...itemChanges(columnsInOrder(before), columnsInOrder(after), columnStep, columnFields),
  ]
}

const ownFields = comparedNames(entityFields).filter(field => field !== 'groups' && field !== 'checks')
const attributeFields = comparedNames(typeAttributeFields)
const relationshipFields = comparedNames(relationshipDescriptors).filter(field => field !== 'alsoBy')

function ownChanges<T extends { name: string }>(before: T, after: T, fields: readonly (keyof T & string)[]): Change[] {
  const renamed: Change[] =
    before.name === after.name ? [] : [{ kind: 'renamed', step: null, before: before.name, after: after.name }]
  return [...renamed, ...fields.flatMap(field => changed(null, field, before[field], after[field]))]
}

function changed(step: ColumnStep | null, field: string, before: unknown, after: unknown): Change[] {
  return isSameReference(before, after) ? [] : [{ kind: 'changed', step, field, before, after }]
}

/** Removed items first, then the remaining items in their new order. */
function itemChanges<T extends { uid: string }>(
  before: readonly T[],
  after: readonly T[],
  stepOf: (item: T) => ColumnStep,
  changesOf: (before: T, after: T, step: ColumnStep) => Change[],
): Change[] {
  const old = new Map(before.map(item => [item.uid, item]))
  const remaining = new Set(after.map(item => item.uid))
  const unmoved = unmovedKeys([...old.keys()], [...remaining])
  const removed = before
    .filter(item => !remaining.has(item.uid))
    .map((item): Change => ({ kind: 'removed', step: stepOf(item) }))
  const rest = after.flatMap((item): Change[] => {
    const earlier = old.get(item.uid)
    const step = stepOf(item)
    if (!earlier) return [{ kind: 'added', step }]
    const [from, to] = [stepOf(earlier).name, step.name]
    return [
      ...(from === to ? [] : [{ kind: 'renamed', step, before: from, after: to } as const]),
      ...(unmoved.has(item.uid) ? [] : [{ kind: 'moved', step } as const]),
      ...changesOf(earlier, item, step),
    ]
  })
  return [...removed, ...rest]
}

function columnStep(item: Column): ColumnStep {
  return { kind: 'dataType' in item ? 'typeAttribute' : 'entityAttribute', uid: item.uid, name: labelOf(item) }
}

function columnFields(before: Column, after: Column, step: ColumnStep): Change[] {
  if (before === after) return []
  if ('dataType' in before) {
    if (!('dataType' in after)) return [{ kind: 'converted', step }]
    return attributeFields.flatMap(field => changed(step, field, before[field], after[field]))
  }
  if ('dataType' in after) return [{ kind: 'converted', step }]
  return [
    ...targetChanges(before, after, step),
    ...pairChanges(before, after, step),
    ...relationshipFields.flatMap(field => changed(step, field, before[field], after[field])),
  ]
}

function targetChanges(before: EntityAttribute, after: EntityAttribute, step: ColumnStep): Change[] {
  if (isSameTarget(before, after)) return []
  const [from, to] = [before.associatedEntityTypeAttribute, after.associatedEntityTypeAttribute]
  return [{ kind: 'changed', step, field: 'associatedEntityTypeAttribute', before: from, after: to }]
}

function pairChanges(before: EntityAttribute, after: EntityAttribute, step: ColumnStep): Change[] {
  if (isSameReference(before.alsoBy, after.alsoBy)) return []
  return [{ kind: 'changed', step, field: 'alsoBy', before: pairTexts(before), after: pairTexts(after) }]
}

/** A list of changes as text for audit entries: `Renamed attribute a to b; added relationship countryId`. */
export function describeChanges(changes: readonly Change[]): string {
  if (changes.length === 0) return 'Saved without a change'
  const shown = changes.slice(0, maxDescribed).map(change => sentence(change))
  const more = changes.length - shown.length
  const text = [...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** Limit of described changes; the contents of the entry hold the rest. */
const maxDescribed = 8

const words = {
  manifest: 'sub-manifest',
  entity: 'entity',
  typeAttribute: 'attribute',
  entityAttribute: 'relationship',
} as const satisfies Record<ProblemStep['kind'], string>

/** Writes a name or text value into a sentence. */
type Inserted = (text: string) => string

const plainly: Inserted = text => text

/** A change as a sentence without capital and full stop. `write` is applied to each shortened name and text value. */
export function sentence(change: Change<ProblemStep>, write = plainly): string {
  const named = (name: string) => write(short(name))
  if (change.kind === 'renamed') {
    const what = change.step ? words[change.step.kind] : 'entity'
    return `renamed ${what} ${named(change.before)} to ${named(change.after)}`
  }
  if (change.kind === 'changed') {
    const { step, field } = change
    const what = step ? `${words[step.kind]} ${named(step.name)}` : 'the entity'
    return `changed ${fieldText(field)} of ${what}${fromTo(change, write)}`
  }
  const { step } = change
  if (change.kind === 'converted') {
    const became = step.kind === 'entityAttribute' ? 'a foreign key' : 'an attribute of its own'
    return `made ${named(step.name)} ${became}`
  }
  return `${change.kind} ${words[step.kind]} ${named(step.name)}`
}

/** Both values of a field as the end of a sentence; '' if one of them cannot be written briefly. */
export function fromTo({ before, after }: { before: unknown; after: unknown }, write = plainly): string {
  const [from, to] = [before, after].map(value => valueText(value, write))
  return from === undefined || to === undefined ? '' : ` from ${from} to ${to}`
}

/** `maxLength` becomes "max length". */
function fieldText(field: string): string {
  if (field === 'alsoBy') return 'further columns'
  return field.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}

/** Includes short values only; no long texts, lists or traits. */
function valueText(value: unknown, write: Inserted): string | undefined {
  if (value === null || value === '') return 'none'
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value === 'string') return value.length <= 40 ? write(value) : undefined
  if (typeof value === 'object' && 'name' in value && typeof value.name === 'string') return write(short(value.name))
  return undefined
}

function short(name: string): string {
  return name.length <= 120 ? name : `${name.slice(0, 119)}…`
}
