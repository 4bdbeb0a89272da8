import { createHash } from 'node:crypto'
import type { Db } from './database.ts'

/** SHA-256 of a content's canonical JSON text, in hex: its name in the store and its ETag. */
export function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}

const rowsAStatement = 200

/** Stores contents (canonical JSON texts) once each and answers their hashes in the same order. */
export async function putContents(db: Db, organisationId: number, bodies: readonly string[]): Promise<string[]> {
  const hashes = bodies.map(hashOf)
  const rows = [...new Map(bodies.map((body, index) => [hashes[index] ?? '', body]))].map(([hash, body]) => ({
    organisation_id: organisationId,
    hash,
    body,
  }))
  for (let start = 0; start < rows.length; start += rowsAStatement) {
    await db
      .insertInto('content')
      .values(rows.slice(start, start + rowsAStatement))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
  return hashes
}

export async function putContent(db: Db, organisationId: number, body: string): Promise<string> {
  const [hash] = await putContents(db, organisationId, [body])
  return hash ?? hashOf(body)
}

/** The text of a content of this organisation or of the library. */
export async function contentByHash(db: Db, organisationId: number, hash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('content')
    .select('body')
    .where('organisation_id', 'in', [organisationId, 0])
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row?.body
}
