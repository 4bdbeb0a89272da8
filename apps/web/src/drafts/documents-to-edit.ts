import { configurationQuery } from '../api/configurations.ts'
import { entityQuery } from '../api/entities.ts'
import { queryClient } from '../api/query-client.ts'
import { configurationStore } from './configuration-store.ts'
import { draftKey } from './draft-key.ts'
import { readyToEdit } from './edit-draft.ts'
import { entityStore } from './entity-store.ts'

/** Entities that are read at a time. */
const readsAtOnce = 6

type EntityToEdit = { store: typeof entityStore; saved: Parameters<typeof entityStore.receive>[0]; etag: string }

/** Entities as their drafts or the server have them. A step over several documents reads all first, so that a failure changes none. */
export async function entitiesToEdit(ids: readonly number[]): Promise<EntityToEdit[]> {
  await readyToEdit(entityStore)
  const documents: EntityToEdit[] = []
  for (let start = 0; start < ids.length; start += readsAtOnce)
    documents.push(...(await Promise.all(ids.slice(start, start + readsAtOnce).map(readEntity))))
  return documents
}

async function readEntity(id: number): Promise<EntityToEdit> {
  const open = entityStore.get(draftKey(id, undefined))
  if (open) return { store: entityStore, saved: open.draft.saved, etag: open.draft.etag }
  const { entity, etag } = await queryClient.fetchQuery(entityQuery(id))
  return { store: entityStore, saved: entity, etag }
}

/** The configuration of a manifest as its draft or the server has it. */
export async function configurationToEdit(manifestId: number) {
  await readyToEdit(configurationStore)
  const open = configurationStore.get(draftKey(manifestId, undefined))
  const loaded = open
    ? { saved: open.draft.saved, etag: open.draft.etag }
    : await queryClient.fetchQuery(configurationQuery(manifestId))
  return { store: configurationStore, ...loaded }
}
