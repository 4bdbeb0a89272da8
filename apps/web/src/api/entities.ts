import {
  addEntityVersion as addEntityVersionCall,
  createEntity as createEntityCall,
  createEntityByWizard as createEntityByWizardCall,
  deleteEntity as deleteEntityCall,
  deleteEntityVersion as deleteEntityVersionCall,
  exportEntity as exportEntityCall,
  getEntity,
  importEntity as importEntityCall,
  listEntityVersions,
} from '@cadmus/model/contract/entity'
import { listEntityReferences, listManifestReferences } from '@cadmus/model/contract/references'
import type { ReferenceItem } from '@cadmus/model/contract/shared'
import type { OnReferences } from '@cadmus/model/detach'
import { adminReloadEntity, adminValidateEntityContent } from '@cadmus/model/contract/admin-documents'
import type { EntityAnswer, entityRequest } from '@cadmus/model/contract/entity-shapes'
import { type EntityListItem } from '@cadmus/model/contract/lists'
import { foldName, isDefaultPath } from '@cadmus/model/paths'
import { useQuery } from '@tanstack/react-query'
import type * as z from 'zod'
import { callApi, callWithTag } from './client.ts'
import { creating, type Form } from './creation-id.ts'
import { isGone } from './error.ts'
import { saveFile } from './download.ts'
import { entityPage, type EntityPageQuery } from './lists.ts'
import type { Option, OptionSource } from '../ui/options.ts'
import {
  invalidate,
  invalidateBefore,
  isBelow,
  keyIn,
  keys,
  queryClient,
  refreshStructure,
  scoped,
} from './query-client.ts'
import { currentScope, type Scope } from './scope.ts'
import type { CallOptions } from './send.ts'

export type EntityBody = z.input<typeof entityRequest>
export type LoadedEntity = { entity: EntityAnswer; etag: string }

export function entityQuery(id: number, version?: string, scope?: Scope) {
  const read = async (options: CallOptions): Promise<LoadedEntity> => {
    const { answer, etag } = await callWithTag(getEntity, { params: { id }, query: { version } }, options)
    return { entity: receivedEntity(answer.entity), etag }
  }
  return scoped(keys.entity(id, version), read, scope)
}

/** An entity without a path is predefined. */
export function receivedEntity(entity: EntityAnswer): EntityAnswer {
  return { ...entity, isDefault: entity.isDefault || isDefaultPath(entity.path) }
}

export function useEntity(id: number, version?: string, enabled = true) {
  return useQuery({ ...entityQuery(id, version), enabled })
}

/** Whether the entity was deleted; if unknown, it counts as existing. */
export async function isEntityGone(id: number, scope: Scope): Promise<boolean> {
  try {
    await queryClient.fetchQuery({ ...entityQuery(id, undefined, scope), staleTime: 0, retry: false })
    return false
  } catch (error) {
    return isGone(error)
  }
}

/** Versions of an entity, highest first. */
export function useEntityVersions(id: number) {
  const read = (options: CallOptions) => callApi(listEntityVersions, { params: { id } }, options)
  return useQuery(scoped(keys.entityVersions(id), async options => (await read(options)).entityVersions))
}

type EntitySourceQuery = Omit<EntityPageQuery, 'search' | 'page' | 'limit' | 'order' | 'excludedEntity'>

/** Entities as picker options. `excluded` is not offered; a search for it shows the reason `why`. */
export function entitySource({
  excluded,
  ...options
}: EntitySourceQuery & { excluded?: { id: number; name: string; why: string } } = {}): OptionSource<EntityListItem> {
  const query: EntityPageQuery = excluded ? { ...options, excludedEntity: excluded.id } : options
  const scope = currentScope()
  return {
    key: keyIn([...keys.options, 'entity', query], scope),
    whyNone: search => (excluded && isPartOf(search, excluded.name) ? excluded.why : undefined),
    load: async (search, page, limit, signal) => {
      const answer = await entityPage({ ...query, search, page, limit, order: 'match' }, { signal, scope })
      return { options: answer.entity.map(entityOption), total: answer.totalElements }
    },
  }
}

function isPartOf(search: string, name: string): boolean {
  const part = foldName(search)
  return part !== '' && foldName(name).includes(part)
}

export function entityOption(item: EntityListItem): Option<EntityListItem> {
  return { value: String(item.id), label: item.name, detail: item.folder, data: item }
}

