import type { OperationFault } from '@cadmus/model/api/operation'
import type { InstanceDialect } from '../instance-dialects.ts'
import { faults } from './faults.ts'

type Violation = 'duplicate' | 'reference' | 'value'

const kinds: Readonly<Record<Violation, OperationFault['kind']>> = {
  duplicate: 'conflict',
  reference: 'conflict',
  value: 'invalid',
}

/** The message for an error caused by the data; undefined for any other error. */
export function faultOf(error: unknown, dialect: InstanceDialect): OperationFault | undefined {
  const violation = readers[dialect](error)
  return violation && { kind: kinds[violation], message: faults[violation] }
}

const readers: Readonly<Record<InstanceDialect, (error: unknown) => Violation | undefined>> = {
  postgresql: error => ofState(property(error, 'code')),
  hsql: error => ofState(property(error, 'code')) ?? ofState(property(error, 'sqlState')),
  mysql: error => mysqlErrors.get(Number(property(error, 'errno'))),
  sqlite: error => sqliteErrors.get(Number(property(error, 'errcode'))),
  oracle: error => oracleErrors.get(Number(property(error, 'errorNum'))),
  mssql: error => mssqlErrors.get(Number(property(error, 'number'))),
}

function property(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null && name in error
    ? Object.entries(error).find(([key]) => key === name)?.[1]
    : undefined
}

/** SQLSTATE codes of integrity and data errors. */
function ofState(code: unknown): Violation | undefined {
  if (typeof code !== 'string') return undefined
  if (code === '23505') return 'duplicate'
  if (code === '23503' || code === '23001' || code === '23504') return 'reference'
  return code.startsWith('23') || code.startsWith('22') || code === '54000' ? 'value' : undefined
}

function byCode(codes: Readonly<Record<Violation, readonly number[]>>): ReadonlyMap<number, Violation> {
  return new Map([
    ...codes.duplicate.map(code => [code, 'duplicate'] as const),
    ...codes.reference.map(code => [code, 'reference'] as const),
    ...codes.value.map(code => [code, 'value'] as const),
  ])
}

const mysqlErrors = byCode({
  duplicate: [1062, 1586],
  reference: [1451, 1452, 1216, 1217],
  value: [1048, 1264, 1265, 1292, 1366, 1364, 1406, 1411, 1690, 3140, 3819, 4025, 1118, 1301],
})

/** Extended result codes of constraints, and of texts that are too long. */
const sqliteErrors = byCode({ duplicate: [1555, 2067, 2579], reference: [787, 1811], value: [275, 1299, 3091, 18, 20] })

const oracleErrors = byCode({
  duplicate: [1],
  reference: [2291, 2292],
  value: [1400, 1407, 1438, 1426, 1722, 1830, 1861, 2290, 12899, 1841, 1843, 1847],
})

const mssqlErrors = byCode({
  duplicate: [2601, 2627],
  reference: [547],
  value: [515, 220, 232, 241, 242, 245, 2628, 8114, 8115, 8152],
})
