import { configurationDifferences, entityDifferences } from '@cadmus/model/audit-differences'
import { configurationEditsBetween } from '@cadmus/model/edits/configuration-edits'
import { applyEntityEdits, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { withoutSecrets } from '@cadmus/model/configuration'
import { mergeEntity } from '@cadmus/model/merge/entity'
import { restoreTexts } from '@cadmus/model/messages/history'
import { conflict, notFound } from '../../errors/api-error.ts'
import type { Db } from '../../store/database.ts'
import { entitiesByUids, referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { configurationOf, withMarkedSecrets } from '../../store/manifest-configuration.ts'
import { manifestById } from '../../store/manifest.ts'
import { requireEntity } from '../entity/entity-state.ts'
import { placesInContent } from '../entity/invalid-entity.ts'
import { movesBack } from '../entity/moves-back.ts'
import { saveEntity } from '../entity/save-edits.ts'
import { entityStates } from '../logged-states.ts'
import { configurationAfter, saveConfiguration } from '../manifest/save-configuration.ts'
import type { RestoredDocument, Restoring } from './restoring.ts'

/** Gives an entity the content after the entry, or takes back what the entry changed. Other versions are unchanged. */
export async function restoreEntity(restoring: Restoring): Promise<RestoredDocument> {
  const { tx, change, work, entry, request } = restoring
  const { organisationId } = change
  const current = await requireEntity(tx, organisationId, entry.target_id)
  const now = refreshed(current.content, await referenceLookup(tx, organisationId, [current.content]))
  const { uid, type, copiedFrom } = now
  const target = await withoutMissing(restoring, now, {
    ...(await targetContent(restoring, now)),
    uid,
    type,
    copiedFrom,
  })
  const isOfScopes = entry.content_kind === 'scopes'
  const edits = entityEditsBetween(now, target).filter(({ kind }) => !isOfScopes || kind === 'changeScopes')
  const onReferences = () => request.onReferences
  await saveEntity(tx, change, work, {
    id: current.id,
    base: '*',
    version: undefined,
    earlier: [],
    edits: () => edits,
    onReferences,
    places: () => placesInContent,
    movesBack: movesBack(tx, change, work, {
      id: current.id,
      since: request.kind === 'undo' ? entry.sequence : entry.sequence + 1,
      others: new Set(),
      onReferences,
    }),
  })
  const saved = await requireEntity(tx, organisationId, current.id)
  const document = { kind: 'entity' as const, id: saved.id, name: saved.name, path: saved.path }
  return { document, differences: entityDifferences(now, applyEntityEdits(now, edits)), edits: { entity: edits } }
}

/** 409 if the undo of the entry would change what has been changed since. */
async function targetContent({ tx, change, entry, request }: Restoring, now: EntityContent): Promise<EntityContent> {
  const { original_hash: before, updated_hash: after } = entry
  const states = await entityStates(tx, change.organisationId, { before, after })
  if (!states.after) throw conflict(restoreTexts.noState)
  if (request.kind === 'restore') return states.after
  if (!states.before) throw conflict(restoreTexts.noState)
  const { merged } = mergeEntity(states.after, states.before, now)
  if (!merged) throw conflict(restoreTexts.changedAndStays(now.name))
  return merged
}

/** Without relationships to entities that no longer exist, and without such a parent. */
export async function withoutMissing(
  { tx, change, report }: Pick<Restoring, 'tx' | 'change' | 'report'>,
  now: EntityContent,
  target: EntityContent,
): Promise<EntityContent> {
  const exists = await existence(tx, change.organisationId, target)
  const present = new Set(now.entityAttributes.map(({ uid }) => uid))
  const entityAttributes = target.entityAttributes.filter(item => {
    if (present.has(item.uid) || exists(item.associatedEntity)) return true
    report.missing.push(restoreTexts.target(item.foreignKeyTypeAttribute, item.associatedEntity.name))
    return false
  })
  const { extendsEntity } = target
  const isOther = extendsEntity !== null && extendsEntity.uid !== now.extendsEntity?.uid
  if (!isOther || exists(extendsEntity)) return { ...target, entityAttributes }
  report.missing.push(restoreTexts.parent(extendsEntity.name))
  return { ...target, entityAttributes, extendsEntity: now.extendsEntity }
}

async function existence(db: Db, organisationId: number, { extendsEntity, entityAttributes }: EntityContent) {
  const references = [extendsEntity, ...entityAttributes.map(item => item.associatedEntity)]
  const uids = references.flatMap(reference => reference?.uid ?? [])
  const existing = await entitiesByUids(db, organisationId, uids)
  return ({ uid }: EntityReference) => uid === undefined || existing.has(uid)
}

/** Gives a manifest the configuration after the entry, with its secrets. */
export async function restoreConfiguration({ tx, change, work, entry, request }: Restoring): Promise<RestoredDocument> {
  const { organisationId } = change
  const { target_id: id } = entry
  const [manifest, later] = [
    await manifestById(tx, organisationId, id),
    await configurationAfter(tx, organisationId, id, entry),
  ]
  if (!manifest || !later) throw notFound('The manifest')
  const now = (await configurationOf(tx, manifest)).configuration
  const target = (await configurationOf(tx, later)).configuration
  const requested = () => withMarkedSecrets(target)
  const save = { ...request.rules, id, version: undefined, base: '*', requested, secretsOf: target }
  await saveConfiguration(tx, change, work, save)
  const [before, after] = [withoutSecrets(now), withoutSecrets(target)]
  return {
    document: { kind: 'configuration', id, name: manifest.name, path: manifest.path },
    differences: configurationDifferences(before, after),
    edits: { configuration: configurationEditsBetween(before, after) },
  }
}
