import type { ApiRelation } from '@cadmus/model/api/api'
import type { Operation, Selection, WrittenResult } from '@cadmus/model/api/operation'
import type { OperationName } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { joined, type TextPieces } from '@cadmus/model/text-pieces'
import { notFound } from '../../http-error.ts'
import type { Admitted, Need } from '../../auth/admitted.ts'
import { readJson, recordOfBody, valueOfText } from './body.ts'
import { type Query, readAfter, readQuery } from './listing.ts'
import { permissionFor, type RestEntity, type RestSurface, selectionFor } from './surface.ts'

const head = '{"result":"OK","message":"OK","warnings":[]'
const done = `${head}}`

/** The target of a request. The parts of its address are unparsed strings; `key` has one for each part of the key. */
export type Target = {
  readonly surface: RestSurface
  readonly served: RestEntity
  readonly parts: {
    readonly key: readonly string[]
    readonly relation: string | undefined
    readonly name: string | undefined
  }
  readonly query: Query
  readonly body: unknown
}

/** One HTTP method on one path. */
export type RestCall = {
  /** Whether the entity offers this call. */
  has(served: RestEntity): boolean
  /** The permissions, all of which are required. */
  needs(target: Target): readonly Need[]
  /** Throws an `HttpError` 400 or 404. */
  operation(target: Target, caller: Admitted): Operation
  /** The answer as JSON. */
  answer(result: WrittenResult, target: Target): TextPieces
}

const list: RestCall = {
  has: offers('selectAll'),
  needs: needs('selectAll'),
  operation: (target, caller) => {
    const { listing, select } = listOptions(target, target.served, target.served.listed, caller)
    return { kind: 'selectAll', entity: target.served.entity.name, select, ...listing }
  },
  answer: (result, { served }) => listAnswer(result, served),
}

const insert: RestCall = {
  has: offers('insert'),
  needs: needs('insert'),
  operation: target => {
    refuseParameters(target)
    return { kind: 'insert', entity: target.served.entity.name, record: bodyOf(target) }
  },
  answer: changed,
}

const update: RestCall = {
  has: offers('update'),
  needs: needs('update'),
  operation: target => {
    refuseParameters(target)
    return { kind: 'update', entity: target.served.entity.name, record: bodyOf(target) }
  },
  answer: changed,
}

const read: RestCall = {
  has: offers('select'),
  needs: needs('select'),
  operation: (target, caller) => {
    const { surface, served, query } = target
    const { fields } = readQuery(query, served, 'fields', false)
    const select = selectionFor(surface, served, served.single, fields, caller)
    return { kind: 'select', entity: served.entity.name, key: keyOf(target), select }
  },
  answer: changed,
}

const remove: RestCall = {
  has: offers('delete'),
  needs: needs('delete'),
  operation: target => {
    refuseParameters(target)
    return { kind: 'delete', entity: target.served.entity.name, key: keyOf(target) }
  },
  answer: () => done,
}

const related: RestCall = {
  has: served => offers('select')(served) && served.relations.size > 0,
  needs: target => {
    const { entity, kind } = relationOf(target)
    return [permissionFor(entity, kind), { entity: target.served.entity.name, operation: 'select' }]
  },
  operation: (target, caller) => {
    const { kind, name } = relationOf(target)
    const other = otherEnd(target)
    const entity = target.served.entity.name
    const { listing, select } =
      kind === 'toMany' ? listOptions(target, other, other.listed, caller) : singleOptions(target, other, caller)
    return { kind: 'related', entity, key: keyOf(target), relation: name, select, ...listing }
  },
  answer: (result, target) =>
    relationOf(target).kind === 'toMany'
      ? listAnswer(result, otherEnd(target))
      : recordAnswer(result, otherEnd(target)),
}

const aggregate: RestCall = {
  has: ({ aggregates }) => aggregates.size > 0,
  needs: needs('selectAll'),
  operation: ({ served, query, parts: { name = '' } }) => {
    if (!served.aggregates.has(name)) throw notFound()
    const { filters } = readQuery(query, served, 'filters', false).listing
    return { kind: 'aggregate', entity: served.entity.name, query: name, filters }
  },
  answer: (result, { served }) => listAnswer(result, served),
}

