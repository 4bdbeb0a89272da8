import type { Api } from '@cadmus/model/api/api'
import type { Caller } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { Literal } from '@cadmus/model/values/literal'
import type { QueryDialect } from './dialect.ts'
import { faults } from './faults.ts'
import type { Places } from './fields.ts'
import { PlanFault, type BoundStatement } from './plan.ts'
import { Checker } from './reading.ts'
import { hasTenant } from './selects.ts'
import type { Texts } from './texts.ts'
import { bound } from './text.ts'
import type { Delete, Insert, Select, Update } from './tree.ts'

/** All that the plans of one package are made of. */
export type Context = {
  readonly api: Api
  readonly places: Places
  readonly dialect: QueryDialect
  readonly texts: Texts
}

/** One operation of one caller on its way to a plan. */
export type Asked = Context & {
  readonly caller: Caller
  readonly checker: Checker
  /** Tables to which nobody else adds rows before the end. */
  readonly locked: Set<string>
}

/** The tenant has the first slot, where there are tenants. Throws a PlanFault for a caller of none. */
export function asked(context: Context, caller: Caller): Asked {
  const checker = new Checker(context.places, context.api.options)
  if (context.api.options.tenancy) {
    if (!hasTenant(caller)) throw new PlanFault('invalid', faults.noTenant)
    if (Array.from(caller.tenant).length > limits.tenant) {
      throw new PlanFault('invalid', faults.tenantLength(limits.tenant))
    }
    checker.keep({ kind: 'text', value: caller.tenant })
  }
  return { ...context, caller, checker, locked: new Set() }
}

/** The statement of a shape: its query is built and written once. */
export function statement(
  { texts, dialect }: Context,
  shape: string,
  build: () => Select | Insert | Update | Delete,
  values: readonly (Literal | null)[],
  answers: BoundStatement['answers'] = 'rows',
): BoundStatement {
  return bound(texts.of(shape, build), values, dialect, answers)
}
