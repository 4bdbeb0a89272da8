import * as z from 'zod'
import { configurationSchema, type Configuration } from '../configuration.ts'
import { isEqual, isRecord } from '../equal.ts'
import type { ConfigurationEdit } from './configuration-edit.ts'
import type { Definition } from './definition.ts'

export const changeConfiguration: Definition<Configuration, ConfigurationEdit> = {
  apply(content, { changes }) {
    const next = changes.reduce<unknown>((state, { path, value }) => replaced(state, path, value), content)
    // Ignores unknown fields and invalid values.
    const read = configurationSchema.safeParse(next)
    return read.success && !isEqual(read.data, content) ? read.data : content
  },
  invert(content, edit) {
    const after = changeConfiguration.apply(content, edit)
    const changes = changedFields(after, content)
    return changes.length > 0 ? [{ kind: 'changeConfiguration', changes }] : []
  },
}

/** The differing fields with the values of `after`. */
export function changedFields(
  before: Configuration,
  after: Configuration,
): { path: string[]; value: z.infer<ReturnType<typeof z.json>> }[] {
  return differing(before, after, []).map(({ path, value }) => ({ path, value: z.json().parse(value) }))
}

function differing(before: unknown, after: unknown, path: string[]): { path: string[]; value: unknown }[] {
  if (isEqual(before, after)) return []
  if (!isRecord(before) || !isRecord(after)) return [{ path, value: after }]
  return Object.entries(after).flatMap(([key, value]) => differing(before[key], value, [...path, key]))
}

function replaced(state: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  if (!isRecord(state) || !Object.hasOwn(state, key)) return state
  return { ...state, [key]: replaced(state[key], rest, value) }
}
