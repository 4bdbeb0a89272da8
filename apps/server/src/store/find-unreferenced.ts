import { bodiesOf } from './content.ts'
import type { Db } from './database.ts'

/** Content hashes within any text. */
const hashes = /[0-9a-f]{64}/g

/**
 * Returns an organisation's contents that are not referenced by any current state, version, snapshot, package, audit
 * entry or restoration data. Reads all data of the organisation, so run it in a worker.
 */
export async function findUnreferencedContents(db: Db, organisationId: number): Promise<string[]> {
  const hashesOf = (table: 'entity' | 'entity_version' | 'manifest' | 'manifest_version') =>
    db.selectFrom(table).select('content_hash as hash').where('organisation_id', '=', organisationId)
  const audited = (column: 'original_hash' | 'updated_hash') =>
    db.selectFrom('audit_entry').select(`${column} as hash`).where('organisation_id', '=', organisationId)
  const rows = await db
    .selectFrom('content')
    .select('hash as hash')
    .where('organisation_id', '=', organisationId)
    .except(hashesOf('entity'))
    .except(hashesOf('entity_version'))
    .except(hashesOf('manifest'))
    .except(hashesOf('manifest_version'))
    .except(
      db
        .selectFrom('manifest')
        .select('configuration_hash as hash')
        .where('organisation_id', '=', organisationId)
        .$castTo<{ hash: string }>(),
    )
    .except(
      db
        .selectFrom('package_version')
        .select('content_hash as hash')
        .where('organisation_id', '=', organisationId)
        .where('content_hash', 'is not', null)
        .$castTo<{ hash: string }>(),
    )
    .except(audited('original_hash').$castTo<{ hash: string }>())
    .except(audited('updated_hash').$castTo<{ hash: string }>())
    .execute()
  const unreferenced = new Set(rows.map(row => row.hash))
  if (unreferenced.size === 0) return []
  for await (const hash of hashesInSnapshots(db, organisationId)) unreferenced.delete(hash)
  for await (const hash of hashesInRestorations(db, organisationId)) unreferenced.delete(hash)
  return [...unreferenced]
}

async function* hashesInSnapshots(db: Db, organisationId: number): AsyncGenerator<string> {
  const versions = await db
    .selectFrom('manifest_version')
    .select('content_hash as hash')
    .distinct()
    .where('organisation_id', '=', organisationId)
    .execute()
  for (const version of versions) {
    const bodies = await bodiesOf(db, organisationId, [version])
    yield* bodies.get(version.hash)?.match(hashes) ?? []
  }
}

async function* hashesInRestorations(db: Db, organisationId: number): AsyncGenerator<string> {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('audit_entry')
      .select(['id', 'restoration'])
      .where('organisation_id', '=', organisationId)
      .where('id', '>', after)
      .where('restoration', 'is not', null)
      .orderBy('id')
      .limit(1000)
      .execute()
    for (const { restoration } of rows) yield* restoration?.match(hashes) ?? []
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}
