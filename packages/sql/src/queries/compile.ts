import type { Api, ApiFieldType } from '@cadmus/model/api/api'
import type { Operation, OperationResult, WireValue } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import { databases, type RunDatabase } from '../databases.ts'
import type { InstanceSchema } from '../instance-schema.ts'
import { aggregate } from './aggregates.ts'
import { type Context, type Query, startQuery, StatementCache } from './context.ts'
import { faults } from './faults.ts'
import { mapEntities } from './fields.ts'
import { changes, history } from './history.ts'
import { PlanFault, type CompiledApi, type Plan, type Steps } from './plan.ts'
import { asRecords, related, select, selectAll } from './reads.ts'
import { faultOf } from './dialect.ts'
import { violatedKeysOf } from './violated-keys.ts'
import { writtenAfter, writtenSteps } from './written.ts'
import { insert, isOneStatement, mayAnswerMore, remove, update } from './writes.ts'

/**
 * Compiles the operations of a package over the tables of `instanceSchemaOf` to the SQL of one database. Operations of
 * the same shape share one statement; values sent by callers become parameters. Plain shapes are compiled at once, so
 * that failures surface early. Throws a RangeError if the schema does not belong to the API.
 *
 *     const { writes, steps } = compiled.plan(operation, caller)
 *     let step = steps.next([])  // the first `next` takes nothing
 *     while (!step.done) step = steps.next(await run(step.value))
 *     return step.value          // the OperationResult; a PlanFault may be thrown on the way
 */
export function compileApi(api: Api, schema: InstanceSchema, dialect: RunDatabase): CompiledApi {
  const queries = databases[dialect].run.queries
  const context: Context = {
    api,
    mappings: mapEntities(api, schema),
    dialect: queries,
    statements: new StatementCache(queries),
  }
  const keys = violatedKeysOf(schema.schema)
  compilePlainShapes(context)
  return {
    session: queries.session,
    plan: (operation, caller) => {
      const plan = startQuery(context, caller)
      requireOperation(plan, operation)
      return planOf(context, operation, stepsOf(plan, operation))
    },
    written: (operation, caller, maxBytes = limits.databaseAnswer) => {
      const plan = startQuery(context, caller)
      requireOperation(plan, operation)
      const steps = writtenSteps(plan, operation, maxBytes)
      if (steps) return { writes: isChange(operation) && !isOneStatement(context, operation), steps }
      // The slots of the first query are already used.
      return planOf(context, operation, writtenAfter(operation, stepsOf(startQuery(context, caller), operation)))
    },
    faultOf: (error, entity) => faultOf(error, queries, description => keys(description, entity)),
  }
}

function planOf<Result>(context: Context, operation: Operation, steps: Steps<Result>): Plan<Result> {
  const isAlone = isOneStatement(context, operation) && !mayAnswerMore(context, operation)
  return { writes: isChange(operation) && !isAlone, steps }
}

function isChange({ kind }: Operation): boolean {
  return kind === 'insert' || kind === 'update' || kind === 'delete'
}

function stepsOf(plan: Query, operation: Operation): Steps<OperationResult> {
  switch (operation.kind) {
    case 'selectAll':
      return selectAll(plan, operation, asRecords)
    case 'select':
      return select(plan, operation, asRecords)
    case 'related':
      return related(plan, operation, asRecords)
    case 'insert':
      return insert(plan, operation)
    case 'update':
      return update(plan, operation)
    case 'delete':
      return remove(plan, operation)
    case 'aggregate':
      return aggregate(plan, operation)
    case 'history':
      return history(plan, operation)
    case 'changes':
      return changes(plan, operation)
  }
}

/** Operations that the model excludes do not exist in any protocol. */
function requireOperation({ mappings }: Query, { kind, entity: name }: Operation): void {
  const { entity } = mappings.of(name)
  const isOwn = kind === 'selectAll' || kind === 'select' || kind === 'insert' || kind === 'update' || kind === 'delete'
  if (isOwn && !entity.operations[kind]) throw new PlanFault('notFound', faults.noOperation(entity.name))
}

/** Compiles lists and single records without options. */
function compilePlainShapes(context: Context): void {
  const caller = { name: '', tenant: context.api.options.tenancy ? '-' : null }
  const all = { fields: null, relations: [] }
  const plain = { select: all, filters: [], search: '', sort: [], limit: null, offset: 0 }
  for (const { name, key, operations } of context.api.entities) {
    if (operations.selectAll) {
      const list = { kind: 'selectAll', entity: name, ...plain } as const
      selectAll(startQuery(context, caller), list, asRecords).next()
      writtenSteps(startQuery(context, caller), list, 0)?.next()
    }
    if (operations.select && key.length > 0) {
      const sample = key.map(({ type }) => sampleKeys[type.kind])
      const one = { kind: 'select', entity: name, key: sample, select: all } as const
      select(startQuery(context, caller), one, asRecords).next()
      writtenSteps(startQuery(context, caller), one, 0)?.next()
    }
  }
  context.statements.endStartup()
}

/** A sample value of each kind; the statement does not depend on it. */
const sampleKeys: Readonly<Record<ApiFieldType['kind'], WireValue>> = {
  text: '',
  guid: '00000000-0000-0000-0000-000000000000',
  integer: 0,
  decimal: 0,
  double: 0,
  boolean: false,
  date: '2000-01-01',
  time: '00:00',
  timestamp: '2000-01-01',
  instant: '2000-01-01T00:00Z',
  local: '2000-01-01',
  json: null,
  binary: '',
}
