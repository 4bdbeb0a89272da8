import { type Configuration, readConfiguration, withoutSecrets } from '@cadmus/model/configuration'
import { adminUpdateEntityContent } from '@cadmus/model/contract/admin-documents'
import type { Call, CallInput } from '@cadmus/model/contract/call'
import {
  configurationEdits,
  type EditsBody,
  entityEdits,
  manifestEdits,
  saveChanges,
} from '@cadmus/model/contract/edits'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { isEqual } from '@cadmus/model/equal'
import { newUid } from '@cadmus/model/uid'
import { hashKey, type QueryKey } from '@tanstack/react-query'
import type * as z from 'zod'
import { callApi, callWithTag } from './client.ts'
import type { LoadedConfiguration, SavedConfiguration } from './configurations.ts'
import type { LoadedEntity } from './entities.ts'
import { readEntityStates } from './entity-states.ts'
import { ApiError, isGone } from './error.ts'
import type { LoadedManifest } from './manifests.ts'
import { invalidate, isBelow, keyIn, keys, putNewest, queryClient, refresh, refreshStructure } from './query-client.ts'
import type { Scope } from './scope.ts'
import { unexpectedAnswer } from './send.ts'

// Saves documents as edits of the state with tag `base`. The operation id settles a save without an answer.

/** `version`: the edited version; the latest one unless only scopes change. */
type Edits<E> = Omit<EditsBody, 'format' | 'edits'> & { base: string; version?: string; edits: readonly E[] }

type Params = z.ZodType<unknown, { id: unknown }>
type Query = z.ZodType<unknown, { answer?: 'content' | 'document' | undefined }>
type SaveCall<A extends z.ZodType> = Call<Params, Query, z.ZodType<unknown, EditsBody>, A>

async function saveEdits<A extends z.ZodType>(call: SaveCall<A>, id: number, save: Edits<unknown>, scope: Scope) {
  const body = { format: editFormat, ...save, edits: [...save.edits] }
  return callWithTag(call, { params: { id }, query: { answer: 'document' }, body }, { scope })
}

/** `version`: the shown version; undefined: the latest. */
type EntityPlace = { id: number; version: string | undefined; scope: Scope }

/** Saves an entity and shows the result wherever this version of it is open. */
export async function saveEntityEdits(
  { id, version, scope }: EntityPlace,
  save: Edits<EntityEdit>,
): Promise<LoadedEntity> {
  return shownSave({ id, version, scope }, await saveEdits(entityEdits.save, id, save, scope))
}

/** As `saveEntityEdits`, with the whole content, which may set traits. For administrators. */
export async function saveEntityContent(
  place: EntityPlace,
  { base: ifMatch, ...input }: { base: string } & Pick<CallInput<typeof adminUpdateEntityContent>, 'query' | 'body'>,
): Promise<LoadedEntity> {
  return shownSave(place, await callWithTag(adminUpdateEntityContent, input, { scope: place.scope, ifMatch }))
}

type EntitySaved = { answer: { entity?: LoadedEntity['entity'] | undefined }; etag: string }

async function shownSave({ id, version, scope }: EntityPlace, { answer, etag }: EntitySaved): Promise<LoadedEntity> {
  const loaded = { entity: required(answer.entity), etag }
  const own = keyIn(keys.entity(id, version), scope)
  await putNewest(own, loaded)
  // Refreshes subtypes, referring entities, lists and pickers, but not the entity itself, which is current.
  const others = isBelow([keys.entities])
  void refresh({ predicate: query => others(query) && query.queryHash !== hashKey(own) })
  void invalidate(keys.tree, keys.manifests, keys.options)
  return loaded
}

type EntityChange = Edits<EntityEdit> & { id: number }

type EntityChanges = readonly Omit<EntityChange, 'operationId'>[]
type OperationPlace = { operationId: string; scope: Scope }

async function sendTogether(changes: EntityChanges, { operationId, scope }: OperationPlace): Promise<void> {
  const documents = changes.map(({ edits, ...change }) => ({ kind: 'entity' as const, ...change, edits: [...edits] }))
  await callApi(saveChanges, { body: { format: editFormat, operationId, changes: documents } }, { scope })
}

/**
 * Saves the latest versions of many entities, all or nothing, and shows the results wherever they are open. Null if they are stored, but could
 * not be read.
 */
export async function saveEntities(
  changes: EntityChanges,
  place: OperationPlace,
): Promise<ReadonlyMap<number, LoadedEntity> | null> {
  await sendTogether(changes, place)
  const ids = changes.map(({ id }) => id)
  const states = await readEntityStates(
    ids.map(id => ({ id })),
    place.scope,
  ).catch(() => null)
  const own = new Set(ids.map(id => hashKey(keyIn(keys.entity(id), place.scope))))
  const others = isBelow([keys.entities])
  void refresh({ predicate: query => others(query) && !own.has(query.queryHash) })
  void invalidate(keys.tree, keys.manifests, keys.options)
  return states
}

