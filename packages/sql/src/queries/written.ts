import type {
  Layout,
  Operation,
  OperationResult,
  Selection,
  WireRecord,
  WireValue,
  WrittenResult,
} from '@cadmus/model/api/operation'
import { isRecord } from '@cadmus/model/equal'
import { joined, jsonPieces, listed, type TextPieces } from '@cadmus/model/text-pieces'
import { type Context, type Query, statement } from './context.ts'
import type { QueryDialect } from './dialect.ts'
import type { Key } from './keys.ts'
import type { EntityMapping } from './fields.ts'
import type { SqlRows, Steps } from './plan.ts'
import { allFields } from './reading.ts'
import { type Form, maxQueryColumns, related, select, selectAll } from './reads.ts'
import { parameter, SelectBuilder, tenantCondition } from './selects.ts'
import { newSelect, type Parameter } from './tree.ts'
import { changeOf, checkChange, changeRow, insertRow, mayAnswerMore, nothingChanged, type Returned } from './writes.ts'
import { changedRecord, type FieldValues, newRecord } from './writing.ts'

/** The steps of an answer written by the database; null if it cannot. */
export function writtenSteps(query: Query, operation: Operation, maxBytes: number): Steps<WrittenResult> | null {
  switch (operation.kind) {
    case 'selectAll':
      return isWritable(query, operation.entity, operation.select) ? selectAll(query, operation, asJson) : null
    case 'select':
      return isWritable(query, operation.entity, operation.select) ? select(query, operation, asJson) : null
    case 'related':
      return isWritable(query, relatedEntity(query, operation), operation.select)
        ? related(query, operation, asJson)
        : null
    case 'insert':
    case 'update': {
      const mapping = query.mappings.of(operation.entity)
      // A recorded change has to be read.
      const answer = { fields: null, layout: operation.layout, relations: [] }
      if (operation.select || mapping.table.history || !isWritable(query, operation.entity, answer)) return null
      return operation.kind === 'insert'
        ? insertSteps(query, mapping, operation, maxBytes)
        : updateSteps(query, mapping, operation, maxBytes)
    }
    default:
      return null
  }
}

/** Writes the result of the ordinary steps. */
export function* writtenAfter(operation: Operation, steps: Steps): Steps<WrittenResult> {
  return writtenResult(operation, yield* steps)
}

type LayoutSelection = Pick<Selection, 'fields' | 'relations'> & { readonly layout?: Layout | undefined }
type Wire = NonNullable<QueryDialect['wire']>

/** Whether the database keeps all selected names. For most packages it keeps every name. */
function isWritable(context: Context, entity: string, selection: LayoutSelection): boolean {
  const { wire } = context.dialect
  if (!wire) return false
  if (isEveryNameWritable(context, wire)) return isLayoutWritable(wire, selection)
  return isLayoutWritable(wire, selection) && isSelectionWritable(context, wire, entity, selection)
}

const writableNames = new WeakMap<Context['mappings'], boolean>()

function isEveryNameWritable({ api, mappings }: Context, wire: Wire): boolean {
  const cached = writableNames.get(mappings)
  if (cached !== undefined) return cached
  const isWritableName = api.entities.every(({ name, relations }) => {
    const names = [...mappings.of(name).fields, ...relations].map(one => one.name)
    return areWritable(wire, names)
  })
  writableNames.set(mappings, isWritableName)
  return isWritableName
}

/** Unknown names are rejected either way. */
function isSelectionWritable(context: Context, wire: Wire, entity: string, selection: LayoutSelection): boolean {
  const { layout, fields, relations } = selection
  const owner = context.api.entities.find(({ name }) => name === entity)
  if (!owner) return true
  const own = fields ?? context.mappings.of(entity).fields.map(({ name }) => name)
  if (!layout && !areWritable(wire, [...own, ...relations.map(({ name }) => name)])) return false
  return relations.every(({ name, select: one }) => {
    const relation = owner.relations.find(other => other.name === name)
    return !relation || isSelectionWritable(context, wire, relation.entity, one)
  })
}

/** The entity of the records that are read. */
function relatedEntity({ api }: Context, { entity, relation }: Operation & { kind: 'related' }): string {
  const owner = api.entities.find(({ name }) => name === entity)
  return owner?.relations.find(({ name }) => name === relation)?.entity ?? entity
}

function areWritable(wire: Wire, names: readonly string[]): boolean {
  return names.length <= maxQueryColumns && names.every(name => wire.fits(name))
}

/** Layouts whose names the database keeps, as JSON. */
const layoutTexts = new WeakMap<Layout, string>()

function isLayoutWritable(wire: Wire, { layout, relations }: LayoutSelection): boolean {
  return (
    (layout === undefined || layoutTexts.has(layout) || fits(wire, layout)) &&
    relations.every(({ select: one }) => isLayoutWritable(wire, one))
  )
}

function fits(wire: Wire, layout: Layout): boolean {
  if (!layout.every(({ as }) => wire.fits(as))) return false
  layoutTexts.set(layout, JSON.stringify(layout))
  return true
}

