import { canonicalJson } from '@cadmus/model/content'
import type { DiagramView, Placements } from '@cadmus/model/diagram/view'
import { readStored } from '@cadmus/model/stored/stored-form'
import { newUid } from '@cadmus/model/uid'
import { yieldToEventLoop } from '../event-loop.ts'
import type { Actor } from './audit.ts'
import { contentByHash, putContent } from './content.ts'
import type { Db } from './database.ts'
import { insertView, placementsOf, putPlacements, viewsOfManifest } from './diagram-view.ts'
import { type FrozenView, frozenPlacementsForm, placementsFormat } from './frozen-view-forms.ts'

/** Stores the current shared views of a manifest. */
export async function putFrozenViews(tx: Db, organisationId: number, manifestId: number): Promise<FrozenView[]> {
  const views: FrozenView[] = []
  for (const row of await viewsOfManifest(tx, organisationId, manifestId)) {
    await yieldToEventLoop()
    const content = { format: placementsFormat, placements: await placementsOf(tx, row) }
    const { uid, name, detail, revision } = row
    views.push({
      uid,
      name,
      detail,
      revision,
      placements: await putContent(tx, organisationId, canonicalJson(content)),
    })
  }
  return views
}

export function frozenSummary({ uid, name, detail, revision }: FrozenView): Omit<DiagramView, 'placements'> {
  return { uid, name, shared: true, detail, revision }
}

export async function frozenPlacements(db: Db, organisationId: number, hash: string): Promise<Placements> {
  const body = await contentByHash(db, organisationId, hash)
  if (body === undefined) throw new Error('The placements of a view are missing.')
  return readStored(frozenPlacementsForm, JSON.parse(body)).placements
}

type Destination = { organisationId: number; manifestId: number; actor: Actor }

/** Adds views to a manifest that has none of these names yet. */
async function insertSharedView(
  tx: Db,
  { organisationId, manifestId, actor }: Destination,
  { uid, name, detail, revision, placements }: Omit<DiagramView, 'shared'>,
): Promise<void> {
  const view = { organisation_id: organisationId, uid, manifest_id: manifestId, user_id: '', name, detail, revision }
  await insertView(tx, view)
  await putPlacements(tx, view, new Map(Object.entries(placements)), actor)
}

/** Restores the shared views of a deleted manifest under their uids. */
export async function insertFrozenViews(tx: Db, to: Destination, views: readonly FrozenView[]): Promise<void> {
  for (const view of views) {
    await yieldToEventLoop()
    const placements = await frozenPlacements(tx, to.organisationId, view.placements)
    await insertSharedView(tx, to, { ...view, placements })
  }
}

/** Copies the current shared views of a manifest to another one. `copies`: new uids of entities by old uid; other entities keep their places. */
export async function copySharedViews(
  tx: Db,
  from: number,
  to: Destination,
  copies: ReadonlyMap<string, string>,
): Promise<void> {
  for (const row of await viewsOfManifest(tx, to.organisationId, from)) {
    await yieldToEventLoop()
    const placed = Object.entries(await placementsOf(tx, row))
    const placements = Object.fromEntries(placed.map(([uid, placement]) => [copies.get(uid) ?? uid, placement]))
    const { name, detail } = row
    await insertSharedView(tx, to, { uid: newUid(), name, detail, revision: 1, placements })
  }
}
