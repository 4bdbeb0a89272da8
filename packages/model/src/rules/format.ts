import { messages } from '../messages.ts'
import type { DataType, Format } from '../data-types.ts'

/** Formats that refine a data type, in the order of the form. */
export const formatsOf = {
  boolean: [],
  dateTime: ['date', 'time'],
  double: ['decimal'],
  float: ['decimal'],
  integer: ['int16', 'int32', 'int64'],
  object: ['json', 'binary', 'text'],
  string: ['guid', 'text', 'json', 'binary', 'date', 'time'],
} as const satisfies Record<DataType, readonly Format[]>

export function format(value: Format | null, { dataType }: { dataType: DataType }): string | undefined {
  const offered: readonly Format[] = formatsOf[dataType]
  return value === null || offered.includes(value) ? undefined : messages.formatType(value, dataType)
}
