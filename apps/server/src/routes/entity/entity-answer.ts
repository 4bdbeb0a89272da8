import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { RelationshipAnswer } from '@cadmus/model/contract/relationship'
import { ReadyJson } from '../../http/ready-json.ts'
import type { RequestContext } from '../../http/route.ts'
import { entityAnswer, relationshipIn, type Shown } from '../../jobs/entity-answer.ts'
import { isLight } from '../../store/weight.ts'

/** The answer with an entity, and its tag; a large one is made in a thread. `organisationId`: for administrators another one. */
export async function answerEntity(
  request: RequestContext,
  id: number,
  shown: Shown = {},
  organisationId = request.organisation.id,
): Promise<{ entity: EntityAnswer } | ReadyJson> {
  const { context, signal } = request
  const { store, workers } = context
  if (await isLight(store.of(organisationId), organisationId, id, shown)) {
    const { entity, hash } = await entityAnswer({ store, organisationId }, id, shown)
    request.setEtag(hash)
    return { entity }
  }
  const made = await workers.run('entity', { organisationId, id, ...shown }, signal)
  request.setEtag(made.hash)
  return new ReadyJson(made.json)
}

/** CONTENT of a version, as JSON text. */
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

/** One relationship of an entity beside it, in the state that a change made, with its tag. */
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
  const made = await workers.run('entity', { organisationId, id, hash, relationship: uid }, signal)
  request.setEtag(made.hash)
  return new ReadyJson(made.json)
}
