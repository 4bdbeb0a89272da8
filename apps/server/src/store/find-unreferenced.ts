import { readStored } from '@cadmus/model/stored/stored-form'
import { restorationForm } from './audit.ts'
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
  for await (const hash of hashesInStates(db, organisationId)) unreferenced.delete(hash)
  return [...unreferenced]
}

/** Hashes in snapshots of versions, also removed ones, and in restoration data. */
async function* hashesInStates(db: Db, organisationId: number): AsyncGenerator<string> {
  const snapshots = new Set(await currentSnapshots(db, organisationId))
  for await (const { text, versions } of restorations(db, organisationId)) {
    yield* text.match(hashes) ?? []
    for (const hash of versions) snapshots.add(hash)
  }
  for (const hash of snapshots) {
    const bodies = await bodiesOf(db, organisationId, [{ hash }])
    yield* bodies.get(hash)?.match(hashes) ?? []
  }
}

async function currentSnapshots(db: Db, organisationId: number): Promise<string[]> {
  const versions = await db
    .selectFrom('manifest_version')
    .select('content_hash')
    .distinct()
    .where('organisation_id', '=', organisationId)
    .execute()
  return versions.map(version => version.content_hash)
}

/** `versions`: hashes of the snapshots of removed manifest versions, which return with a restored manifest. */
async function* restorations(db: Db, organisationId: number): AsyncGenerator<{ text: string; versions: string[] }> {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('audit_entry')
      .select(['id', 'kind', 'restoration'])
      .where('organisation_id', '=', organisationId)
      .where('id', '>', after)
      .where('restoration', 'is not', null)
      .orderBy('id')
      .limit(1000)
      .execute()
    for (const { kind, restoration } of rows) {
      const text = restoration ?? ''
      const { versions } = kind === 'MANIFEST' ? readStored(restorationForm, JSON.parse(text)) : {}
      yield { text, versions: versions?.put.map(row => row.content_hash) ?? [] }
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}
