import { isFault, readDefault, type DefaultType } from '../values/literal.ts'

/** A default value is a text that its attribute could hold. Null means none. */
export function defaultValue(text: string | null, type: DefaultType): string | undefined {
  if (text === null) return undefined
  const read = readDefault(text, type)
  return isFault(read) ? read.fault : undefined
}
