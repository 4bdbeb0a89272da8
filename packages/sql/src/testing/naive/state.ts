import type { Api, ApiEntity, ApiField, ApiFieldType } from '@cadmus/model/api/api'
import type { WireKey, WireRecord, WireValue } from '@cadmus/model/api/operation'
import type { Literal } from '@cadmus/model/values/literal'
import type { ColumnType, ReferentialAction } from '../../tree.ts'

// For tests only: a reference implementation of operations over lists in memory, independent of SQL and of the code
// under test.

export type Row = { readonly tenant: string | null; values: Record<string, WireValue> }

export type NaiveEntity = {
  readonly api: ApiEntity
  /** The fields of the model, and the custom fields. */
  readonly fields: readonly NaiveField[]
  /** Sets of fields whose values are unique within a tenant. */
  readonly uniques: readonly (readonly string[])[]
  readonly rows: Row[]
  readonly history: Change[]
}

export type NaiveField = ApiField & {
  /** The type of the column, which may be more limited than the model. */
  readonly columnType: ColumnType
  readonly columnDefault: Literal | null
}

export type NaiveKey = {
  readonly from: string
  readonly to: string
  /** Fields of both, in the order of the key that they refer to. */
  readonly pairs: readonly { readonly field: string; readonly target: string }[]
  readonly onDelete: ReferentialAction
}

export type Change = {
  operation: string
  tenant: string | null
  key: WireKey
  before: WireRecord | null
  after: WireRecord | null
  by: string
}

export type Naive = {
  readonly api: Api
  readonly entities: ReadonlyMap<string, NaiveEntity>
  readonly keys: readonly NaiveKey[]
  /** Whether the database sorts texts by UTF-16 units instead of code points. */
  readonly byUnits: boolean
}

export function entityOf(naive: Naive, name: string): NaiveEntity {
  const entity = naive.entities.get(name)
  if (!entity) throw new RangeError(name)
  return entity
}

/** -1, 0 or 1. Neither value is null. */
export function compare(type: ApiFieldType, a: WireValue, b: WireValue, byUnits: boolean): number {
  switch (type.kind) {
    case 'integer':
      return signOf(BigInt(String(a)) - BigInt(String(b)))
    case 'decimal':
      return signOf(toScaled(String(a)) - toScaled(String(b)))
    case 'double':
    case 'boolean':
      return Math.sign(Number(a) - Number(b))
    case 'text':
      return byUnits ? compareUnits(String(a), String(b)) : compareCodePoints(String(a), String(b))
    default:
      return compareUnits(String(a), String(b))
  }
}

export function isSame(type: ApiFieldType, a: WireValue, b: WireValue): boolean {
  return a !== null && b !== null && compare(type, a, b, true) === 0
}

/** The fewest digits that mean the same number of single precision. */
export function shortSingle(number: number): number {
  const [single = 0] = Float32Array.of(number)
  const candidates = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(digits => Number(single.toPrecision(digits)))
  return candidates.find(candidate => Float32Array.of(candidate)[0] === single) ?? single
}

export function wireOfDefault(type: ApiFieldType, literal: Literal | null): WireValue {
  if (!literal) return null
  const { value } = literal
  if (typeof value === 'boolean') return value
  switch (type.kind) {
    case 'integer':
      return wireInteger(BigInt(value))
    case 'double':
      return type.isSingle ? shortSingle(Number(value)) : Number(value)
    case 'json':
      return JSON.parse(value)
    case 'binary':
      return Buffer.from(value, 'hex').toString('base64')
    case 'instant':
      return `${trimmed(value)}Z`
    case 'time':
    case 'timestamp':
    case 'local':
      return trimmed(value)
    default:
      return value
  }
}

/** Without trailing zeros of fractional seconds. */
export function trimmed(time: string): string {
  return time.includes('.') ? time.replace(/0+$/, '').replace(/\.$/, '') : time
}

export function wireInteger(value: bigint): WireValue {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

function signOf(value: bigint): number {
  return value > 0n ? 1 : value < 0n ? -1 : 0
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Scaled to an integer with 1,000 decimal places. */
function toScaled(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.padEnd(1000, '0')}`)
}
