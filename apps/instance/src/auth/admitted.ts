import type { Caller } from '@cadmus/model/api/operation'
import type { OperationName } from '@cadmus/model/entity'

/** What a caller needs: an operation of an entity, or only to be somebody whom the package lets in. */
export type Need = { readonly entity: string; readonly operation: OperationName } | 'any'

/** Somebody who was let in; `may`: whether to another operation as well, as where records of several entities are answered together. */
export type Admitted = Caller & { may(need: Need): boolean }