/** Rejects with all problems if the content cannot be stored. */
export async function validateEntityContent(id: number, content: string): Promise<void> {
  await callApi(adminValidateEntityContent, { body: { id, content } })
}

/** `form`: the form with the input. */
export async function createEntity(body: EntityBody, form: Form): Promise<EntityAnswer> {
  const entity = await createUnlisted(body, { form })
  refreshStructure()
  return entity
}

async function createUnlisted(
  body: EntityBody,
  { form, scope }: { form?: Form; scope?: Scope },
): Promise<EntityAnswer> {
  const make = (saveId: string) => callApi(createEntityCall, { query: { saveId }, body }, scope ? { scope } : {})
  return (await creating(['entity', body], make, form)).entity
}

/** Creates entities of a manifest one after the other. `failure`: why it stopped. */
export async function createEntities(
  names: readonly string[],
  targetManifestId: number,
  scope: Scope,
): Promise<{ created: EntityAnswer[]; failure?: unknown }> {
  const created: EntityAnswer[] = []
  try {
    for (const name of names) created.push(await createUnlisted({ entity: { name }, targetManifestId }, { scope }))
    return { created }
  } catch (failure) {
    return { created, failure }
  } finally {
    if (created.length > 0) refreshStructure()
  }
}

export async function createEntityByWizard(body: EntityBody, form: Form): Promise<EntityAnswer> {
  const make = (saveId: string) => callApi(createEntityByWizardCall, { query: { saveId }, body })
  const { entity } = await creating(['entity by wizard', body], make, form)
  refreshStructure()
  return entity
}

/** References to an entity, or from outside to the entities of a manifest: the first ones and their number. */
export async function referencesTo(kind: 'entity' | 'manifest', id: number, limit: number, options: CallOptions) {
  const call = kind === 'entity' ? listEntityReferences : listManifestReferences
  return callApi(call, { params: { id }, query: { limit } }, options)
}

/** References to attributes of an entity. Long lists of uids are split into several calls. */
export async function referencesToAttributes(id: number, uids: readonly string[]): Promise<ReferenceItem[]> {
  const atOnce = 100
  const references: ReferenceItem[] = []
  for (let start = 0; start < uids.length; start += atOnce) {
    const query = { attributes: uids.slice(start, start + atOnce).join(',') }
    references.push(...(await callApi(listEntityReferences, { params: { id }, query })).references)
  }
  return references
}

/** References to inherited attributes that would disappear without the parent. */
export async function referencesToInherited(id: number): Promise<ReferenceItem[]> {
  return (await callApi(listEntityReferences, { params: { id }, query: { inherited: 'true' } })).references
}

export function referencesQuery(kind: 'entity' | 'manifest', id: number, limit: number) {
  return scoped(keys.references(kind, id), options => referencesTo(kind, id, limit, options))
}

export async function deleteEntity(id: number, onReferences: OnReferences | undefined, scope: Scope): Promise<void> {
  await callApi(deleteEntityCall, { params: { id }, query: { onReferences } }, { scope })
  queryClient.removeQueries({ predicate: isBelow([['entities', 'one', id]]) })
  refreshStructure()
}

/** Reloads a predefined entity from the library, for all organisations. */
export async function reloadEntity(id: number): Promise<void> {
  await callApi(adminReloadEntity, { params: { id } })
  refreshStructure()
}

export async function importEntity(file: File, targetManifest: number, options: CallOptions) {
  const answer = await callApi(
    importEntityCall,
    { query: { targetManifest }, body: undefined, files: { entityFile: file } },
    options,
  )
  refreshStructure()
  return answer
}

export async function addEntityVersion(id: number, version: string, form: Form): Promise<void> {
  const add = (saveId: string) => callApi(addEntityVersionCall, { params: { id }, query: { version, saveId } })
  await creating(['entity version', id, version], add, form)
  // The next version is suggested from these.
  await invalidateBefore([keys.entityVersions(id), keys.entity(id)], keys.entities)
}

export async function deleteEntityVersion(id: number, version: string): Promise<void> {
  await callApi(deleteEntityVersionCall, { params: { id }, query: { version } })
  void invalidate(keys.entities)
}

/** Downloads the entity as a JSON document; returns the message to show. */
export async function exportEntity(id: number): Promise<string> {
  const answer = await callApi(exportEntityCall, { params: { id } })
  const text = JSON.stringify(answer.entityDoc, null, 2)
  saveFile(new Blob([text], { type: 'application/json' }), answer.fileName)
  return answer.message
}
