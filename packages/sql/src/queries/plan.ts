import type { Caller, Operation, OperationFault, OperationResult, WrittenResult } from '@cadmus/model/api/operation'

/** What is sent to a database: a text that was put together from the model alone, and the values of its placeholders in their order. */
export type BoundStatement = {
  readonly text: string
  readonly parameters: readonly SqlValue[]
  /**
   * rows: its rows are the answer, each a list of its values in the order of the columns. count: how many rows it changed is the
   * answer, as one row of one number. key: one row of one value, which an Oracle driver binds as a number that comes out behind
   * all other parameters.
   */
  readonly answers: 'rows' | 'count' | 'key'
}

/** 64-bit integers for SQLite are bigint, bytes Uint8Array; everything else is as the texts' casts ask for it. */
export type SqlValue = string | number | bigint | Uint8Array | null

/** Values as drivers give them: integers of 64 bits whole (as text or bigint), bytes as Uint8Array where they are not text. */
export type SqlRows = readonly (readonly unknown[])[]

/**
 * The way from an operation to its result, a statement at a time: `steps.next(rows)` with what the last one answered. It ends with the
 * result, or throws a `PlanFault`. A plan that `writes` runs in one transaction on one connection, which is undone where it
 * throws; where a change is one statement it does not.
 */
export type Plan<Result = OperationResult> = {
  readonly writes: boolean
  readonly steps: Steps<Result>
}

export type Steps<Result = OperationResult> = Generator<BoundStatement, Result, SqlRows>

/** An operation that is not made, and what its caller is told. */
export class PlanFault extends Error {
  override readonly name = 'PlanFault'
  readonly fault: OperationFault

  constructor(kind: OperationFault['kind'], message: string) {
    super(message)
    this.fault = { kind, message }
  }
}

/** A package's operations over one database's SQL; `compileApi(api, schema, dialect)` of `queries/compile.ts` makes it. */
export type CompiledApi = {
  /** What every connection runs before anything else. */
  readonly session: readonly string[]
  /** Throws a `PlanFault` for what the API has not, or for a value that its field does not take. */
  plan(operation: Operation, caller: Caller): Plan
  /**
   * The same with records as JSON, which the database writes where it can. `most`: bytes of a changed record that is answered by the one statement
   * that changes it; the database refuses a larger one (`QueryDialect.wire.atMost`), and nothing is changed.
   */
  written(operation: Operation, caller: Caller, most?: number): Plan<WrittenResult>
  /**
   * What the caller is told where a statement failed because of the data: a value that is there already, a record that others refer
   * to, a value that a column does not take. Undefined for every other error: it is the driver's or ours.
   */
  faultOf(error: unknown): OperationFault | undefined
}
