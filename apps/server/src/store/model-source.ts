import type { ModelSource } from '@cadmus/model/closure'
import { upgradeEntityContent, upgradeManifestContent } from '@cadmus/model/content'
import type { EntityNode } from '@cadmus/model/entity'
import type { ManifestNode } from '@cadmus/model/manifest'
import { withNamesOfModel } from '@cadmus/model/references'
import { inBatches } from './batches.ts'
import { closureRows } from './closure-rows.ts'
import type { Db } from './database.ts'
import type { ManifestRow } from './manifest.ts'
import type { ManifestSnapshot } from './manifest-snapshot.ts'

/** A manifest with all that may be looked at below it. */
export type LoadedModel = { root: ManifestNode; source: ModelSource }

type Part = { id: number; path: string; hash: string }

const hashBatch = 200

/** The manifest as it is now. Reads whole contents: for large manifests not on the thread that answers requests. */
export async function loadModel(db: Db, organisationId: number, root: ManifestRow): Promise<LoadedModel> {
  const { manifests, entities } = await closureRows(db, organisationId, root)
  const parts = [...manifests, ...entities].map(row => ({ id: row.id, path: row.path, hash: row.content_hash }))
  const bodies = await bodiesOf(db, organisationId, parts)
  return modelOf(root.id, parts.slice(0, manifests.length), parts.slice(manifests.length), bodies)
}

/** The manifest exactly as it was when the version was frozen. */
export async function loadModelOfVersion(
  db: Db,
  organisationId: number,
  rootId: number,
  snapshot: ManifestSnapshot,
): Promise<LoadedModel> {
  const bodies = await bodiesOf(db, organisationId, [...snapshot.manifests, ...snapshot.entities])
  return modelOf(rootId, snapshot.manifests, snapshot.entities, bodies)
}

/** Contents by hash, of this organisation or of the library. */
export async function bodiesOf(
  db: Db,
  organisationId: number,
  parts: readonly Pick<Part, 'hash'>[],
): Promise<Map<string, string>> {
  const bodies = new Map<string, string>()
  const hashes = [...new Set(parts.map(part => part.hash))]
  for (const batch of inBatches(hashes, hashBatch)) {
    const rows = await db
      .selectFrom('content')
      .select(['hash', 'body'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('hash', 'in', batch)
      .execute()
    for (const row of rows) bodies.set(row.hash, row.body)
  }
  return bodies
}

function modelOf(
  rootId: number,
  manifestParts: readonly Part[],
  entityParts: readonly Part[],
  bodies: ReadonlyMap<string, string>,
): LoadedModel {
  const manifests = new Map<number, ManifestNode>()
  for (const { id, path, hash } of manifestParts) {
    manifests.set(id, { ...upgradeManifestContent(parsed(bodies, hash)), id, path })
  }
  const entities = new Map<number, EntityNode>()
  for (const { id, path, hash } of entityParts) {
    entities.set(id, { ...upgradeEntityContent(parsed(bodies, hash)), id, path })
  }
  const root = manifests.get(rootId)
  if (root === undefined) throw new Error('The manifest is not in its own model.')
  return { root, source: { manifests, entities: withNamesOfModel(entities) } }
}

function parsed(bodies: ReadonlyMap<string, string>, hash: string): unknown {
  const body = bodies.get(hash)
  if (body === undefined) throw new Error('A content that something refers to is missing.')
  return JSON.parse(body)
}
