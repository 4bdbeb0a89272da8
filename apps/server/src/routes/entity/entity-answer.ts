import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { RelationshipAnswer } from '@cadmus/model/contract/entity'
import { ReadyJson } from '../../http/ready-json.ts'
import type { RequestContext } from '../../http/route.ts'
import { entityAnswer, relationshipIn, type Shown } from '../../jobs/entity-answer.ts'
import { isLight } from '../../store/answer-size.ts'

/** Answers with an entity and its tag; a worker makes large answers. */
export async function answerEntity(
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
export async function answerEntityContent(
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
export async function answerRelationship(
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
