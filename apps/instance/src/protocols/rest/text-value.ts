import type { ApiField } from '@cadmus/model/api/api'
import type { WireValue } from '@cadmus/model/api/operation'

/** Converts a value of a path or query to its JSON form. Invalid values remain strings, which the engine refuses. */
export function valueOfText(text: string, field: ApiField | undefined): WireValue {
  switch (field?.type.kind) {
    case 'integer':
      return exactNumber(text, /^[+-]?\d{1,15}$/)
    case 'double':
      return exactNumber(text, /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/)
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

function exactNumber(text: string, form: RegExp): WireValue {
  return form.test(text) ? Number(text) : text
}
