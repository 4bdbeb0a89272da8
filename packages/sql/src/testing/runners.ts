import { type TextPieces, wholeText } from '@cadmus/model/text-pieces'
import type { Caller, Operation, OperationFault, OperationResult, WrittenResult } from '@cadmus/model/api/operation'
import { faults } from '../queries/faults.ts'
import { PlanFault, type BoundStatement, type CompiledApi, type Plan, type SqlRows } from '../queries/plan.ts'

// For tests only: runs plans on databases without an instance.

export type Runner = {
  make(statements: readonly string[]): Promise<void>
  run(statement: BoundStatement): Promise<SqlRows>
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  close(): Promise<void>
}

export type Outcome = OperationResult | { readonly fault: OperationFault }

/** The outcome of an operation with its statements. `isWritten`: records are requested as JSON. */
export async function outcomeOf(
  compiled: CompiledApi,
  runner: Runner,
  operation: Operation,
  caller: Caller,
  isWritten = false,
): Promise<{ outcome: Outcome; texts: string[] }> {
  const texts: string[] = []
  try {
    const plan: Plan<OperationResult | WrittenResult> = isWritten
      ? compiled.written(operation, caller)
      : compiled.plan(operation, caller)
    const { writes, steps } = plan
    if (writes) await runner.begin()
    try {
      let step = steps.next([])
      while (!step.done) {
        texts.push(step.value.text)
        step = steps.next(await runner.run(step.value))
      }
      if (writes) await runner.commit()
      return { outcome: readBack(step.value), texts }
    } catch (error) {
      if (writes) await runner.rollback()
      throw error
    }
  } catch (error) {
    const fault = error instanceof PlanFault ? error.fault : compiled.faultOf(error, operation.entity)
    if (!fault) throw new Error(`${JSON.stringify(operation)}\n${texts.join('\n')}`, { cause: error })
    return { outcome: { fault: withoutFields(fault) }, texts }
  }
}

/** Which of several violated keys is reported depends on the database. */
function withoutFields({ fields, ...fault }: OperationFault): OperationFault {
  return fields && fault.kind === 'conflict' ? { ...fault, message: faults.duplicate } : fault
}

function readBack(result: OperationResult | WrittenResult): OperationResult {
  if (result.kind === 'record') return { kind: 'record', record: read(result.record) }
  return result.kind === 'list' ? { ...result, records: read(result.records) } : result
}

function read<T extends object>(value: T | TextPieces): T {
  return isText(value) ? JSON.parse(wholeText(value)) : value
}

function isText(value: object | string): value is TextPieces {
  return typeof value === 'string' || (Symbol.iterator in value && !Array.isArray(value))
}
