import type { OperationFault } from '@cadmus/model/api/operation'
import { faults } from './faults.ts'

export type Violation = 'duplicate' | 'reference' | 'value'

const kinds: Readonly<Record<Violation, OperationFault['kind']>> = {
  duplicate: 'conflict',
  reference: 'conflict',
  value: 'invalid',
}

/** The message for an error caused by the data. */
export function faultOf(violation: Violation | undefined): OperationFault | undefined {
  return violation && { kind: kinds[violation], message: faults[violation] }
}

/** The named property of a driver's error. */
export function property(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null && name in error
    ? Object.entries(error).find(([key]) => key === name)?.[1]
    : undefined
}

/** SQLSTATE codes of integrity and data errors. */
export function ofState(code: unknown): Violation | undefined {
  if (typeof code !== 'string') return undefined
  if (code === '23505') return 'duplicate'
  if (code === '23503' || code === '23001' || code === '23504') return 'reference'
  return code.startsWith('23') || code.startsWith('22') || code === '54000' ? 'value' : undefined
}

/** By the number that the driver's errors have in this property. */
export function byCode(
  name: string,
  codes: Readonly<Record<Violation, readonly number[]>>,
): (error: unknown) => Violation | undefined {
  const violations = new Map([
    ...codes.duplicate.map(code => [code, 'duplicate'] as const),
    ...codes.reference.map(code => [code, 'reference'] as const),
    ...codes.value.map(code => [code, 'value'] as const),
  ])
  return error => violations.get(Number(property(error, name)))
}
