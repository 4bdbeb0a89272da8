import type { ApiFieldType } from '@cadmus/model/api/api'
import type { Literal } from '@cadmus/model/values/literal'
import type { Json } from './json-tree.ts'

/**
 * A default or a choice as JSON has it on the wire: integers as numbers, and as text beyond 2^53; exact numbers as text. JSON
 * is what it says.
 */
export function wireLiteral({ kind, value }: Literal, type: ApiFieldType): Json {
  if (kind === 'json' && type.kind === 'json') return JSON.parse(value)
  if (kind !== 'number') return value
  if (type.kind === 'double') return Number(value)
  return type.kind === 'integer' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}
