import type { Context } from './context.ts'
import { isEnd } from './token.ts'

/** What a statement of SQL Server begins with, where no semicolon stands before it. */
const beginnings = new Set(
  'CREATE ALTER EXEC EXECUTE SET USE INSERT PRINT IF DROP GRANT BEGIN DECLARE UPDATE DELETE'.split(' '),
)

/** Passes over the rest of a statement. */
export function skipStatement({ cursor, dialect }: Context): void {
  for (let token = cursor.peek(); !isEnd(token); token = cursor.peek()) {
    if (dialect === 'mssql' && token.first && beginnings.has(token.upper)) return
    cursor.take()
  }
}

/** Passes over a statement that holds others: it ends where its batch does. */
export function skipBatch({ cursor }: Context): void {
  while (cursor.peek().kind !== 'end' && cursor.peek().kind !== 'break') cursor.take()
}
