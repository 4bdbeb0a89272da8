import type { OperationFault } from '@cadmus/model/api/operation'
import type { InstanceDialect } from '../instance-dialects.ts'
import { faults } from './faults.ts'

type Violation = 'taken' | 'referred' | 'unfit'

const kinds: Readonly<Record<Violation, OperationFault['kind']>> = {
  taken: 'conflict',
  referred: 'conflict',
  unfit: 'invalid',
}

/** What a caller is told of an error that the data are to blame for; undefined for any other. */
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

/** By the standard's codes: of integrity, and of data. */
function ofState(code: unknown): Violation | undefined {
  if (typeof code !== 'string') return undefined
  if (code === '23505') return 'taken'
  if (code === '23503' || code === '23001' || code === '23504') return 'referred'
  return code.startsWith('23') || code.startsWith('22') || code === '54000' ? 'unfit' : undefined
}

function byCode(codes: Readonly<Record<Violation, readonly number[]>>): ReadonlyMap<number, Violation> {
  return new Map([
    ...codes.taken.map(code => [code, 'taken'] as const),
    ...codes.referred.map(code => [code, 'referred'] as const),
    ...codes.unfit.map(code => [code, 'unfit'] as const),
  ])
}

const mysqlErrors = byCode({
  taken: [1062, 1586],
  referred: [1451, 1452, 1216, 1217],
  unfit: [1048, 1264, 1265, 1292, 1366, 1364, 1406, 1411, 1690, 3140, 3819, 4025, 1118, 1301],
})

/** Extended result codes of constraints, and of texts that are too long. */
const sqliteErrors = byCode({ taken: [1555, 2067, 2579], referred: [787, 1811], unfit: [275, 1299, 3091, 18, 20] })

const oracleErrors = byCode({
  taken: [1],
  referred: [2291, 2292],
  unfit: [1400, 1407, 1438, 1426, 1722, 1830, 1861, 2290, 12899, 1841, 1843, 1847],
})

const mssqlErrors = byCode({
  taken: [2601, 2627],
  referred: [547],
  unfit: [515, 220, 232, 241, 242, 245, 2628, 8114, 8115, 8152],
})
