import { isFault, readDefault, type DefaultType } from '../values/literal.ts'

/** A default value must be a value of its attribute. Null: no default. */
export function defaultValue(text: string | null, type: DefaultType): string | undefined {
  if (text === null) return undefined
  const read = readDefault(text, type)
  return isFault(read) ? read.fault : undefined
}
