import { type Column, columnName, columnsInOrder, isKey, isRelationship, isTypeAttribute } from '../columns.ts'
import type { EntityAttribute } from '../entity-attribute.ts'
import type { EntityContent } from '../entity.ts'
import { storedViewTexts } from '../messages/diagram.ts'
import type { TypeAttribute } from '../type-attribute.ts'
import { diagramLimits } from './view.ts'

/** A row of an entity's card as text. `more`: the rows that the card has no room for. */
export type CardRow = {
  readonly uid: string
  readonly name: string
  readonly type: string
  readonly kind: 'key' | 'reference' | 'attribute' | 'more'
  readonly nullable: boolean
}

/** A link from a row of the card to an entity that it refers to; `ends`: bits of `linkEndBits`. */
export type CardLink = { uid: string; target: { id: number; name: string; path: string }; row: number; ends: number }

/** Numbers of rows: of the whole card, and of its keys and foreign keys, which come first. */
export type CardSize = { rows: number; keyRows: number }

/** A unique foreign key has at most one record, a nullable one may refer to none. */
export const linkEndBits = { unique: 1, nullable: 2 } as const

type Columns = Pick<EntityContent, 'typeAttributes' | 'entityAttributes'>

/** The rows of an entity: keys, then foreign keys, then attributes, each by position; inherited ones are not shown. */
export function cardRows(content: Columns): CardRow[] {
  const rows = allCardRows(content)
  const { rowsOfCard } = diagramLimits
  if (rows.length <= rowsOfCard) return rows
  const shown = rows.slice(0, rowsOfCard - 1)
  return [...shown, moreRows(rows.length - shown.length)]
}

/** The rows of an entity without a limit, in the same order. */
export function allCardRows(content: Columns): CardRow[] {
  return columnsOfCard(content).map(rowOf)
}

/** The last row of a card that has no room for `count` others. */
export function moreRows(count: number): CardRow {
  return { uid: '', name: storedViewTexts.moreRows(count), type: '', kind: 'more', nullable: true }
}

export function cardSize(content: Columns): CardSize {
  const { rowsOfCard } = diagramLimits
  const { length } = columnsOfCard(content)
  const keys = content.typeAttributes.filter(isKey).length + content.entityAttributes.length
  return { rows: Math.min(length, rowsOfCard), keyRows: Math.min(keys, rowsOfCard) }
}

/** The links of a card: one from each relationship to each of its targets. */
export function cardLinks(content: Columns): CardLink[] {
  const rows = new Map(columnsOfCard(content).map((column, row) => [column, row]))
  return content.entityAttributes.flatMap(item => {
    const row = Math.min(rows.get(item) ?? 0, diagramLimits.rowsOfCard - 1)
    const targets = [item.associatedEntity, ...item.alternativeTargets.map(({ entity }) => entity)]
    return targets.map(target => ({ uid: item.uid, target, row, ends: endsOf(item) }))
  })
}

function endsOf({ unique, nullable }: EntityAttribute): number {
  return (unique ? linkEndBits.unique : 0) | (nullable ? linkEndBits.nullable : 0)
}

function columnsOfCard(content: Columns): Column[] {
  const columns = columnsInOrder(content)
  return [
    ...columns.filter(isKey),
    ...columns.filter(column => isRelationship(column) && !isKey(column)),
    ...columns.filter(column => isTypeAttribute(column) && !isKey(column)),
  ]
}

function rowOf(column: Column): CardRow {
  const { uid, nullable } = column
  const kind = isKey(column) ? 'key' : isRelationship(column) ? 'reference' : 'attribute'
  const type = isTypeAttribute(column) ? typeText(column) : keyText(column)
  return { uid, name: columnName(column), type, kind, nullable: nullable && kind !== 'key' }
}

/** With the further columns of the foreign key: `integer + lineNo`, or `integer + line → lineNo` where its target has another name. */
function keyText({ foreignKeyDataType, alsoBy }: EntityAttribute): string {
  const further = alsoBy.map(({ name, target }) => (name === target ? name : `${name} → ${target}`))
  return [foreignKeyDataType, ...further].join(' + ')
}

/** Such as `string(40)`, `decimal(10,2)`, `date`. */
function typeText({ dataType, format, maxLength, precision, scale }: TypeAttribute): string {
  const size = dataType === 'string' ? [maxLength] : [precision, scale]
  const known = size.filter(part => part !== null)
  return `${format ?? dataType}${known.length === 0 ? '' : `(${known.join(',')})`}`
}
