import type { OperationFault } from '@cadmus/model/api/operation'
import type { SchemaStep } from '@cadmus/model/schema-step'

/** A failed operation and its fault. */
export class OperationError extends Error {
  override readonly name = 'OperationError'
  readonly fault: OperationFault

  constructor(fault: OperationFault, options?: ErrorOptions) {
    super(fault.message, options)
    this.fault = fault
  }
}

/**
 * The database refused the sign-in. Not retried automatically. The message is for the user who starts the package.
 */
export class SignInError extends OperationError {
  /** `again`: how the user repeats the start. */
  constructor(again = 'start the package again', options?: ErrorOptions) {
    const message = `The database refuses the sign-in of the package, or there is no such database. Correct its name, user or password, then ${again}.`
    super({ kind: 'unavailable', message }, options)
  }
}

/** The existing tables do not fit the package, or its user may not change them. The message is for the user who starts it. */
export class SchemaError extends Error {
  override readonly name: string = 'SchemaError'
  /** The planned steps, if they were refused because of data loss. */
  readonly steps: readonly SchemaStep[]

  constructor(message: string, { steps = [], ...options }: ErrorOptions & { steps?: readonly SchemaStep[] } = {}) {
    super(message, options)
    this.steps = steps
  }
}

/** The existing tables belong to another package of the same name. */
export class OthersTablesError extends SchemaError {
  override readonly name = 'OthersTablesError'
}
