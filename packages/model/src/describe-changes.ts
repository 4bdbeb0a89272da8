import type { Change } from './compare.ts'
import type { ProblemStep } from './problem.ts'

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

function sentence(change: Change): string {
  if (change.kind === 'renamed') {
    const what = change.step ? words[change.step.kind] : 'entity'
    return `renamed ${what} ${short(change.before)} to ${short(change.after)}`
  }
  if (change.kind === 'changed') return fieldSentence(change)
  const { step } = change
  if (change.kind === 'converted') {
    const became = step.kind === 'entityAttribute' ? 'a foreign key' : 'an attribute of its own'
    return `made ${short(step.name)} ${became}`
  }
  return `${change.kind} ${words[step.kind]} ${short(step.name)}`
}

function fieldSentence({ step, field, before, after }: Change & { kind: 'changed' }): string {
  const what = step ? `${words[step.kind]} ${short(step.name)}` : 'the entity'
  const values = [before, after].map(valueText)
  const [from, to] = values
  const change = from === undefined || to === undefined ? '' : ` from ${from} to ${to}`
  return `changed ${fieldText(field)} of ${what}${change}`
}

/** `maxLength` becomes "max length". */
function fieldText(field: string): string {
  return field.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}

/** Includes short values only; no long texts, lists or traits. */
function valueText(value: unknown): string | undefined {
  if (value === null || value === '') return 'none'
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value === 'string') return value.length <= 40 ? value : undefined
  if (typeof value === 'object' && 'name' in value && typeof value.name === 'string') return short(value.name)
  return undefined
}

function short(name: string): string {
  return name.length <= 120 ? name : `${name.slice(0, 119)}…`
}
