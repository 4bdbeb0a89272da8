import type { DayOfHistory } from '@cadmus/model/contract/admin-documents'
import type { OrganisationAnswer } from '@cadmus/model/contract/admin-organisation'
import { databaseTypes, databaseTypeTable, type DatabaseType } from '@cadmus/model/database-types'
import { formatCount, visibleText } from '@cadmus/model/display'
import { ApiError, messageOf } from '../../api/error.ts'

type Licence = OrganisationAnswer['licence']

export function titleOf({ code, name }: { code: string; name: string }): string {
  return visibleText(`[${code}] ${name}`)
}

export function formatSubscription(subscription: number): string {
  return subscription === 0 ? 'No subscription' : formatCount(subscription)
}

export function formatLimit(manifestLimit: Licence['manifestLimit']): string {
  return manifestLimit === null ? 'No limit' : formatCount(manifestLimit)
}

export function databaseLabel(type: DatabaseType): string {
  return databaseTypeTable[type].label
}

/** The days since the first one with content; only the last day if there is none. */
export function daysInUse(history: readonly DayOfHistory[]): readonly DayOfHistory[] {
  const first = history.findIndex(({ entities, manifests, packages }) => entities + manifests + packages > 0)
  return history.slice(first < 0 ? -1 : first)
}

/** The concurrent changes that caused a save to be refused, one line per field: the current value and its author. */
export function describeConflicts(error: unknown): string[] {
  if (!(error instanceof ApiError)) return []
  return error.conflicts.map(({ field, theirs, who }) => {
    const author = who === '' ? '' : ` (${visibleText(who)})`
    return `${fieldLabels[field] ?? field}: ${formatValue(field, theirs)}${author}`
  })
}

const fieldLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  manifestLimit: 'Manifest limit',
  rest: 'REST API',
  graphql: 'GraphQL API',
  databaseTypes: 'Database types',
  subscription: 'Subscription',
}

function formatValue(field: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'included' : 'not included'
  if (Array.isArray(value))
    return databaseTypes
      .filter(type => value.includes(type))
      .toSorted((a, b) => value.indexOf(a) - value.indexOf(b))
      .map(databaseLabel)
      .join(', ')
  if (typeof value === 'number') return field === 'subscription' ? formatSubscription(value) : formatCount(value)
  if (value === null) return field === 'manifestLimit' ? 'No limit' : 'not a member'
  return visibleText(String(value))
}

/** Message of the first field error, else of the whole error. */
export function refusalOf(error: unknown, fallback: string): string {
  const [first] = error instanceof ApiError ? error.errors : []
  return first?.message ?? messageOf(error, fallback)
}
