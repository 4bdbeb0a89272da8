import type { Api } from '@cadmus/model/api/api'
import type { Caller, Operation, OperationFault, OperationResult } from '@cadmus/model/api/operation'
import type { PackageModel } from '@cadmus/model/api/package-model'
import type { DatabaseSettings } from '../drivers/settings.ts'

/** A package over its database. */
export type Engine = {
  readonly api: Api
  /** Throws an `OperationError` where the operation was not made; any other error is a defect of ours. */
  run(operation: Operation, caller: Caller): Promise<OperationResult>
  /** Whether the database answers. Throws an `OperationError` where it does not. */
  check(): Promise<void>
  /** What is under way ends; nothing is begun anymore. */
  close(): Promise<void>
}

/** Makes the package's tables where there are none. Throws a `SchemaError` where others are there, an `OperationError` without a database. */
export type OpenEngine = (model: PackageModel, database: DatabaseSettings) => Promise<Engine>

/** An operation that was not made, and why. */
export class OperationError extends Error {
  override readonly name = 'OperationError'
  readonly fault: OperationFault

  constructor(fault: OperationFault, options?: ErrorOptions) {
    super(fault.message, options)
    this.fault = fault
  }
}

/** The tables that are there are not the package's. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}
