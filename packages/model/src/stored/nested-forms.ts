import * as z from 'zod'
import { isEqual, isRecord } from '../equal.ts'
import { readStored, StoredFormError, unchanged, upgraded, type StoredForm } from './stored-form.ts'

/** The form or part that a schema reads with a number of its own; its changes do not affect the enclosing form. */
export const nestedForms = z.registry<{ form: string }>()

/** Schema of a form within another one, in any readable format. The only way to nest forms. */
export function embedded<T>(form: StoredForm<T>): z.ZodType<T> {
  const schema = readThrough(z.unknown(), json => readStored(form, json))
  nestedForms.add(schema, { form: form.name })
  return schema
}

/** A part of a form that is also stored on its own, such as an attribute in an edit. `list`: the parts in the form. */
export type Part = {
  readonly form: StoredForm<unknown>
  readonly list: string
  /** Whether fields may be missing and must then not get the defaults of an upgrade. */
  readonly isPartial?: boolean
}

/** Schema of a part, whose data must first be converted with `partUpgrade`. */
export function fragment<S extends z.ZodType>(schema: S, { form, list }: Part): S {
  const marked: S = schema.clone()
  nestedForms.add(marked, { form: `${form.name}: ${list}` })
  return marked
}

/** Returns the conversion of parts from one format of their form to another, without checks. */
export function partUpgrade(
  { form, list, isPartial = false }: Part,
  from: number,
  to: number,
): (part: unknown) => unknown {
  if (from === to) return unchanged
  const convert = (part: unknown): unknown => {
    const whole = upgraded(form, { [list]: [part] }, from, to)
    const parts = isRecord(whole) ? whole[list] : undefined
    return Array.isArray(parts) ? parts[0] : part
  }
  if (!isPartial) return convert
  const defaults = convert({})
  return part => {
    const converted = convert(part)
    if (!isRecord(part) || !isRecord(converted)) return converted
    const isDefault = ([key, value]: [string, unknown]) =>
      !(key in part) && isRecord(defaults) && isEqual(value, defaults[key])
    return Object.fromEntries(Object.entries(converted).filter(entry => !isDefault(entry)))
  }
}

/** Converts the items of a list in an object. Other values are unchanged, so that a check refuses them. */
export function withItems(json: unknown, key: string, convert: (item: unknown) => unknown): unknown {
  const items = isRecord(json) ? json[key] : undefined
  return isRecord(json) && Array.isArray(items) ? { ...json, [key]: items.map(convert) } : json
}

/** Schema of values that are checked and then contain stored forms to read. */
export function readThrough<I, T>(schema: z.ZodType<I>, read: (value: I) => T): z.ZodType<T> {
  return schema.transform((value, context): T => {
    try {
      return read(value)
    } catch (error) {
      if (!(error instanceof StoredFormError)) throw error
      for (const { path, message } of error.issues) context.addIssue({ code: 'custom', path: [...path], message })
      return z.NEVER
    }
  })
}