/** Saves the latest versions of several entities, all or nothing. Returns the entity `id`. */
export async function saveEntitiesTogether(
  id: number,
  changes: EntityChanges,
  { operationId, scope }: OperationPlace,
): Promise<LoadedEntity> {
  await sendTogether(changes, { operationId, scope })
  // That answer has no documents; this one has the state of the operation.
  const own = changes.find(change => change.id === id)
  const loaded = await settleEntityEdits({ id, version: undefined, scope }, operationId, own?.base)
  if (!loaded) throw unexpectedAnswer(200)
  return loaded
}

/** The entity stored by an unanswered save; null if it stored nothing and no longer can. `base`: tag of the sent state. */
export async function settleEntityEdits(
  { id, version, scope }: EntityPlace,
  operationId: string,
  base?: string,
): Promise<LoadedEntity | null> {
  const input = { params: { id, operationId }, query: { answer: 'document' as const } }
  const settling = callWithTag(entityEdits.settle, input, { scope }).then(
    ({ answer: { result }, etag }) => result && { entity: required(result.entity), etag },
  )
  return outcomeOf(settling, keyIn(keys.entity(id, version), scope), base)
}

/** Saves the shown version of a configuration. The stored state may include changes by other users. */
export async function saveConfigurationEdits(
  before: SavedConfiguration,
  configuration: Configuration,
  save: Omit<Edits<ConfigurationEdit>, 'version'>,
  scope: Scope,
): Promise<LoadedConfiguration> {
  const { id, currentVersion: version } = before
  const { answer, etag } = await saveEdits(configurationEdits.save, id, { ...save, version }, scope).catch(
    async (failure: unknown) => {
      // Another version is the latest now, or that version was deleted: refreshes the document.
      if (isGone(failure) || (failure instanceof ApiError && failure.code === 'locked')) refreshStructure()
      throw failure
    },
  )
  const loaded = { saved: { ...before, configuration: readConfiguration(required(answer.manifestProperties)) }, etag }
  await putNewest(keyIn(keys.configuration(id), scope), loaded)
  // The response includes changes by other users, possibly renamings, so the tree and pickers are refreshed.
  if (!isEqual(withoutSecrets(loaded.saved.configuration), withoutSecrets(configuration))) refreshStructure()
  // The scopes offered by entities and the manifest's response depend on it.
  const ofManifest = ['scopeMatrix', 'changes'].map(part => [...keys.manifests, part, id])
  void invalidate([...keys.manifests, 'scopes'], ...ofManifest, keys.manifest(id))
  return loaded
}

/** As `settleEntityEdits`, for a configuration. */
export async function settleConfigurationEdits(
  before: SavedConfiguration,
  operationId: string,
  scope: Scope,
  base?: string,
): Promise<LoadedConfiguration | null> {
  const { id } = before
  const input = { params: { id, operationId }, query: { answer: 'document' as const } }
  const settling = callWithTag(configurationEdits.settle, input, { scope }).then(
    ({ answer: { result }, etag }) =>
      result && { saved: { ...before, configuration: readConfiguration(required(result.manifestProperties)) }, etag },
  )
  return outcomeOf(settling, keyIn(keys.configuration(id), scope), base)
}

/** Renames a manifest, based on the state with tag `etag`. Paths change with it, so everything shown is reloaded. */
export async function renameManifest(
  id: number,
  name: string,
  { etag: base, scope }: { etag: string; scope: Scope },
): Promise<LoadedManifest> {
  const edits = [{ kind: 'changeManifest', change: { name } }]
  const { answer, etag } = await saveEdits(manifestEdits.save, id, { operationId: newUid(), base, edits }, scope)
  const loaded = { manifest: required(answer.manifest), etag }
  await putNewest(keyIn(keys.manifest(id), scope), loaded)
  refreshStructure()
  return loaded
}

function required<T>(document: T | undefined): T {
  if (document === undefined) throw unexpectedAnswer(200)
  return document
}

/**
 * The outcome of an unanswered save; null if nothing was stored. Invalidates the data that the save changed and replaces its base in the
 * cache, because a reopened document would use that base as the current state.
 */
async function outcomeOf<A extends { etag: string }>(
  settling: Promise<A | null>,
  shown: QueryKey,
  base: string | undefined,
): Promise<A | null> {
  const answer = await settling.catch((failure: unknown) => {
    if (isGone(failure)) return null
    throw failure
  })
  if (!answer) return null
  if (base !== undefined && etagOf(shown) === base) await putNewest(shown, answer)
  refreshStructure()
  return answer
}

function etagOf(queryKey: QueryKey): unknown {
  const data: unknown = queryClient.getQueryData(queryKey)
  return typeof data === 'object' && data !== null && 'etag' in data ? data.etag : undefined
}
