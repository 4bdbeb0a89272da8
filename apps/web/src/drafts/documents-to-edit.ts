import { configurationQuery } from '../api/configurations.ts'
import { entityQuery } from '../api/entities.ts'
import { readEntityStates } from '../api/entity-states.ts'
import { queryClient } from '../api/query-client.ts'
import { currentScope } from '../api/scope.ts'
import { configurationStore } from './configuration-store.ts'
import { draftKey } from './draft-key.ts'
import { readyToEdit } from './open-to-edit.ts'
import { entityStore } from './entity-store.ts'

/** As queries of entities. */
const fresh = 15_000

type EntityToEdit = { store: typeof entityStore; saved: Parameters<typeof entityStore.receive>[0]; etag: string }

/** Entities as their drafts or the server have them. A step over several documents reads all first, so that a failure changes none. */
export async function entitiesToEdit(ids: readonly number[]): Promise<EntityToEdit[]> {
  await readyToEdit(entityStore)
  const unread = ids.filter(id => {
    const isKnown =
      queryClient
        .getQueryCache()
        .find({ queryKey: entityQuery(id).queryKey })
        ?.isStaleByTime(fresh) === false
    return !isKnown && !entityStore.get(draftKey(id, undefined))
  })
  if (unread.length > 1)
    await readEntityStates(
      unread.map(id => ({ id })),
      currentScope(),
    )
  return Promise.all(ids.map(async id => readEntity(id)))
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
