import type { Caller, Operation, OperationFault, OperationResult, WrittenResult } from '@cadmus/model/api/operation'

/** A statement whose text depends on the model alone, with the values of its placeholders in order. */
export type BoundStatement = {
  readonly text: string
  readonly parameters: readonly SqlValue[]
  /**
   * rows: one list of values per row, in column order. count: the number of changed rows, as one row of one value. key:
   * one row of one value, which an Oracle driver binds as a numeric output parameter after all others.
   */
  readonly answers: 'rows' | 'count' | 'key'
  /** Whether its rows are not part of the answer to the caller, but of the history for example. */
  readonly isInternal?: boolean
}

/** 64-bit integers for SQLite are bigint, bytes Uint8Array; everything else is as the statement's casts expect. */
export type SqlValue = string | number | bigint | Uint8Array | null

/**
 * Values as returned by drivers: 64-bit integers without loss (as text or bigint), bytes as Uint8Array unless they are
 * text.
 */
export type SqlRows = readonly (readonly unknown[])[]

/**
 * The steps from an operation to its result: `steps.next(rows)` takes the answer to the previous statement. Ends with
 * the result or throws a `PlanFault`. If `writes` is true, all steps run in one transaction on one connection, rolled
 * back on any error; a change by a single statement needs none.
 */
export type Plan<Result = OperationResult> = {
  readonly writes: boolean
  readonly steps: Steps<Result>
}

export type Steps<Result = OperationResult> = Generator<BoundStatement, Result, SqlRows>

/** An operation that is rejected, with the message for its caller. */
export class PlanFault extends Error {
  override readonly name = 'PlanFault'
  readonly fault: OperationFault

  constructor(kind: OperationFault['kind'], message: string, fields?: readonly string[]) {
    super(message)
    this.fault = fields ? { kind, message, fields } : { kind, message }
  }
}

/** The operations of a package in one database's SQL, made by `compileApi` of `queries/compile.ts`. */
export type CompiledApi = {
  /** Run on every connection before anything else. */
  readonly session: readonly string[]
  /** Throws a `PlanFault` for an unknown operation or an invalid value. */
  plan(operation: Operation, caller: Caller): Plan
  /**
   * As `plan`, with records as JSON, written by the database if possible. `maxBytes`: limit of a changed record
   * returned by the single statement that changes it; the database rejects a larger one (`QueryDialect.wire.atMost`)
   * and changes nothing.
   */
  written(operation: Operation, caller: Caller, maxBytes?: number): Plan<WrittenResult>
  /**
   * The message for an error caused by the data: a duplicate value, a reference, a value that a column rejects.
   * Undefined for any other error. `entity`: whose records are changed.
   */
  faultOf(error: unknown, entity?: string): OperationFault | undefined
}
