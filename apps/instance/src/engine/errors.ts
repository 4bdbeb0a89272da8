import type { OperationFault } from '@cadmus/model/api/operation'
import { pauseText } from '../drivers/driver.ts'
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
  /** `again`: how the user repeats the start. `cause`: the error of the database or of the start. */
  constructor(again = 'start the package again', { cause }: ErrorOptions = {}) {
    const message = `The database refuses the sign-in of the package, or there is no such database. Correct its name, user or password, then ${again}.`
    const refusal = cause instanceof SignInError ? cause.cause : cause
    super({ kind: 'unavailable', message: `${message}${pauseText(refusal)}` }, { cause })
  }
}

/** A reason why records prevent a change of tables, with the uids of the entity and of the attribute or relationship. */
export type SchemaObstacle = {
  readonly text: string
  readonly entity: string
  readonly attribute: { readonly kind: 'typeAttribute' | 'entityAttribute'; readonly uid: string }
}

/** The existing tables do not fit the package, or its user may not change them. The message is for the user who starts it. */
export class SchemaError extends Error {
  override readonly name: string = 'SchemaError'
  /** The planned steps, if they were refused because of data loss. */
  readonly steps: readonly SchemaStep[]
  /** The records that prevent it. */
  readonly obstacles: readonly SchemaObstacle[]

  constructor(message: string, { steps = [], obstacles = [], ...options }: ErrorOptions & SchemaErrorDetails = {}) {
    super(message, options)
    this.steps = steps
    this.obstacles = obstacles
  }

  /** Whether other records would not cause it. */
  get isOfRecords(): boolean {
    return this.steps.length + this.obstacles.length > 0
  }
}

type SchemaErrorDetails = { steps?: readonly SchemaStep[]; obstacles?: readonly SchemaObstacle[] }

/** The existing tables belong to another package of the same name. */
export class OthersTablesError extends SchemaError {
  override readonly name = 'OthersTablesError'
}
