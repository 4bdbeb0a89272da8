import type { OperationFault } from '@cadmus/model/api/operation'

/** An operation that was not made, and why. */
export class OperationError extends Error {
  override readonly name = 'OperationError'
  readonly fault: OperationFault

  constructor(fault: OperationFault, options?: ErrorOptions) {
    super(fault.message, options)
    this.fault = fault
  }
}

/** The tables that are there are not the package's; the message is for whoever starts it. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}
