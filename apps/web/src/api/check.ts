import type { StoredForm } from '@cadmus/model/stored/stored-form'

/** Checks a value against a shape. Additional properties are allowed. */
export type Check<T> = (value: unknown) => value is T
type Shape = Readonly<Record<string, Check<unknown>>>
type Shaped<S extends Shape> = { [K in keyof S]: S[K] extends Check<infer T> ? T : never }

/** A check as the schema of a stored form. */
export function checked<T>(check: Check<T>): StoredForm<T>['schema'] {
  const error = { issues: [{ path: [], message: 'It has another shape.' }] }
  return { safeParse: json => (check(json) ? { success: true, data: json } : { success: false, error }) }
}

// The contract's schemas of the first screen's responses, without the schema library.

export const text: Check<string> = value => typeof value === 'string'
export const truth: Check<boolean> = value => typeof value === 'boolean'
export const integer: Check<number> = (value): value is number => Number.isSafeInteger(value)

export function oneOf<const T extends string>(values: readonly T[]): Check<T> {
  return (value): value is T => values.some(candidate => candidate === value)
}

export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value): value is T | null => value === null || check(value)
}

export function listOf<T>(check: Check<T>): Check<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(item => check(item))
}

export function shaped<S extends Shape>(shape: S): Check<Shaped<S>> {
  const fields = Object.entries(shape)
  return (value): value is Shaped<S> => {
    if (typeof value !== 'object' || value === null) return false
    return fields.every(([name, check]) => check(Reflect.get(value, name)))
  }
}
