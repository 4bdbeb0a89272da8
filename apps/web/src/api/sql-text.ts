import { readSqlText, type SqlTextRead } from '@cadmus/model/contract/text'
import { callApi } from './client.ts'
import { currentScope } from './scope.ts'

/** Reads the tables of a SQL script; stores nothing. */
export async function readSql(manifestId: number, sql: string): Promise<SqlTextRead> {
  return callApi(readSqlText, { params: { id: manifestId }, body: { sql } }, { scope: currentScope() })
}
