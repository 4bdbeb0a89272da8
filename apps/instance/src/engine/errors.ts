import type { OperationFault } from '@cadmus/model/api/operation'
import type { SchemaStep } from '@cadmus/model/schema-step'

/** An operation that was not made, and why. */
export class OperationError extends Error {
  override readonly name = 'OperationError'
  readonly fault: OperationFault

  constructor(fault: OperationFault, options?: ErrorOptions) {
    super(fault.message, options)
    this.fault = fault
  }
}

/** The database refused the sign-in: it is not tried again by itself. The message is for whoever starts the package. */
export class SignInError extends OperationError {
  constructor(options?: ErrorOptions) {
    const message =
      'The database refuses the sign-in of the package, or there is no such database. Correct its name, user or password, then start the package again.'
    super({ kind: 'unavailable', message }, options)
  }
}

/** The tables that are there are not the package's; the message is for whoever starts it. */
export class SchemaError extends Error {
  override readonly name: string = 'SchemaError'
  /** All that would be done, where it was not done because data would be lost. */
  readonly steps: readonly SchemaStep[]

  constructor(message: string, { steps = [], ...options }: ErrorOptions & { steps?: readonly SchemaStep[] } = {}) {
    super(message, options)
    this.steps = steps
  }
}

/** The tables that are there are another package's, which had the same name. */
export class OthersTablesError extends SchemaError {
  override readonly name = 'OthersTablesError'
}
