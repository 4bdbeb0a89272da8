import { readBytes } from '@cadmus/model/values/bytes'
import { isText, jsonFault } from '@cadmus/model/values/json'
import { readDate, readMoment, readTime } from '@cadmus/model/values/moment'
import { fitsDecimal, readDecimal, readDouble, readInteger, writeDecimal } from '@cadmus/model/values/number'
import { charactersOf } from './names.ts'
import type { ColumnType, Literal } from './tree.ts'

/** A text as a value of a column's type, in the one way in which it is written; null where it is none. */
export function literalOf(text: string, type: ColumnType): Literal | null {
  switch (type.kind) {
    case 'text':
    case 'varchar':
      return isText(text) && charactersOf(text) <= (type.length ?? Infinity) ? { kind: 'text', value: text } : null
    case 'guid':
      return guidOf(text.trim())
    case 'integer':
      return numberOf(readInteger(text.trim(), type.bits))
    case 'double':
      return numberOf(readDouble(text.trim()))
    case 'decimal':
      return decimalOf(text.trim(), type)
    case 'boolean':
      return booleanOf(text.trim().toLowerCase())
    case 'date':
      return momentOf(readDate(text.trim()), 'date')
    case 'time':
      return momentOf(readTime(text.trim()), 'time')
    case 'timestamp':
      return momentOf(readMoment(text.trim()), 'timestamp')
    case 'json':
      return jsonFault(text) === undefined ? { kind: 'json', value: text } : null
    case 'binary':
      return bytesOf(text.trim())
  }
}

const guidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function guidOf(text: string): Literal | null {
  const guid = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text
  return guidPattern.test(guid) ? { kind: 'text', value: guid.toLowerCase() } : null
}

/** Of a double the shortest text: digits that it cannot hold are none of its value. */
function numberOf(value: bigint | number | null): Literal | null {
  return value === null ? null : { kind: 'number', value: String(value) }
}

function decimalOf(text: string, { precision, scale }: { precision: number | null; scale: number }): Literal | null {
  const value = readDecimal(text)
  if (!value || (precision !== null && !fitsDecimal(value, precision, scale))) return null
  return { kind: 'number', value: writeDecimal(value) }
}

function booleanOf(word: string): Literal | null {
  if (word === 'true' || word === '1') return { kind: 'boolean', value: true }
  return word === 'false' || word === '0' ? { kind: 'boolean', value: false } : null
}

function momentOf(value: string | null, kind: 'date' | 'time' | 'timestamp'): Literal | null {
  return value === null ? null : { kind, value }
}

function bytesOf(text: string): Literal | null {
  const value = readBytes(text)
  return value === null ? null : { kind: 'bytes', value }
}
