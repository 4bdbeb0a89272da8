import type { Api, ApiEntity } from '@cadmus/model/api/api'
import type {
  Operation,
  OperationResult,
  Selection,
  WireKey,
  WireRecord,
  WireValue,
  WrittenResult,
} from '@cadmus/model/api/operation'
import { isRecord } from '@cadmus/model/equal'
import type { RootField } from '@cadmus/formats/graphql/root-fields'
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql'
import type { Admitted, Need } from '../../auth/admitted.ts'
import { invalidQuery } from './errors.ts'
import { copiesOf, fieldsBelow, selectionOf } from './look-ahead.ts'
import { wireValue } from '../rest/body.ts'
import { apiNamesOf, filtersOf, listingOf } from './listing.ts'

export type GraphQlContext = {
  readonly caller: Admitted
  /** Checks a permission of the caller. Throws an `HttpError`. */
  admit(need: Need): Promise<Admitted>
  /** `copies`: how often the answer repeats the result, for its size limit. */
  run(operation: Operation, caller: Admitted, copies?: number): Promise<OperationResult>
  /** Like `run`, but returns records as JSON. */
  write(operation: Operation, caller: Admitted): Promise<WrittenResult>
  /** Converts an error for the answer. Unexpected errors are logged. */
  reportError(error: unknown): Error
}

type Resolver = GraphQLFieldResolver<unknown, GraphQlContext>
type Arguments = Readonly<Record<string, unknown>>
type Handler = (
  args: Arguments,
  context: GraphQlContext,
  caller: Admitted,
  info: GraphQLResolveInfo,
) => Promise<unknown>

/** Resolves a root field, including nested relations, with one operation. */
export function resolverOf(api: Api, field: RootField): Resolver {
  const handle = handlerOf(api, field)
  const operation = field.kind === 'aggregate' ? 'selectAll' : field.kind
  return async (_source, args, context, info) => {
    try {
      const caller = await context.admit({ entity: field.entity.name, operation })
      return await handle(args, context, caller, info)
    } catch (error) {
      throw context.reportError(error)
    }
  }
}

function handlerOf(api: Api, field: RootField): Handler {
  const { entity, names } = field
  switch (field.kind) {
    case 'selectAll':
      return handleList(api, field)
    case 'select':
      return async (args, { run }, caller, info) => {
        const select = selectionOf(api, entity, info.fieldNodes, info, caller)
        return recordOf(await run({ kind: 'select', entity: entity.name, key: keyOf(field, args), select }, caller))
      }
    case 'insert':
    case 'update':
      return handleChange(api, field, field.kind)
    case 'delete':
      return async (args, { run }, caller) => {
        await run({ kind: 'delete', entity: entity.name, key: keyOf(field, args) }, caller)
        return true
      }
    case 'aggregate': {
      const query = field.aggregate.name
      return async (args, { run }, caller) => {
        const filters = filtersOf(args['filter'], apiNamesOf(names))
        const result = await run({ kind: 'aggregate', entity: entity.name, query, filters }, caller)
        return result.kind === 'list' ? result.records : []
      }
    }
  }
}

function handleList(api: Api, { entity, names }: RootField): Handler {
  return async (args, { run }, caller, info) => {
    const records = fieldsBelow(info.fieldNodes, info).get('records') ?? []
    const select = records.length === 0 ? minimalSelection(entity) : selectionOf(api, entity, records, info, caller)
    const listing = listingOf(args, names)
    const result = await run({ kind: 'selectAll', entity: entity.name, select, ...listing }, caller)
    if (result.kind !== 'list') throw new TypeError('The result is not a list.')
    return { records: result.records, total: result.total, totalNotFiltered: result.totalNotFiltered }
  }
}

function handleChange(api: Api, { entity, names }: RootField, kind: 'insert' | 'update'): Handler {
  return async (args, { run }, caller, info) => {
    const record = recordFrom(args['record'], apiNamesOf(names))
    // Checked before the change, so that an invalid selection changes nothing.
    const select = selectionOf(api, entity, info.fieldNodes, info, caller)
    const hasRelations = select.relations.length > 0
    if (hasRelations && (entity.key.length === 0 || !caller.may({ entity: entity.name, operation: 'select' }))) {
      throw invalidQuery(`Relations of ${entity.name} cannot be selected in this mutation. Read the record instead.`)
    }
    const operation = { kind, entity: entity.name, record, ...(hasRelations && { select }) }
    // The size of the answer is bounded before the change is committed.
    return recordOf(await run(operation, caller, copiesOf(info.fieldNodes, info)))
  }
}

/** The smallest valid selection. */
export function minimalSelection({ key, fields }: ApiEntity): Selection {
  const field = key[0] ?? fields[0]
  return { fields: field ? [field.name] : [], relations: [] }
}

/** Converts the record of an argument to API names. */
export function recordFrom(record: unknown, names: ReadonlyMap<string, string>): WireRecord {
  if (!isRecord(record)) return {}
  const result: Record<string, WireValue> = Object.create(null)
  for (const member of Object.keys(record)) result[names.get(member) ?? member] = wireValue(record[member])
  return result
}

export function keyOf({ entity, names }: RootField, args: Arguments): WireKey {
  return entity.key.map(({ name }) => wireValue(args[names.members.get(name) ?? '']))
}

function recordOf(result: OperationResult): WireRecord | null {
  return result.kind === 'record' ? result.record : null
}
