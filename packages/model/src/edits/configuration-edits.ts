import * as z from 'zod'
import { type Configuration, configurationSchema } from '../configuration.ts'
import { isEqual, isRecord } from '../equal.ts'
import { applyAll, type Definition, type Definitions, hasEffect, invertAll } from './definition.ts'

/** New values of configuration fields, each addressed by its path. A list is one field, as in merges. */
export const configurationEditSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('changeConfiguration'),
    changes: z.array(z.object({ path: z.array(z.string()).min(1), value: z.json() })),
  }),
])
export type ConfigurationEdit = z.infer<typeof configurationEditSchema>

const changeConfiguration: Definition<Configuration, ConfigurationEdit> = {
  apply(content, { changes }) {
    const next = changes.reduce<unknown>((state, { path, value }) => replaced(state, path, value), content)
    // Ignores unknown fields and invalid values.
    const read = configurationSchema.safeParse(next)
    return read.success && !isEqual(read.data, content) ? read.data : content
  },
  invert(content, edit) {
    const after = changeConfiguration.apply(content, edit)
    return { kind: 'changeConfiguration', changes: changedFields(after, content) }
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

const definitions = { changeConfiguration } satisfies Definitions<Configuration, ConfigurationEdit>

export function applyConfigurationEdits(content: Configuration, edits: readonly ConfigurationEdit[]): Configuration {
  return applyAll(definitionOf, content, edits)
}

/** The inverse of the edits; `content` is the state before them. */
export function invertConfigurationEdits(
  content: Configuration,
  edits: readonly ConfigurationEdit[],
): ConfigurationEdit[] {
  return invertAll(definitionOf, content, edits)
}

/** Edits that turn one configuration into another; empty if equal. */
export function configurationEditsBetween(before: Configuration, after: Configuration): ConfigurationEdit[] {
  return [{ kind: 'changeConfiguration' as const, changes: changedFields(before, after) }].filter(hasEffect)
}

function definitionOf({ kind }: ConfigurationEdit): Definition<Configuration, ConfigurationEdit> {
  return definitions[kind]
}
