import { isRecord } from '@cadmus/model/equal'
import {
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql'

/** Marks a value that the reference implementation must coerce, because it may be invalid. */
export const needsCoercion = Symbol('unusual')

/**
 * Coerces a value like `coerceInputValue` of the reference implementation; returns `needsCoercion` for values that may
 * be invalid.
 */
export type PlainReader = (value: unknown) => unknown

/** A member of an input object. */
type Member = {
  readonly name: string
  readonly read: PlainReader
  readonly isRequired: boolean
  readonly defaultValue: unknown
}

const readers = new WeakMap<GraphQLInputType, PlainReader>()

/** Cached by type. */
export function plainReader(type: GraphQLInputType): PlainReader {
  const reader = readers.get(type) ?? plainReaderOf(type)
  readers.set(type, reader)
  return reader
}

function plainReaderOf(type: GraphQLInputType): PlainReader {
  if (isNonNullType(type)) {
    const read = plainReader(type.ofType)
    return value => (value === null || value === undefined ? needsCoercion : read(value))
  }
  if (isListType(type)) return listReader(plainReader(type.ofType))
  if (isInputObjectType(type)) return objectReader(type)
  return value => {
    if (value === null || value === undefined) return null
    try {
      const read = type.parseValue(value)
      return read === undefined ? needsCoercion : read
    } catch {
      return needsCoercion
    }
  }
}

/** A single value represents a list of one. */
function listReader(read: PlainReader): PlainReader {
  return value => {
    if (value === null || value === undefined) return null
    const list = Array.isArray(value) ? value.map(read) : [read(value)]
    return list.includes(needsCoercion) ? needsCoercion : list
  }
}

/** Members are resolved with the first value, since input types may be recursive. */
function objectReader(type: GraphQLInputObjectType): PlainReader {
  let members: readonly Member[] | null = null
  return value => {
    if (value === null || value === undefined) return null
    if (!isRecord(value) || type.isOneOf) return needsCoercion
    members ??= membersOf(type)
    return readMembers(members, value)
  }
}

function membersOf(type: GraphQLInputObjectType): readonly Member[] {
  return Object.values(type.getFields()).map(({ name, type: its, defaultValue }) => {
    return { name, read: plainReader(its), isRequired: isNonNullType(its), defaultValue: defaultValue }
  })
}

function readMembers(members: readonly Member[], value: Readonly<Record<string, unknown>>): unknown {
  const values: Record<string, unknown> = {}
  let count = 0
  for (const { name, read, isRequired, defaultValue } of members) {
    const sent = value[name]
    if (sent === undefined) {
      if (defaultValue !== undefined) values[name] = defaultValue
      else if (isRequired) return needsCoercion
      continue
    }
    const one = read(sent)
    if (one === needsCoercion) return needsCoercion
    values[name] = one
    count += 1
  }
  // A difference means an unknown member.
  return count === Object.keys(value).length ? values : needsCoercion
}
