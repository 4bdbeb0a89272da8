import type { Meaning } from './checks.ts'
import type { ReadType } from './column-types.ts'
import { constantOf } from './constant.ts'
import type { Context } from './context.ts'
import { namedTypesOf } from './enumerations.ts'
import type { RawColumn, RawDefault } from './read-schema.ts'
import type { SqlColumn } from './sql-model.ts'
import { valueText } from './value-text.ts'

/** A column under construction. */
export type Draft = SqlColumn & {
  raw: RawColumn
  default: RawDefault | null
  choiceValues: (Meaning & { kind: 'choices' }) | null
  /** Whether a check says that a text of fixed length is full. */
  isFull: boolean
  /** Whether the choices are a check of the table rather than of the column's type. */
  hasChoiceCheck: boolean
}

/** Changes the column as its check says. */
export function applyMeaning(draft: Draft, meaning: Meaning): void {
  switch (meaning.kind) {
    case 'choices':
      if (!isBooleanCheck(draft, meaning)) draft.choiceValues = meaning
      break
    case 'length':
      if (draft.dataType === 'string') draft.maxLength = Math.min(draft.maxLength ?? meaning.length, meaning.length)
      break
    case 'fixed':
      if (draft.dataType === 'string')
        Object.assign(draft, { format: 'fixed', maxLength: meaning.length, isFull: true })
      break
    case 'guid':
      if (draft.dataType === 'string') Object.assign(draft, { format: 'guid', maxLength: null })
      break
    case 'json':
      if (draft.dataType === 'string') Object.assign(draft, { dataType: 'object', maxLength: null })
      break
    case 'required':
      draft.nullable = false
  }
}

/**
 * Databases fill short values with spaces, whereas in a model each is full: only where the script says so by a check, or by choices, is a CHAR
 * column of fixed length.
 */
export function settleFixed(draft: Draft, context: Context, table: string): void {
  const written = draft.default?.expression ? constantOf(draft.default.expression) : null
  const constants = [...(draft.choiceValues?.values ?? []), ...(written ? [written] : [])]
  const isFull = context.isOwn || draft.isFull || draft.choiceValues !== null
  if (isFull && constants.every(value => valueText(value, draft, true) !== null)) return
  draft.format = null
  if (!context.isOwn && draft.choiceValues === null)
    context.note(
      draft.line,
      'A CHAR column is imported as a text with a max length: the database fills shorter values with spaces.',
      { name: `${table}.${draft.name}` },
    )
}

/** Databases without booleans use a one-digit number with a check of both values: such a column becomes boolean. */
function isBooleanCheck(draft: Draft, { values }: Meaning & { kind: 'choices' }): boolean {
  const [zero, one] = values
  const isBoth = values.length === 2 && zero?.value === '0' && one?.value === '1'
  if (!isBoth || (zero.kind !== 'number' && zero.kind !== 'bits')) return false
  const { name, args } = draft.raw.type
  if (name === 'NUMBER' && args.length === 1 && args[0] === '1')
    Object.assign(draft, { dataType: 'boolean', format: null, precision: null })
  return draft.dataType === 'boolean'
}

/** The types of the script that have constraints of their own. */
export function domainsOf({ type }: RawColumn) {
  return namedTypesOf(type).flatMap(({ definition }) => (definition && 'column' in definition ? [definition] : []))
}

export function typeFields({ dataType, format, maxLength, precision, scale, choices }: ReadType) {
  return { dataType, format, maxLength, precision, scale, choices: [...choices] }
}
