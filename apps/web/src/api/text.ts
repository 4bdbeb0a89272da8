import { type EntityStateAnswer, readEntityContents, readSqlText, type SqlTextRead } from '@cadmus/model/contract/text'
import { callApi } from './client.ts'
import { currentScope } from './scope.ts'
import type { CallOptions } from './send.ts'

/** Reads the tables of a SQL script; stores nothing. */
export async function readSql(manifestId: number, sql: string): Promise<SqlTextRead> {
  return callApi(readSqlText, { params: { id: manifestId }, body: { sql } }, { scope: currentScope() })
}

type Tagged = { id: number; tag: string }

/** The entities of a manifest, in its order: those in the states that the caller has, and what `received` makes of others. */
export async function readContents<T extends Tagged>(
  manifestId: number,
  before: readonly T[],
  received: (state: EntityStateAnswer) => T,
  options: CallOptions,
): Promise<readonly T[]> {
  const byId = new Map(before.map(one => [one.id, one]))
  for (;;) {
    const known = Array.from(byId.values(), ({ id, tag }) => ({ id, tag }))
    const { ids, entities, more } = await callApi(
      readEntityContents,
      { params: { id: manifestId }, body: { known } },
      options,
    )
    for (const state of entities) byId.set(state.id, received(state))
    if (more && entities.length > 0) continue
    const all = ids.flatMap(id => byId.get(id) ?? [])
    return all.length === before.length && all.every((one, at) => one === before[at]) ? before : all
  }
}
