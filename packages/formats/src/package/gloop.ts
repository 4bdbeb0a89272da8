import type { ApiField } from '@cadmus/model/api/api'
import type { Json, JsonTree } from '../json-tree.ts'

// Shapes of the platform's services. Undocumented details are confined to this file and setup.ts.

/** An input or output property of a service; the default type is text. */
export function property(name: string, type?: string, more: JsonTree = {}): JsonTree {
  return { name, ...(type === undefined || type === 'string' ? {} : { type }), ...more }
}

/** A property that contains a record or a list of records. */
export function modelProperty(name: string, properties: readonly JsonTree[], more: JsonTree = {}): JsonTree {
  return property(name, 'model', { ...more, gloopProperties: properties })
}

export function fieldProperty({ type, nullable, description }: ApiField, name: string): JsonTree {
  const comments = description === '' ? {} : { comments: description }
  return property(name, gloopType(type), { allowNull: nullable, ...comments })
}

function gloopType(type: ApiField['type']): string {
  if (type.kind === 'decimal' && type.isWhole) return 'bigInteger'
  return type.kind === 'integer' ? integerTypes[type.bits] : gloopTypes[type.kind]
}

const integerTypes = { 16: 'short', 32: 'integer', 64: 'long' } as const

const gloopTypes: Readonly<Record<Exclude<ApiField['type']['kind'], 'integer'>, string>> = {
  decimal: 'bigDecimal',
  date: 'date',
  time: 'date',
  timestamp: 'date',
  instant: 'date',
  local: 'date',
  double: 'double',
  boolean: 'boolean',
  json: 'object',
  binary: 'object',
  text: 'string',
  guid: 'string',
}

/** Path of a value, outermost property first. */
export type Place = readonly string[]

/** Map lines: `line` copies a value, all others assign an expression or a text. */
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

/** Continues with the steps of the branch that the expression selects. */
export function fork(expression: string, branches: Readonly<Record<string, readonly JsonTree[]>>): JsonTree {
  const children = Object.entries(branches).map(([label, steps]) => ({ type: 'block', label, children: steps }))
  return { type: 'fork', expression, children }
}

export function tryCatch(children: readonly JsonTree[], caught: readonly JsonTree[]): JsonTree {
  return { type: 'block', blockType: 'TRY_CATCH', children, catch: caught }
}

export const leaveService: JsonTree = { type: 'break', expression: '$gloopService' }

/** On one line, because a large model has thousands of generated services. */
export function gloopText(service: Json): string {
  return `${JSON.stringify(service)}\n`
}
