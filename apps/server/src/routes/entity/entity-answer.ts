import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { notFound } from '../../errors/api-error.ts'
import { ReadyJson } from '../../http/ready-json.ts'
import type { RequestContext } from '../../http/route.ts'
import { entityAnswer, type Shown } from '../../jobs/entity-answer.ts'
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

/** One relationship of an entity as it is now, with the entity's tag. */
export async function foundRelationship(request: RequestContext, entityId: number, uid: string) {
  const place = { store: request.context.store, organisationId: request.organisation.id }
  const { entity, hash } = await entityAnswer(place, entityId, { withResolved: false, withKey: false })
  const entityAttribute = entity.entityAttributes.find(relationship => relationship.uid === uid)
  if (!entityAttribute) throw notFound('The relationship')
  request.setEtag(hash)
  return entityAttribute
}
