import type { Caller } from '@cadmus/model/api/operation'
import type { OperationName } from '@cadmus/model/entity'

/** The permission a request needs: an operation of an entity, or only access to the package. */
export type Need = { readonly entity: string; readonly operation: OperationName } | 'any'

/** An admitted caller. `may` checks further permissions, as for records of several entities in one answer. */
export type Admitted = Caller & { may(need: Need): boolean }
