import { computedBy, functionNames, isMomentName } from '@cadmus/model/values/computed'
import type { ScriptDatabase } from '../databases.ts'
import type { Expression } from './expression.ts'
import type { SqlColumn } from './sql-model.ts'

/** The fields of a column whose default is computed. `isGuid`: it becomes a guid thereby. */
type ReadComputed = { fields: Partial<SqlColumn>; isGuid: boolean }

/** What an expression computes as the default of a column; null for any other expression. */
export function computedOf(expression: Expression, column: SqlColumn, dialect: ScriptDatabase): ReadComputed | null {
  const source = column.choices.length === 0 ? sourceOf(expression, dialect) : null
  // A text with room for a UUID and nothing else.
  const isGuid = column.dataType === 'string' && isPlain(column.format) && column.maxLength === 36
  const defaultKind = source && computedBy(source.name, isGuid ? { ...column, format: 'guid' } : column)
  if (!source || !defaultKind) return null
  if (isGuid) return { fields: { defaultKind, format: 'guid', maxLength: null }, isGuid }
  // The clock tells whether the times of a column are in UTC.
  const hasClock = defaultKind === 'now' && column.format !== 'instant'
  return { fields: { defaultKind, ...(hasClock ? { format: source.isUtc ? null : 'local' } : {}) }, isGuid }
}

function isPlain(format: SqlColumn['format']): boolean {
  return format === null || format === 'fixed'
}

type Source = { name: string; isUtc: boolean }

/** The function that is called without what is written around it; `CURRENT_DATE` for the day of a moment. */
function sourceOf(expression: Expression, dialect: ScriptDatabase): Source | null {
  // PostgreSQL has these words as texts.
  if (expression.kind === 'text') return /^(?:now|today)$/i.test(expression.value) ? plain(expression.value) : null
  // Some functions have no parentheses.
  if (expression.kind === 'column') return plain(expression.name)
  if (expression.kind !== 'call') return null
  const { name, parts } = expression
  const inner = (at: number) => {
    const part = parts[at]
    return part ? sourceOf(part, dialect) : null
  }
  switch (name) {
    case 'TRUNC':
    case 'DATE':
      return parts.length === 1 && hasDay(inner(0)) ? plain('CURRENT_DATE') : null
    case 'TIMEZONE':
      return isUtcZone(parts[0]) && isMoment(inner(1)) ? plain('UTC_TIMESTAMP') : null
    case 'SYS_EXTRACT_UTC':
      return isMoment(inner(0)) ? plain('UTC_TIMESTAMP') : null
    case 'SWITCHOFFSET':
    case 'TODATETIMEOFFSET':
      return isMoment(inner(0)) ? inner(0) : null
    case 'LOWER':
    case 'UPPER':
    case 'RAWTOHEX':
    case 'REGEXP_REPLACE': {
      const source = inner(0)
      return source && functionNames.uuid.has(source.name) ? source : null
    }
    // The date of Oracle has a time.
    case 'CURRENT_DATE':
      return plain(dialect === 'oracle' ? 'SYSDATE' : name)
    default:
      return parts.every(({ kind }) => kind === 'number') ? plain(name) : null
  }
}

function plain(name: string): Source {
  const upper = name.toUpperCase()
  return { name: upper, isUtc: functionNames.utc.has(upper) }
}

function isMoment(source: Source | null): boolean {
  return source !== null && isMomentName(source.name)
}

function hasDay(source: Source | null): boolean {
  return isMoment(source) || (source !== null && functionNames.day.has(source.name))
}

function isUtcZone(zone: Expression | undefined): boolean {
  return zone?.kind === 'text' && /^(?:utc|gmt|z|[+-]0?0(?::?00)?)$/i.test(zone.value)
}
