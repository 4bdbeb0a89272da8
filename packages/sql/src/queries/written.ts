import type { Layout, Operation, Selection, WrittenResult } from '@cadmus/model/api/operation'
import { statement, type Asked, type Context } from './context.ts'
import type { QueryDialect } from './dialect.ts'
import type { Place } from './fields.ts'
import type { SqlRows, Steps } from './plan.ts'
import { whole } from './reading.ts'
import { mostColumns, related, select, selectAll, type Form } from './reads.ts'
import { parameter, SelectBuilder, tenantCondition } from './selects.ts'
import { type Parameter, selecting } from './tree.ts'
import { changedRecord, newRecord } from './writing.ts'
import { writtenResult } from './written-result.ts'
import { changeOf, changeRow, insertRow, mayAnswerMore, nothingChanged, type Answered } from './writes.ts'

/** The way to an answer that the database writes itself; null where there is none. */
export function writtenSteps(asked: Asked, operation: Operation, most: number): Steps<WrittenResult> | null {
  switch (operation.kind) {
    case 'selectAll':
      return isWritable(asked, operation.entity, operation.select) ? selectAll(asked, operation, asTexts) : null
    case 'select':
      return isWritable(asked, operation.entity, operation.select) ? select(asked, operation, asTexts) : null
    case 'related':
      return isWritable(asked, relatedEntity(asked, operation), operation.select)
        ? related(asked, operation, asTexts)
        : null
    case 'insert':
    case 'update': {
      const place = asked.places.of(operation.entity)
      // What is recorded in a history has to be read.
      const answer = { fields: null, layout: operation.layout, relations: [] }
      if (place.table.history || !isWritable(asked, operation.entity, answer)) return null
      return operation.kind === 'insert' ? inserted(asked, place, operation) : updated(asked, place, operation, most)
    }
    default:
      return null
  }
}

/** The answer of the other way, written here. */
export function* writtenAfter(operation: Operation, steps: Steps): Steps<WrittenResult> {
  return writtenResult(operation, yield* steps)
}

type Laid = Pick<Selection, 'fields' | 'relations'> & { readonly layout?: Layout | undefined }
type Wire = NonNullable<QueryDialect['wire']>

/** Whether the database leaves all names of what is selected as they are; of most packages it leaves every name. */
function isWritable(context: Context, entity: string, selection: Laid): boolean {
  const { wire } = context.dialect
  if (!wire) return false
  if (isEveryNameWritable(context, wire)) return isLayoutWritable(wire, selection)
  return isLayoutWritable(wire, selection) && isSelectionWritable(context, wire, entity, selection)
}

const writable = new WeakMap<Context['places'], boolean>()

function isEveryNameWritable({ api, places }: Context, wire: Wire): boolean {
  const known = writable.get(places)
  if (known !== undefined) return known
  const found = api.entities.every(({ name, relations }) => {
    const names = [...places.of(name).fields, ...relations].map(one => one.name)
    return areWritable(wire, names)
  })
  writable.set(places, found)
  return found
}

/** What is not there is refused in either way. */
function isSelectionWritable(context: Context, wire: Wire, entity: string, selection: Laid): boolean {
  const { layout, fields, relations } = selection
  const known = context.api.entities.find(({ name }) => name === entity)
  if (!known) return true
  const own = fields ?? context.places.of(entity).fields.map(({ name }) => name)
  if (!layout && !areWritable(wire, [...own, ...relations.map(({ name }) => name)])) return false
  return relations.every(({ name, select: one }) => {
    const relation = known.relations.find(other => other.name === name)
    return !relation || isSelectionWritable(context, wire, relation.entity, one)
  })
}

/** That of the records that are read. */
function relatedEntity({ api }: Context, { entity, relation }: Operation & { kind: 'related' }): string {
  const known = api.entities.find(({ name }) => name === entity)
  return known?.relations.find(({ name }) => name === relation)?.entity ?? entity
}

