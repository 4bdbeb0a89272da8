import { canonicalJson } from '@cadmus/model/content'
import { ofRecord, readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import * as z from 'zod'
import { resolvedRows, type EntityPart } from './resolved-rows.ts'
import { contentByHash, putContent } from './content.ts'
import type { Db } from './database.ts'
import { frozenViewSchema } from './frozen-view-forms.ts'
import { putFrozenViews } from './frozen-views.ts'
import { putScopedContents } from './entity-scopes.ts'
import type { ManifestRow } from './manifest.ts'
import { configurationOf, putShownConfiguration } from './manifest-configuration.ts'

const snapshotFormat = 2

const snapshotSchema = z.object({
  format: z.literal(snapshotFormat),
  manifests: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      path: z.string(),
      hash: z.string(),
      version: z.string(),
      configuration: z.string().nullable(),
    }),
  ),
  entities: z.array(
    z.object({ id: z.number().int(), name: z.string(), path: z.string(), hash: z.string(), version: z.string() }),
  ),
  /** Shared views of the manifest's diagram, oldest first. */
  views: z.array(frozenViewSchema),
})

/**
 * The content of a manifest version: the hashes of all inputs of an export, without secrets. The manifest itself is
 * first in `manifests`; `entities` are the members, their ancestors, and the targets of relationships with their keys.
 */
export type ManifestSnapshot = z.infer<typeof snapshotSchema>

export const manifestSnapshotForm: StoredForm<ManifestSnapshot> = {
  name: 'manifest snapshot',
  format: snapshotFormat,
  schema: snapshotSchema,
  // Format 1 had no views.
  upgrades: { 1: ofRecord(stored => ({ ...stored, views: [] })) },
}

/**
 * Stores a snapshot of the manifest's current state. Reads only ids and hashes, plus the contents of predefined
 * entities with the organisation's own scopes, which the library's contents lack.
 */
export async function putSnapshot(tx: Db, organisationId: number, manifest: ManifestRow): Promise<string> {
  const { manifests, entities } = await resolvedRows(tx, organisationId, manifest)
  const views = await putFrozenViews(tx, organisationId, manifest.id)
  const snapshot: ManifestSnapshot = { format: snapshotFormat, manifests: [], entities: [], views }
  for (const row of manifests) {
    snapshot.manifests.push({
      ...partOf(row),
      configuration: await shownConfiguration(tx, organisationId, row),
    })
  }
  const predefined = entities.filter(row => row.organisation_id === 0).map(row => row.id)
  const scoped = await putScopedContents(tx, organisationId, predefined)
  for (const row of entities) {
    const part = partOf(row)
    snapshot.entities.push({ ...part, hash: scoped.get(row.id) ?? part.hash })
  }
  return putContent(tx, organisationId, canonicalJson(snapshot))
}

export async function snapshotByHash(db: Db, organisationId: number, hash: string): Promise<ManifestSnapshot> {
  const body = await contentByHash(db, organisationId, hash)
  if (body === undefined) throw new Error('The content of a version is missing.')
  return readStored(manifestSnapshotForm, JSON.parse(body))
}

function partOf(row: ManifestRow | EntityPart) {
  return { id: row.id, name: row.name, path: row.path, hash: row.content_hash, version: row.latest_version }
}

async function shownConfiguration(tx: Db, organisationId: number, row: ManifestRow): Promise<string | null> {
  if (row.configuration_hash === null) return null
  return putShownConfiguration(tx, organisationId, row, await configurationOf(tx, row))
}
