import type { ApiField } from '@cadmus/model/api/api'
import type { Json, JsonTree } from '../json-tree.ts'

// The shapes of the platform's services. What of them could not be learned stands here and in setup.ts and nowhere else.

/** A property that a service takes or gives; without a type it is a text. */
export function property(name: string, type?: string, more: JsonTree = {}): JsonTree {
  return { name, ...(type === undefined || type === 'string' ? {} : { type }), ...more }
}

/** A property that is a record of properties, or a list of such. */
export function modelProperty(name: string, properties: readonly JsonTree[], more: JsonTree = {}): JsonTree {
  return property(name, 'model', { ...more, gloopProperties: properties })
}

export function fieldProperty({ type, nullable, description }: ApiField, name: string): JsonTree {
  const comments = description === '' ? {} : { comments: description }
  return property(name, gloopType(type), { allowNull: nullable, ...comments })
}

function gloopType(type: ApiField['type']): string {
  switch (type.kind) {
    case 'integer':
      return type.bits === 64 ? 'long' : type.bits === 32 ? 'integer' : 'short'
    case 'decimal':
      return 'bigDecimal'
    case 'date':
    case 'time':
    case 'timestamp':
      return 'date'
    case 'double':
    case 'boolean':
      return type.kind
    case 'json':
    case 'binary':
      return 'object'
    case 'text':
    case 'guid':
      return 'string'
  }
}

/** Where a value is, from the outermost property on. */
export type Place = readonly string[]

/** A line of a map that copies, and one that sets what an expression gives, or a text. */
export function line(from: Place, to: Place): JsonTree {
  return { from, to }
}

export function setLine(to: Place, expression: string, evaluate = false): JsonTree {
  return { type: 'set', expression, to, ...(evaluate ? { evaluate } : {}) }
}

export function map(lines: readonly JsonTree[]): JsonTree {
  return { type: 'map', lines }
}

export type Invocation = { inputs?: readonly JsonTree[]; outputs?: readonly JsonTree[]; declare?: readonly JsonTree[] }

export function invokeGloop(name: string, { inputs = [], outputs = [], declare = [] }: Invocation): JsonTree {
  return {
    type: 'invokeGloop',
    name,
    ...(declare.length === 0 ? {} : { declare: [{ variables: declare }] }),
    ...(inputs.length === 0 ? {} : { inputs }),
    ...(outputs.length === 0 ? {} : { outputs }),
  }
}

/** Goes on with the steps under what the expression gives. */
export function fork(expression: string, branches: Readonly<Record<string, readonly JsonTree[]>>): JsonTree {
  const children = Object.entries(branches).map(([label, steps]) => ({ type: 'block', label, children: steps }))
  return { type: 'fork', expression, children }
}

export function tryCatch(children: readonly JsonTree[], caught: readonly JsonTree[]): JsonTree {
  return { type: 'block', blockType: 'TRY_CATCH', children, catch: caught }
}

export const leaveService: JsonTree = { type: 'break', expression: '$gloopService' }

/** On one line: a large model has thousands of services, which nobody reads as files. */
export function gloopText(service: Json): string {
  return `${JSON.stringify(service)}\n`
}
