import { configurationQuery } from '../api/configurations.ts'
import { entityQuery, type LoadedEntity } from '../api/entities.ts'
import { queryClient } from '../api/query-client.ts'
import type { Scope } from '../api/scope.ts'
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
  return readAll(ids, readEntity)
}

/** Entities as the server has them, so that edits can follow at once. */
export async function readEntities(ids: readonly number[], scope: Scope | undefined): Promise<LoadedEntity[]> {
  await readyToEdit(entityStore)
  return readAll(ids, id => queryClient.fetchQuery(entityQuery(id, undefined, scope)))
}

async function readAll<T>(ids: readonly number[], read: (id: number) => Promise<T>): Promise<T[]> {
  const documents: T[] = []
  for (let start = 0; start < ids.length; start += readsAtOnce)
    documents.push(...(await Promise.all(ids.slice(start, start + readsAtOnce).map(read))))
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
