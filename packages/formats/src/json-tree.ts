import type { ApiFieldType } from '@cadmus/model/api/api'
import { type Literal, literalText, withoutZeros } from '@cadmus/model/values/literal'
import { shortestOfSingle } from '@cadmus/model/values/number'

/** JSON as built for API descriptions; undefined properties are omitted. */
export type Json = string | number | boolean | null | readonly Json[] | JsonTree
export type JsonTree = { readonly [key: string]: Json | undefined }

/**
 * A default value or choice as JSON on the wire: integers as numbers, or strings beyond 2^53; exact numbers as
 * strings; times without zeros at their end, instants with Z; JSON as is.
 */
export function wireLiteral(literal: Literal, type: ApiFieldType): Json {
  const { kind, value } = literal
  if (kind === 'json' && type.kind === 'json') return JSON.parse(value)
  if (kind === 'boolean') return value
  if (kind !== 'number') return literalText(withoutZeros(literal))
  if (type.kind === 'double') return type.isSingle ? shortestOfSingle(Number(value)) : Number(value)
  return type.kind === 'integer' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}
