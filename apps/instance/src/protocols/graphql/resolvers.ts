import type { Api, ApiEntity } from '@cadmus/model/api/api'
import type {
  Operation,
  OperationResult,
  Selection,
  WireRecord,
  WireValue,
  WrittenResult,
} from '@cadmus/model/api/operation'
import { isRecord } from '@cadmus/model/equal'
import type { RootField } from '@cadmus/formats/graphql/root-fields'
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql'
import type { Admitted, Need } from '../../auth/admitted.ts'
import { invalidQuery } from './faults.ts'
import { copiesOf, fieldsBelow, selectionOf } from './look-ahead.ts'
import { wireValue } from '../rest/sent-record.ts'
import { apiNamesOf, filtersOf, listingOf } from './listing.ts'

/** What the fields of one request have in common. */
export type GraphQlContext = {
  /** Who was let in so far. */
  readonly caller: Admitted
  /** Lets the caller in, or throws an `HttpError`. */
  admit(need: Need): Promise<Admitted>
  /** `copies`: how often the answer holds what is read. */
  run(operation: Operation, caller: Admitted, copies?: number): Promise<OperationResult>
  /** The same with records as JSON. */
  write(operation: Operation, caller: Admitted): Promise<WrittenResult>
  /** An error as the answer holds it; what is nobody's fault is in the log. */
  told(error: unknown): Error
}

type Resolver = GraphQLFieldResolver<unknown, GraphQlContext>
type Arguments = Readonly<Record<string, unknown>>
type Work = (args: Arguments, context: GraphQlContext, caller: Admitted, info: GraphQLResolveInfo) => Promise<unknown>

/** Answers a field at the root with one operation, and what comes by relations with it. */
export function resolverOf(api: Api, field: RootField): Resolver {
  const work = workOf(api, field)
  const operation = field.kind === 'aggregate' ? 'selectAll' : field.kind
  return async (_source, args, context, info) => {
    try {
      const caller = await context.admit({ entity: field.entity.name, operation })
      return await work(args, context, caller, info)
    } catch (error) {
      throw context.told(error)
    }
  }
}

function workOf(api: Api, field: RootField): Work {
  const { entity, names } = field
  switch (field.kind) {
    case 'selectAll':
      return listWork(api, field)
    case 'select':
      return async (args, { run }, caller, info) => {
        const select = selectionOf(api, entity, info.fieldNodes, info, caller)
        return recordOf(await run({ kind: 'select', entity: entity.name, key: keyOf(field, args), select }, caller))
      }
    case 'insert':
    case 'update':
      return changeWork(api, field, field.kind)
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

function listWork(api: Api, { entity, names }: RootField): Work {
  return async (args, { run }, caller, info) => {
    const asked = fieldsBelow(info.fieldNodes, info).get('records') ?? []
    const select = asked.length === 0 ? leastOf(entity) : selectionOf(api, entity, asked, info, caller)
    const listing = listingOf(args, names)
    const result = await run({ kind: 'selectAll', entity: entity.name, select, ...listing }, caller)
    if (result.kind !== 'list') throw new TypeError('What was listed is no list.')
    return { records: result.records, total: result.total, totalNotFiltered: result.totalNotFiltered }
  }
}

function changeWork(api: Api, { entity, names }: RootField, kind: 'insert' | 'update'): Work {
  return async (args, { run }, caller, info) => {
    const record = sentRecord(args['record'], apiNamesOf(names))
    // Before anything is changed: what is asked for in vain changes nothing.
    const select = selectionOf(api, entity, info.fieldNodes, info, caller)
    if (select.relations.length > 0 && (!entity.key || !caller.may({ entity: entity.name, operation: 'select' }))) {
      throw invalidQuery(
        `What a record of ${entity.name} leads to is asked for when it is read, not when it is changed.`,
      )
    }
    // What is changed is answered whatever it comes to: that is bounded before.
    const copies = copiesOf(info.fieldNodes, info)
    const result = await run({ kind, entity: entity.name, record }, caller, copies)
    const stored = result.kind === 'record' ? result.record : null
    if (select.relations.length === 0 || !entity.key || !stored) return stored
    return recordOf(await run(readBack(entity.name, stored[entity.key.name] ?? null, select), caller, copies))
  }
}

function readBack(entity: string, key: WireRecord[string], select: Selection): Operation {
  return { kind: 'select', entity, key, select }
}

/** As little of records as can be. */
export function leastOf({ key, fields }: ApiEntity): Selection {
  const least = key ?? fields[0]
  return { fields: least ? [least.name] : [], relations: [] }
}

/** The record of an argument, by the names of the API. */
export function sentRecord(record: unknown, names: ReadonlyMap<string, string>): WireRecord {
  if (!isRecord(record)) return {}
  const sent: Record<string, WireValue> = Object.create(null)
  for (const member of Object.keys(record)) sent[names.get(member) ?? member] = wireValue(record[member])
  return sent
}

/** The key of an argument. */
export function keyOf({ entity, names }: RootField, args: Arguments): WireRecord[string] {
  return wireValue(args[names.members.get(entity.key?.name ?? '') ?? ''])
}

function recordOf(result: OperationResult): WireRecord | null {
  return result.kind === 'record' ? result.record : null
}
