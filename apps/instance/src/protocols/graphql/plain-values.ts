import { isRecord } from '@cadmus/model/equal'
import {
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql'

/** What is no plain value: the reference implementation has to look at it, and says what is wrong with it. */
export const unusual = Symbol('unusual')

/** Reads a value that was sent as `coerceInputValue` of the reference implementation does; `unusual` where that would find a fault. */
export type PlainReader = (value: unknown) => unknown

/** A member of an object, by its name. `usual`: where it is not given. */
type Member = {
  readonly name: string
  readonly read: PlainReader
  readonly isNeeded: boolean
  readonly usual: unknown
}

const remembered = new WeakMap<GraphQLInputType, PlainReader>()

/** Put together once for each type. */
export function plainReader(type: GraphQLInputType): PlainReader {
  const reader = remembered.get(type) ?? readerOf(type)
  remembered.set(type, reader)
  return reader
}

function readerOf(type: GraphQLInputType): PlainReader {
  if (isNonNullType(type)) {
    const read = plainReader(type.ofType)
    return value => (value === null || value === undefined ? unusual : read(value))
  }
  if (isListType(type)) return listReader(plainReader(type.ofType))
  if (isInputObjectType(type)) return objectReader(type)
  return value => {
    if (value === null || value === undefined) return null
    try {
      const read = type.parseValue(value)
      return read === undefined ? unusual : read
    } catch {
      return unusual
    }
  }
}

/** A value alone stands for a list of one. */
function listReader(read: PlainReader): PlainReader {
  return value => {
    if (value === null || value === undefined) return null
    const list = Array.isArray(value) ? value.map(read) : [read(value)]
    return list.includes(unusual) ? unusual : list
  }
}

/** Its members are looked at when the first value comes: types lead back to themselves. */
function objectReader(type: GraphQLInputObjectType): PlainReader {
  let members: readonly Member[] | null = null
  return value => {
    if (value === null || value === undefined) return null
    if (!isRecord(value) || type.isOneOf) return unusual
    members ??= membersOf(type)
    return readMembers(members, value)
  }
}

function membersOf(type: GraphQLInputObjectType): readonly Member[] {
  return Object.values(type.getFields()).map(({ name, type: its, defaultValue }) => {
    return { name, read: plainReader(its), isNeeded: isNonNullType(its), usual: defaultValue }
  })
}

function readMembers(members: readonly Member[], value: Readonly<Record<string, unknown>>): unknown {
  const found: Record<string, unknown> = {}
  let count = 0
  for (const { name, read, isNeeded, usual } of members) {
    const given = value[name]
    if (given === undefined) {
      if (usual !== undefined) found[name] = usual
      else if (isNeeded) return unusual
      continue
    }
    const one = read(given)
    if (one === unusual) return unusual
    found[name] = one
    count += 1
  }
  // One more is none of the type's.
  return count === Object.keys(value).length ? found : unusual
}
