import type { Context } from './context.ts'
import { isEnd, type Token } from './token.ts'

/** Passes over the rest of a statement. */
export function skipStatement({ cursor }: Context): void {
  while (!isEnd(cursor.peek())) cursor.take()
}

/** Passes over a statement that holds others: it ends where its batch does. */
export function skipBatch({ cursor }: Context): void {
  cursor.inner.except(() => {
    while (cursor.peek().kind !== 'end' && cursor.peek().kind !== 'break') cursor.take()
  })
}

/** What stands in a branch of SQL Server. */
const inBranches = new Set(
  'CREATE ALTER DROP EXEC EXECUTE SET INSERT UPDATE DELETE MERGE TRUNCATE SELECT PRINT BEGIN RETURN DECLARE'.split(' '),
)

/** Passes over words of SQL Server that stand before a statement on whose conditions it depends; answers whether there were any. */
export function skipBranch({ cursor, dialect }: Context, { upper }: Token): boolean {
  if (dialect !== 'mssql' || !branches.has(upper)) return false
  if (upper === 'BEGIN' && cursor.isWord('TRAN', 'TRANSACTION', 'DISTRIBUTED')) return false
  if (upper === 'BEGIN' || upper === 'END') void (cursor.skipWords('TRY') || cursor.skipWords('CATCH'))
  if (upper !== 'IF' && upper !== 'WHILE') return true
  while (!isEnd(cursor.peek()) && !cursor.isWord(...inBranches)) {
    cursor.skipOne()
  }
  return true
}

const branches = new Set(['IF', 'ELSE', 'WHILE', 'BEGIN', 'END'])