const asJson: Form<WrittenResult> = {
  *one(query, reading, conditions) {
    const { checker } = query
    const build = () => {
      const builder = new SelectBuilder()
      const alias = builder.alias()
      const { columns, names } = builder.members(reading, alias)
      const from = { table: reading.mapping.table.name, alias }
      const where = [...conditions(alias), ...tenantCondition(reading.mapping, alias)]
      const json = { kind: 'object', names, select: newSelect({ columns, from, where }) } as const
      return newSelect({ columns: [{ kind: 'text', json }] })
    }
    const [row = []]: SqlRows = yield statement(query, `${checker.shape} written`, build, checker.values)
    return typeof row[0] === 'string' ? { kind: 'record', record: row[0] } : null
  },
  *list(query, reading, list, { conditions }, { columns, readTotals }) {
    const { checker } = query
    const build = () => {
      const builder = new SelectBuilder()
      const alias = builder.alias()
      return newSelect({
        columns: [...columns, { kind: 'text', json: builder.writtenList(reading, list, alias, conditions(alias)) }],
      })
    }
    const [row = []]: SqlRows = yield statement(query, `${checker.shape} written`, build, checker.values)
    const totals = readTotals(row)
    return { kind: 'list', records: textOf(row[columns.length]), ...totals }
  },
}

function* insertSteps(
  query: Query,
  mapping: EntityMapping,
  operation: Operation & { kind: 'insert' },
  maxBytes: number,
): Steps<WrittenResult> {
  const { record, layout } = operation
  const values = newRecord(mapping, record, query.caller.at)
  const limit = limitOf(query, operation, maxBytes)
  const [row = []] = yield* insertRow(query, mapping, values, returnedJson(mapping, layout, limit))
  return { kind: 'record', record: textOf(row[0]) }
}

function updateSteps(
  query: Query,
  mapping: EntityMapping,
  operation: Operation & { kind: 'update' },
  maxBytes: number,
): Steps<WrittenResult> | null {
  const { record, layout } = operation
  const { key, fieldValues } = changedRecord(mapping, record, query.api.options.coalesce)
  if (fieldValues.length === 0) return null
  const answer = () => returnedJson(mapping, layout, limitOf(query, operation, maxBytes))
  return changeSteps(query, mapping, key, fieldValues, answer)
}

/** The limit of a changed record, if it may be large. */
function limitOf(query: Query, operation: Operation, maxBytes: number): Parameter | null {
  if (!mayAnswerMore(query, operation)) return null
  return parameter(query.checker.addValue({ kind: 'number', value: String(Math.max(0, Math.floor(maxBytes))) }), count)
}

const count = { kind: 'integer', bits: 64 } as const

function* changeSteps(
  query: Query,
  mapping: EntityMapping,
  key: Key,
  fieldValues: FieldValues,
  answer: () => Returned,
): Steps<WrittenResult> {
  yield* checkChange(query, mapping, key, fieldValues)
  const change = changeOf(query, mapping, key, fieldValues)
  const [row] = yield* changeRow(query, change, answer())
  return row ? { kind: 'record', record: textOf(row[0]) } : yield* nothingChanged(query, change)
}

/** A changed row as written JSON, limited to a number of bytes. */
function returnedJson(mapping: EntityMapping, layout: Layout | null = null, limit: Parameter | null = null): Returned {
  const written = limit === null ? ' written' : ` written to ${limit.slot}`
  return {
    mark: layout === null ? written : `${written} ${layoutTexts.get(layout)}`,
    returning: () => {
      const { columns, names } = new SelectBuilder().members({ ...allFields(mapping), layout }, '')
      return [{ kind: 'text', json: { kind: 'object', names, select: newSelect({ columns }) }, limit }]
    },
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('The database returned no text.')
  return value
}

/** The result as JSON, for databases that do not write it themselves. */
export function writtenResult(operation: Operation, result: OperationResult): WrittenResult {
  const layout = 'layout' in operation ? { fields: null, relations: [], layout: operation.layout } : null
  const select = ('select' in operation ? operation.select : undefined) ?? layout
  if (result.kind === 'record') return { kind: 'record', record: recordJson(result.record, select) }
  if (result.kind === 'done') return result
  return { ...result, records: listJson(result.records, select) }
}

/** Only related records can be large enough to be split. */
function recordJson(record: WireRecord, select: Selection | null): TextPieces {
  const written = applyLayout(record, select)
  return select === null || select.relations.length === 0 ? JSON.stringify(written) : jsonPieces(written)
}

/** One record at a time, as all together may be large. */
function listJson(records: readonly WireRecord[], select: Selection | null): TextPieces {
  const members = listed(records, (record, at) => joined(at === 0 ? '' : ',', recordJson(record, select)))
  return joined('[', members, ']')
}

function applyLayout(record: WireRecord, select: Selection | null): WireRecord {
  if (select === null || !hasLayout(select)) return record
  const { layout, relations } = select
  const members = layout ?? Object.keys(record).map(name => ({ as: name, member: name }))
  return Object.fromEntries(
    members.map(one => {
      if ('text' in one) return [one.as, one.text]
      const relation = relations.find(({ name }) => name === one.member)
      const value = record[one.member] ?? null
      return [one.as, relation ? relatedRecord(value, relation.select) : value]
    }),
  )
}

function relatedRecord(value: WireValue, select: Selection): WireValue {
  if (Array.isArray(value)) return value.map(one => relatedRecord(one, select))
  return isWireRecord(value) ? applyLayout(value, select) : value
}

function isWireRecord(value: WireValue): value is WireRecord {
  return isRecord(value)
}

function hasLayout({ layout, relations }: Selection): boolean {
  return layout !== undefined || relations.some(({ select }) => hasLayout(select))
}
