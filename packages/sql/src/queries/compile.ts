import type { Api, ApiFieldType } from '@cadmus/model/api/api'
import type { Operation, OperationResult, WireValue } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { InstanceDialect } from '../instance-dialects.ts'
import type { InstanceSchema } from '../instance-schema.ts'
import { aggregate } from './aggregates.ts'
import { asked, type Asked, type Context } from './context.ts'
import { faults } from './faults.ts'
import { placesOf } from './fields.ts'
import { changes, history } from './history.ts'
import { PlanFault, type CompiledApi, type Plan, type Steps } from './plan.ts'
import { queryDialects } from './query-dialects.ts'
import { asRecords, related, select, selectAll } from './reads.ts'
import { Texts } from './texts.ts'
import { faultOf } from './violations.ts'
import { writtenAfter, writtenSteps } from './written.ts'
import { insert, isOneStatement, mayAnswerMore, remove, update } from './writes.ts'

/**
 * A package's operations over the tables that `instanceSchemaOf` says, in one database's SQL. Each text is put together from what the
 * model says, once for all operations of one shape; what callers send are values of its placeholders. The plain shapes are written
 * here, so that what cannot be written is known at once. Throws a RangeError where the schema is not the API's.
 *
 *     const { writes, steps } = compiled.plan(operation, caller)
 *     let step = steps.next([])  // the first `next` takes nothing
 *     while (!step.done) step = steps.next(await run(step.value))
 *     return step.value          // the OperationResult; a PlanFault may be thrown on the way
 */
export function compileApi(api: Api, schema: InstanceSchema, dialect: InstanceDialect): CompiledApi {
  const queries = queryDialects[dialect]
  const context: Context = { api, places: placesOf(api, schema), dialect: queries, texts: new Texts(queries) }
  writePlainTexts(context)
  return {
    session: queries.session,
    plan: (operation, caller) => {
      const plan = asked(context, caller)
      requireOperation(plan, operation)
      return planOf(context, operation, stepsOf(plan, operation))
    },
    written: (operation, caller, most = limits.databaseAnswer) => {
      const plan = asked(context, caller)
      requireOperation(plan, operation)
      const steps = writtenSteps(plan, operation, most)
      if (steps) return { writes: isChange(operation) && !isOneStatement(context, operation), steps }
      // What was asked along the way is asked anew.
      return planOf(context, operation, writtenAfter(operation, stepsOf(asked(context, caller), operation)))
    },
    faultOf: error => faultOf(error, dialect),
  }
}

function planOf<Result>(context: Context, operation: Operation, steps: Steps<Result>): Plan<Result> {
  const isAlone = isOneStatement(context, operation) && !mayAnswerMore(context, operation)
  return { writes: isChange(operation) && !isAlone, steps }
}

function isChange({ kind }: Operation): boolean {
  return kind === 'insert' || kind === 'update' || kind === 'delete'
}

function stepsOf(plan: Asked, operation: Operation): Steps<OperationResult> {
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

/** What is excluded is not there, whichever protocol asks. */
function requireOperation({ places }: Asked, { kind, entity: name }: Operation): void {
  const { entity } = places.of(name)
  const isOwn = kind === 'selectAll' || kind === 'select' || kind === 'insert' || kind === 'update' || kind === 'delete'
  if (isOwn && !entity.operations[kind]) throw new PlanFault('notFound', faults.noOperation(entity.name))
}

/** Lists and single records as they are asked for without more. */
function writePlainTexts(context: Context): void {
  const caller = { name: '', tenant: context.api.options.tenancy ? '-' : null }
  const all = { fields: null, relations: [] }
  const plain = { select: all, filters: [], search: '', sort: [], limit: null, offset: 0 }
  for (const { name, key, operations } of context.api.entities) {
    if (operations.selectAll) {
      const list = { kind: 'selectAll', entity: name, ...plain } as const
      selectAll(asked(context, caller), list, asRecords).next()
      writtenSteps(asked(context, caller), list, 0)?.next()
    }
    if (operations.select && key) {
      const one = { kind: 'select', entity: name, key: someKey[key.type.kind], select: all } as const
      select(asked(context, caller), one, asRecords).next()
      writtenSteps(asked(context, caller), one, 0)?.next()
    }
  }
  context.texts.started()
}

/** A value of each kind: which one is all the same to a text. */
const someKey: Readonly<Record<ApiFieldType['kind'], WireValue>> = {
  text: '',
  guid: '00000000-0000-0000-0000-000000000000',
  integer: 0,
  decimal: 0,
  double: 0,
  boolean: false,
  date: '2000-01-01',
  time: '00:00',
  timestamp: '2000-01-01',
  json: null,
  binary: '',
}
