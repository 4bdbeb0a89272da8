import type { Api } from '@cadmus/model/api/api'
import type { Caller } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { Literal } from '@cadmus/model/values/literal'
import type { QueryDialect } from './dialect.ts'
import { faults } from './faults.ts'
import type { EntityMappings } from './fields.ts'
import { type BoundStatement, PlanFault } from './plan.ts'
import { Checker } from './reading.ts'
import { hasTenant } from './selects.ts'
import { bindStatement, type QueryText, textOf } from './text.ts'
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

/**
 * Limit of cached statements beside the plain shapes. The recent half is always complete; up to as many older ones are
 * kept.
 */
const maxCached = 2000

/** Cache of statements by shape. Plain shapes are kept; other shapes are evicted when they are no longer used. */
export class StatementCache {
  readonly #dialect: QueryDialect
  readonly #plain = new Map<string, QueryText>()
  /** Statements used since the last rotation: two generations are cheaper than moving an entry on each use. */
  #recent = new Map<string, QueryText>()
  #before = new Map<string, QueryText>()
  #isStarting = true

  constructor(dialect: QueryDialect) {
    this.#dialect = dialect
  }

  /** Ends the start-up phase, whose statements are never evicted. */
  endStartup(): void {
    this.#isStarting = false
  }

  of(shape: string, build: () => Select | Insert | Update | Delete): QueryText {
    const cached = this.#plain.get(shape) ?? this.#recent.get(shape)
    if (cached) return cached
    const text = this.#before.get(shape) ?? textOf(build(), this.#dialect)
    if (this.#isStarting) this.#plain.set(shape, text)
    else this.#add(shape, text)
    return text
  }

  #add(shape: string, text: QueryText): void {
    this.#recent.set(shape, text)
    if (this.#recent.size < maxCached / 2) return
    this.#before = this.#recent
    this.#recent = new Map()
  }
}
