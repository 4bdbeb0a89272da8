import {
  fixedPartAt,
  type JsonPath,
  type JsonShape,
  lossProblem,
  readEntityContent,
  shapeAt,
} from '@cadmus/model/read-content'
import { entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { isRecord } from '@cadmus/model/equal'
import { messages } from '@cadmus/model/messages'
import { contentTexts } from '@cadmus/model/messages/values'
import { entityProblems } from '@cadmus/model/rules/entity'
import { syntaxFault } from '@cadmus/model/values/json-syntax'

/** Sets the value at a path; adds it if it is missing. */
export function withValue(json: unknown, path: JsonPath, value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (Array.isArray(json)) return json.with(Number(step), withValue(json[Number(step)], rest, value))
  const record = isRecord(json) ? json : {}
  return { ...record, [step]: withValue(record[step], rest, value) }
}

/** Appends a value to a list, or adds it under a key. */
export function withAdded(json: unknown, path: JsonPath, value: unknown): unknown {
  const list = valueAt(json, path.slice(0, -1))
  return withValue(json, Array.isArray(list) ? path.slice(0, -1) : path, Array.isArray(list) ? [...list, value] : value)
}

export function withoutValue(json: unknown, path: JsonPath): unknown {
  const key = path.at(-1)
  const holder = valueAt(json, path.slice(0, -1))
  const left = Array.isArray(holder)
    ? holder.toSpliced(Number(key), 1)
    : Object.fromEntries(Object.entries(Object(holder)).filter(([name]) => name !== key))
  return withValue(json, path.slice(0, -1), left)
}

export function valueAt(json: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined),
    json,
  )
}

export type ChangeResult = { content: EntityContent } | { problem: string }
export type Typed = { value: unknown } | { problem: string }

/** The content with a changed part, or why it is invalid. Problems that existed before are ignored. */
export function validateChange(
  next: unknown,
  { content, id, locked }: { content: EntityContent; id: number; locked: string | null },
): ChangeResult {
  const read = readEntityContent(next, content)
  if (read.content === null) return { problem: read.problems[0]?.message ?? messages.failed.entityContent }
  const edits = entityEditsBetween(content, read.content)
  if (locked !== null && edits.some(({ kind }) => kind !== 'changeScopes')) return { problem: locked }
  const problem = entityProblems(read.content, { previous: content, id })[0]?.message
  return problem === undefined ? { content: read.content } : { problem }
}

/** Reason why a place is read-only; null if it is editable. */
export function readOnlyReason(path: JsonPath, locked: string | null): string | null {
  const protection = fixedPartAt(path)
  if (protection === 'identity') return contentTexts.fixedIdentity
  if (locked !== null && path[0] !== 'operationScopes') return locked
  return protection === 'reference' ? contentTexts.fixedReference : null
}

/** Whether the place can be removed: a list item or an optional key. */
export function isRemovable(content: unknown, path: JsonPath): boolean {
  return Array.isArray(valueAt(content, path.slice(0, -1))) || shapeAt(path)?.optional === true
}

/** A value as editor text: texts as they are, everything else as JSON. */
export function fieldText(value: unknown, { kind }: JsonShape): string {
  if (typeof value === 'string' && kind !== 'any') return value
  return value === null && kind !== 'any' ? '' : JSON.stringify(value)
}

/** Parses editor text into the type that the place accepts. */
export function typedValue(text: string, { kind, nullable }: JsonShape): Typed {
  if (kind === 'text') return { value: text }
  if (text.trim() === '' && nullable) return { value: null }
  return jsonOf(text)
}

export function jsonOf(text: string): Typed {
  const fault = syntaxFault(text)
  if (fault) return { problem: contentTexts.syntaxError(fault.cause, fault.line, fault.column) }
  const loss = lossProblem(text)
  return loss === undefined ? { value: JSON.parse(text) } : { problem: loss }
}
