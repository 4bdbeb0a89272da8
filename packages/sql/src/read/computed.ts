import { computedBy, type ComputedKind, functionNames } from '@cadmus/model/values/computed'
import type { LiteralType } from '@cadmus/model/values/literal'
import type { ScriptDatabase } from '../databases.ts'
import type { Expression } from './expression.ts'

/** What the default of a column computes. `isUtc`: by a clock in UTC. */
export type ReadComputed = { kind: ComputedKind; isUtc: boolean }

/** What an expression computes as the default of a column of the type; null for any other expression. */
export function computedOf(expression: Expression, type: LiteralType, dialect: ScriptDatabase): ReadComputed | null {
  const source = sourceOf(expression, dialect)
  const kind = source && computedBy(source.name, type)
  return kind ? { kind, isUtc: source.isUtc } : null
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
      return parts.length === 1 && isMoment(inner(0)) ? plain('CURRENT_DATE') : null
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
  return source !== null && (functionNames.moment.has(source.name) || functionNames.utc.has(source.name))
}

function isUtcZone(zone: Expression | undefined): boolean {
  return zone?.kind === 'text' && /^(?:utc|gmt|z|[+-]0?0(?::?00)?)$/i.test(zone.value)
}
