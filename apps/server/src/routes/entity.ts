import { writeEntityDocument } from '@cadmus/formats/entity-document'
import {
  addEntityVersion,
  addRelationship,
  createEntity,
  createEntityByWizard,
  deleteEntity,
  deleteEntityVersion,
  deleteRelationship,
  exportEntity,
  getEntity,
  getEntityScopes,
  getEntityVersionContent,
  importEntity,
  listEntities,
  listEntityFolders,
  listEntityVersions,
  listFolderEntities,
  listOrganisationEntities,
  type RelationshipAnswer,
  searchAttributes,
  updateEntity,
  updateRelationship,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { listEntityReferences } from '@cadmus/model/contract/references'
import { optionalIdText, type ReferenceItem } from '@cadmus/model/contract/shared'
import { messages } from '@cadmus/model/messages'
import { offeredScopes } from '@cadmus/model/rules/scopes'
import { changeOf } from '../commands/change.ts'
import { createEntity as create } from '../commands/entity/create-entity.ts'
import { deleteEntity as removeEntity } from '../commands/entity/delete-entity.ts'
import { requireEntity } from '../commands/entity/entity-state.ts'
import { referencesToAttributes, referencesToInherited } from '../commands/entity/follow-loss.ts'
import { importEntity as bringIn } from '../commands/entity/import-entity.ts'
import { referencesTo } from '../commands/entity/references-to.ts'
import {
  createRelationship,
  deleteRelationship as removeRelationship,
  requestFromBody,
  updateRelationship as storeRelationship,
} from '../commands/entity/update-entity.ts'
import { saveDocument } from '../commands/save-documents.ts'
import { addEntityVersion as add, deleteEntityVersion as removeVersion } from '../commands/versions.ts'
import { invalidInput, notFound } from '../errors/api-error.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import { entityAnswer, entityVersionsAnswer, relationshipIn, type Shown } from '../jobs/answers.ts'
import { areVersionsLight, isLight } from '../store/answer-size.ts'
import { findAttributes } from '../store/attribute-search.ts'
import { entityFolders } from '../store/entity-list.ts'
import { referenceLookup, refreshed } from '../store/entity-refresh.ts'
import { entityById } from '../store/entity.ts'
import { configurationOf } from '../store/manifest-configuration.ts'
import { manifestsWithEntity } from '../store/manifest-members.ts'
import { manifestById } from '../store/manifest.ts'
import { entityListAnswer, listFrame } from './list-answers.ts'

export const entityRoutes: Route[] = [
  handle(getEntity, async ({ params, query }, request) => {
    const withResolved = query.typeAttributeFilter === 'ALL'
    return answerEntity(request, params.id, { version: query.version, withResolved })
  }),
  handle(createEntity, async ({ query, body }, request) => {
    const id = await create(changeOf(request, query.saveId), body)
    return answerChangedEntity(request, id)
  }),
  handle(createEntityByWizard, async ({ query, body }, request) => {
    const id = await create(changeOf(request, query.saveId), body)
    return answerChangedEntity(request, id)
  }),
  handle(updateEntity, async ({ params, query, body }, request) => {
    const place = { kind: 'entity' as const, ...baseOf(request, params.id), version: body.version }
    const save = { ...place, ...requestFromBody(body, query.onReferences) }
    // Tag and content are both from this save; others may have saved since.
    const { tag: hash, version } = await saveDocument(changeOf(request, query.saveId), save)
    return answerChangedEntity(request, params.id, { hash, version })
  }),
  handle(deleteEntity, async ({ params, query }, request) => {
    await removeEntity(changeOf(request), params.id, query.onReferences)
    return { result: 'OK' as const, message: messages.entityDeleted }
  }),
  handle(listEntities, ({ query }, request) => entityListAnswer(request, { ...query, excluded: query.excludedEntity })),
  handle(listOrganisationEntities, ({ query }, request) => entityListAnswer(request, query)),
  handle(listFolderEntities, ({ params, query }, request) =>
    entityListAnswer(request, { ...query, folderFilter: params.folder }),
  ),
  handle(listEntityFolders, async ({ query }, { context, organisation }) => {
    const { folders, ...listed } = await entityFolders(context.store.of(organisation.id), organisation.id, query)
    return { ...listFrame(listed, query), folders }
  }),
  handle(listEntityReferences, async ({ params, query }, { context, organisation }) => {
    const db = context.store.of(organisation.id)
    const entity = await requireEntity(db, organisation.id, params.id)
    const items = await itemsFor(query)

    async function itemsFor({ attributes, inherited }: typeof query): Promise<readonly ReferenceItem[]> {
      if (attributes) return referencesToAttributes(db, organisation.id, entity, new Set(attributes))
      if (inherited) return referencesToInherited(db, organisation.id, entity)
      return (await referencesTo(db, organisation.id, [entity])).items
    }
    return { references: items.slice(0, query.limit), totalElements: items.length }
  }),
  handle(searchAttributes, async ({ query }, { context, organisation }) => {
    const result = await findAttributes(context.store.of(organisation.id), organisation.id, query)
    const attributes = result.map(({ uid, name, entity_id: id, entity_name: entityName, path }) => ({
      uid,
      name,
      entity: { id, name: entityName, path },
    }))
    return { attributes }
  }),
  handle(getEntityScopes, async ({ params }, { context, organisation }) => {
    const db = context.store.of(organisation.id)
    if (!(await entityById(db, organisation.id, params.id))) throw notFound('The entity')
    const scopes = new Set<string>()
    for (const manifestId of await manifestsWithEntity(db, organisation.id, params.id)) {
      const manifest = await manifestById(db, organisation.id, manifestId)
      if (!manifest) continue
      const { configuration } = await configurationOf(db, manifest)
      for (const scope of offeredScopes(configuration.configurationBuild.apiScopeConfiguration)) scopes.add(scope)
    }
    return { scopes: [...scopes] }
  }),
  handle(addRelationship, async ({ params, query, body }, request) => {
    const changed = await createRelationship(changeOf(request, query.saveId), baseOf(request, params.id), body)
    return answerRelationship(request, params.id, changed)
  }),
  handle(updateRelationship, async ({ params, query, body }, request) => {
    const name = { associatedEntityId: params.associatedEntityId, foreignKey: query.associatedAttributeName }
    const changed = await storeRelationship(changeOf(request), baseOf(request, params.id), name, body)
    return answerRelationship(request, params.id, changed)
  }),
  handle(deleteRelationship, async ({ params, query }, request) => {
    const name = { associatedEntityId: params.associatedEntityId, foreignKey: query.associatedAttributeName }
    const { hash } = await removeRelationship(changeOf(request), baseOf(request, params.id), name, query.onReferences)
    const confirmation = { result: 'OK' as const, message: messages.entityAttributesDeleted }
    const answer = await answerChangedEntity(request, params.id, { hash })
    return answer instanceof ReadyJson ? answer.with(confirmation) : { ...confirmation, ...answer }
  }),
  handle(listEntityVersions, async ({ params }, request) => {
    const { context, organisation, signal } = request
    const db = context.store.of(organisation.id)
    if (await areVersionsLight(db, organisation.id, params.id))
      return entityVersionsAnswer(db, organisation.id, params.id)
    const input = { organisationId: organisation.id, id: params.id }
    return new ReadyJson(await context.workers.run('entityVersions', input, signal))
  }),
  handle(getEntityVersionContent, async ({ params, query }, request) => {
    return answerEntityContent(request, params.id, query.version)
  }),
  handle(addEntityVersion, async ({ params, query }, request) => {
    await add(changeOf(request, query.saveId), params.id, query.version)
    return { result: 'OK' as const, message: messages.entityVersionCreated }
  }),
  handle(deleteEntityVersion, async ({ params, query }, request) => {
    await removeVersion(changeOf(request), params.id, query.version)
    return { result: 'OK' as const, message: messages.entityVersionDeleted }
  }),
  handle(exportEntity, async ({ params }, { context, organisation }) => {
    const db = context.store.of(organisation.id)
    const entity = await entityById(db, organisation.id, params.id)
    if (!entity) throw notFound('The entity')
    // With current names and paths, by which an import resolves references.
    const content = refreshed(entity.content, await referenceLookup(db, organisation.id, [entity.content]))
    const { entityDoc, fileName } = writeEntityDocument(content, { path: entity.path, version: entity.latest_version })
    return { entityDoc, fileName, result: 'OK' as const, message: messages.entityExported(entity.name) }
  }),
  handle(importEntity, async ({ query }, request) => {
    const { files, fields } = await request.files()
    const file = files.get('entityFile') ?? { fileName: '', bytes: new Uint8Array() }
    // The manifest may be named in the form or the query; the query takes precedence.
    const part = optionalIdText.safeParse(fields.get('targetManifest'))
    if (!part.success) throw invalidInput(part.error)
    const manifestId = query.targetManifest > 0 ? query.targetManifest : part.data
    const { id, report } = await bringIn(changeOf(request), file, manifestId)
    const answer = await answerChangedEntity(request, id)
    return answer instanceof ReadyJson ? answer.with({ report }) : { ...answer, report }
  }),
]

function baseOf({ ifMatch }: RequestContext, id: number) {
  return { id, base: ifMatch ?? '' }
}

/** Answers with an entity and its tag; a worker makes large answers. */
async function answerEntity(
  request: RequestContext,
  id: number,
  shown: Shown,
): Promise<{ entity: EntityAnswer } | ReadyJson> {
  const { context, organisation, signal } = request
  const inThread = () => context.workers.run('entity', { organisationId: organisation.id, id, ...shown }, signal)
  return answer(request, { organisationId: organisation.id, id, shown }, inThread)
}

/**
 * As `answerEntity`, after a stored change: never rejected for a full queue. `organisationId` may be another one for
 * administrators.
 */
export async function answerChangedEntity(
  request: RequestContext,
  id: number,
  shown: Shown = {},
  organisationId = request.organisation.id,
): Promise<{ entity: EntityAnswer } | ReadyJson> {
  const { context, signal } = request
  const inThread = () => context.workers.runAfterChange('entity', { organisationId, id, ...shown }, signal)
  return answer(request, { organisationId, id, shown }, inThread)
}

type EntityRequest = { organisationId: number; id: number; shown: Shown }

async function answer(
  request: RequestContext,
  { organisationId, id, shown }: EntityRequest,
  inThread: () => Promise<{ json: Uint8Array; hash: string }>,
): Promise<{ entity: EntityAnswer } | ReadyJson> {
  const { store } = request.context
  if (await isLight(store.of(organisationId), organisationId, id, shown)) {
    const { entity, hash } = await entityAnswer({ store, organisationId }, id, shown)
    request.setEtag(hash)
    return { entity }
  }
  const made = await inThread()
  request.setEtag(made.hash)
  return new ReadyJson(made.json)
}

/** Answers with CONTENT of a version, as JSON text. */
async function answerEntityContent(
  { context, organisation, signal }: RequestContext,
  id: number,
  version: string,
): Promise<{ entity: { CONTENT: string } } | ReadyJson> {
  const { store, workers } = context
  const shown = { version, withResolved: false, withKey: false }
  if (await isLight(store.of(organisation.id), organisation.id, id, shown)) {
    const { entity } = await entityAnswer({ store, organisationId: organisation.id }, id, shown)
    return { entity: { CONTENT: entity.content } }
  }
  return new ReadyJson(await workers.run('entityContent', { organisationId: organisation.id, id, version }, signal))
}

/** Answers with a relationship and its entity in the state after a change, and its tag. */
async function answerRelationship(
  request: RequestContext,
  id: number,
  { uid, hash }: { uid: string; hash: string },
): Promise<RelationshipAnswer | ReadyJson> {
  const { context, organisation, signal } = request
  const { store, workers } = context
  const { id: organisationId } = organisation
  if (await isLight(store.of(organisationId), organisationId, id, {})) {
    const { entity, hash: shown } = await entityAnswer({ store, organisationId }, id, { hash })
    request.setEtag(shown)
    return { entityAttribute: relationshipIn(entity, uid), entity }
  }
  const made = await workers.runAfterChange('entity', { organisationId, id, hash, relationship: uid }, signal)
  request.setEtag(made.hash)
  return new ReadyJson(made.json)
}