function areWritable(wire: Wire, names: readonly string[]): boolean {
  return names.length <= mostColumns && names.every(name => wire.fits(name))
}

/** Layouts whose names the database leaves as they are, and what they say. */
const laidOut = new WeakMap<Layout, string>()

function isLayoutWritable(wire: Wire, { layout, relations }: Laid): boolean {
  return (
    (layout === undefined || laidOut.has(layout) || fits(wire, layout)) &&
    relations.every(({ select: one }) => isLayoutWritable(wire, one))
  )
}

function fits(wire: Wire, layout: Layout): boolean {
  if (!layout.every(({ as }) => wire.fits(as))) return false
  laidOut.set(layout, JSON.stringify(layout))
  return true
}

const asTexts: Form<WrittenResult> = {
  *one(asked, reading, conditions) {
    const { checker } = asked
    const build = () => {
      const builder = new SelectBuilder()
      const alias = builder.alias()
      const { columns, names } = builder.members(reading, alias)
      const from = { table: reading.place.table.name, alias }
      const where = [...conditions(alias), ...tenantCondition(reading.place, alias)]
      const json = { kind: 'object', names, select: selecting({ columns, from, where }) } as const
      return selecting({ columns: [{ kind: 'text', json }] })
    }
    const [row = []]: SqlRows = yield statement(asked, `${checker.shape} written`, build, checker.values)
    return typeof row[0] === 'string' ? { kind: 'record', record: row[0] } : null
  },
  *list(asked, reading, list, { conditions }, { columns, tell }) {
    const { checker } = asked
    const build = () => {
      const builder = new SelectBuilder()
      const alias = builder.alias()
      return selecting({
        columns: [...columns, { kind: 'text', json: builder.writtenList(reading, list, alias, conditions(alias)) }],
      })
    }
    const [row = []]: SqlRows = yield statement(asked, `${checker.shape} written`, build, checker.values)
    const totals = tell(row)
    return { kind: 'list', records: textOf(row[columns.length]), ...totals }
  },
}

function* inserted(
  asked: Asked,
  place: Place,
  { record, layout }: Operation & { kind: 'insert' },
): Steps<WrittenResult> {
  const [row = []] = yield* insertRow(asked, place, newRecord(place, record), answered(place, layout))
  return { kind: 'record', record: textOf(row[0]) }
}

function updated(
  asked: Asked,
  place: Place,
  operation: Operation & { kind: 'update' },
  most: number,
): Steps<WrittenResult> | null {
  const { record, layout } = operation
  const { key, given } = changedRecord(place, record, asked.api.options.coalesce)
  if (given.length === 0) return null
  const change = changeOf(asked, place, key, given)
  const limit = mayAnswerMore(asked, operation)
    ? parameter(asked.checker.keep({ kind: 'number', value: String(Math.max(0, Math.floor(most))) }), count)
    : null
  return changed(asked, change, answered(place, layout, limit))
}

const count = { kind: 'integer', bits: 64 } as const

function* changed(asked: Asked, change: ReturnType<typeof changeOf>, answer: Answered): Steps<WrittenResult> {
  const [row] = yield* changeRow(asked, change, answer)
  return row ? { kind: 'record', record: textOf(row[0]) } : yield* nothingChanged(asked, change)
}

/** A changed row as it is written, of no more bytes than the limit. */
function answered(place: Place, layout: Layout | null = null, limit: Parameter | null = null): Answered {
  const written = limit === null ? ' written' : ` written to ${limit.slot}`
  return {
    mark: layout === null ? written : `${written} ${laidOut.get(layout)}`,
    returning: () => {
      const { columns, names } = new SelectBuilder().members({ ...whole(place), layout }, '')
      return [{ kind: 'text', json: { kind: 'object', names, select: selecting({ columns }) }, limit }]
    },
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('What the database wrote is no text.')
  return value
}