const history: RestCall = {
  has: ({ entity }) => entity.history && entity.key.length > 0,
  needs: needs('select'),
  operation: target => {
    refuseParameters(target)
    return { kind: 'history', entity: target.served.entity.name, key: keyOf(target) }
  },
  answer: (result, { served }) => listAnswer(result, served),
}

const changes: RestCall = {
  has: ({ entity }) => entity.history,
  needs: needs('selectAll'),
  operation: ({ served, query }) => ({
    kind: 'changes',
    entity: served.entity.name,
    after: readAfter(query),
    // The next call continues after the last change of this page.
    limit: limits.rows.maxPageSize,
  }),
  answer: (result, { served }) => listAnswer(result, served),
}

/**
 * The addresses of an entity below `/api/<ns>/1.0`. `*` is the key of a record, with a segment for each of its parts. Their methods by
 * the number of segments after the key.
 */
export const restCalls: Readonly<Record<string, readonly Readonly<Record<string, RestCall>>[]>> = {
  '/:entity': [{ GET: list, POST: insert, PUT: update }],
  '/:entity/*': [{ GET: read, DELETE: remove }, { GET: related }],
  '/_aggregate/:entity/:name': [{ GET: aggregate }],
  '/_history/:entity/*': [{ GET: history }],
  '/_changes/:entity': [{ GET: changes }],
}

function offers(operation: OperationName): RestCall['has'] {
  return ({ entity }) => entity.operations[operation] !== undefined
}

function needs(operation: OperationName): RestCall['needs'] {
  return ({ served }) => [{ entity: served.entity.name, operation }]
}

function changed(result: WrittenResult, { served }: Target): TextPieces {
  return result.kind === 'done' ? done : recordAnswer(result, served)
}

function listOptions({ surface, query }: Target, served: RestEntity, whole: Selection, caller: Admitted) {
  const { listing, fields } = readQuery(query, served, 'list', surface.api.options.limitOffset)
  return { listing, select: selectionFor(surface, served, whole, fields, caller) }
}

function singleOptions({ surface, query }: Target, served: RestEntity, caller: Admitted) {
  const { listing, fields } = readQuery(query, served, 'fields', false)
  return { listing, select: selectionFor(surface, served, served.listed, fields, caller) }
}

function refuseParameters({ query, served }: Target): void {
  readQuery(query, served, 'none', false)
}

function bodyOf({ body, served }: Target) {
  return recordOfBody(typeof body === 'string' ? readJson(body) : undefined, served)
}

function keyOf({ served: { entity }, parts: { key } }: Target) {
  return entity.key.map((field, at) => valueOfText(key[at] ?? '', field))
}

/** Throws an `HttpError` 404 if the relation does not exist or its target cannot be read. */
function relationOf(target: Target): ApiRelation {
  const relation = target.served.relations.get(target.parts.relation ?? '')
  const other = relation && target.surface.byName.get(relation.entity)?.entity
  if (!relation || !other) throw notFound()
  if (!other.operations[relation.kind === 'toOne' ? 'select' : 'selectAll']) throw notFound()
  return relation
}

function otherEnd(target: Target): RestEntity {
  const other = target.surface.byName.get(relationOf(target).entity)
  if (!other) throw notFound()
  return other
}

function listAnswer(result: WrittenResult, { property }: RestEntity): TextPieces {
  if (result.kind !== 'list') throw new TypeError('The result is not a list.')
  const { total, totalNotFiltered, records } = result
  return joined(`${head},"total":${total},"totalNotFiltered":${totalNotFiltered},${property}`, records, '}')
}

function recordAnswer(result: WrittenResult, { property }: RestEntity): TextPieces {
  if (result.kind !== 'record') throw new TypeError('The result is not a record.')
  return joined(`${head},${property}`, result.record, '}')
}
