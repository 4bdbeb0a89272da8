import type { Api } from '@cadmus/model/api/api'
import type { Caller } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { Literal } from '@cadmus/model/values/literal'
import type { QueryDialect } from './dialect.ts'
import { faults } from './faults.ts'
import type { EntityMappings } from './fields.ts'
import { PlanFault, type BoundStatement } from './plan.ts'
import { Checker } from './reading.ts'
import { hasTenant } from './selects.ts'
import type { StatementCache } from './statement-cache.ts'
import { bindStatement } from './text.ts'
import type { Delete, Insert, Select, Update } from './tree.ts'

/** Shared by all plans of a package. */
export type Context = {
  readonly api: Api
  readonly mappings: EntityMappings
  readonly dialect: QueryDialect
  readonly statements: StatementCache
}

/** State while one operation of one caller is planned. */
export type Query = Context & {
  readonly caller: Caller
  readonly checker: Checker
  /** Tables locked against inserts until the end of the transaction. */
  readonly locked: Set<string>
}

/** With tenancy, the tenant takes the first slot. Throws a PlanFault if the caller has no tenant. */
export function startQuery(context: Context, caller: Caller): Query {
  const checker = new Checker(context.mappings, context.api.options)
  if (context.api.options.tenancy) {
    if (!hasTenant(caller)) throw new PlanFault('invalid', faults.noTenant)
    if (Array.from(caller.tenant).length > limits.tenant) {
      throw new PlanFault('invalid', faults.tenantLength(limits.tenant))
    }
    checker.addValue({ kind: 'text', value: caller.tenant })
  }
  return { ...context, caller, checker, locked: new Set() }
}

/**
 * Gives the query its own slots, for repeated statements: their shape does not depend on the statements before them,
 * and their values are freed after them.
 */
export function withOwnSlots(query: Query): Query {
  return { ...startQuery(query, query.caller), locked: query.locked }
}

/** The statement of a shape, built and written only once. */
export function statement(
  { statements, dialect }: Context,
  shape: string,
  build: () => Select | Insert | Update | Delete,
  values: readonly (Literal | null)[],
  answers: BoundStatement['answers'] = 'rows',
): BoundStatement {
  return bindStatement(statements.of(shape, build), values, dialect, answers)
}
