import type { Context } from './context.ts'
import { isEnd, type Token } from './token.ts'

export function skipStatement({ cursor }: Context): void {
  while (!isEnd(cursor.peek())) cursor.take()
}

/** Skips a statement that contains others, up to the end of its batch. */
export function skipBatch({ cursor }: Context): void {
  cursor.inner.pauseWhile(() => {
    while (cursor.peek().kind !== 'end' && cursor.peek().kind !== 'break') cursor.take()
  })
}

/** Statements of SQL Server that may follow a condition. */
const branchStatements = new Set(
  'CREATE ALTER DROP EXEC EXECUTE SET INSERT UPDATE DELETE MERGE TRUNCATE SELECT PRINT BEGIN RETURN DECLARE'.split(' '),
)

/** Skips a control-flow word of SQL Server with its condition; returns false if there is none. */
export function skipBranch({ cursor, dialect }: Context, { upper }: Token): boolean {
  if (dialect !== 'mssql' || !branches.has(upper)) return false
  if (upper === 'BEGIN' && cursor.isWord('TRAN', 'TRANSACTION', 'DISTRIBUTED')) return false
  if (upper === 'BEGIN' || upper === 'END') void (cursor.skipWords('TRY') || cursor.skipWords('CATCH'))
  if (upper !== 'IF' && upper !== 'WHILE') return true
  while (!isEnd(cursor.peek()) && !cursor.isWord(...branchStatements)) {
    cursor.skipOne()
  }
  return true
}

const branches = new Set(['IF', 'ELSE', 'WHILE', 'BEGIN', 'END'])
