import { type Configuration } from '@cadmus/model/configuration'
import { entityDifferences } from '@cadmus/model/audit-differences'
import { compareEntities, describeChanges } from '@cadmus/model/compare'
import { entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { defaults, limits } from '@cadmus/model/limits'
import { mergeConfigurations } from '@cadmus/model/merge/configuration'
import { mergeEntity } from '@cadmus/model/merge/entity'
import { auditTexts } from '@cadmus/model/messages/audit'
import { restoreTexts } from '@cadmus/model/messages/history'
import { customEntityPath, foldName } from '@cadmus/model/paths'
import { ApiError, conflict } from '../../errors/api-error.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import { entriesOfChange, type LoggedEntry } from '../../store/audit-of-target.ts'
import { contentByHash } from '../../store/content.ts'
import type { Db } from '../../store/database.ts'
import { entitiesByUids, referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { entityById, entityContentOf, isEntityNameTaken, type NewEntity } from '../../store/entity.ts'
import { insertVersions } from '../../store/entity-version.ts'
import { configurationOf, withMarkedSecrets } from '../../store/manifest-configuration.ts'
import { returnMember } from '../../store/manifest-members.ts'
import { lockManifest, manifestById, manifestContent } from '../../store/manifest.ts'
import { manifestChanged } from '../audit.ts'
import { insertEntity, insertMany } from '../entity/create-entity.ts'
import { fittedContent, namesNear } from '../entity/import-entity.ts'
import { placesInContent } from '../entity/invalid-entity.ts'
import { saveEntity } from '../entity/save-edits.ts'
import { entityStates } from '../logged-states.ts'
import { configurationAfter, saveConfiguration } from '../manifest/save-configuration.ts'
import { withoutMissing } from './restore-state.ts'
import type { RestoredDocument, Restoring } from './restoring.ts'

/** Creates a deleted entity anew, with its id and uid, its versions, memberships and the references to it. */
export async function recreateEntity(restoring: Restoring): Promise<RestoredDocument> {
  const { entry } = restoring
  const { content, path } = await insertDeleted(restoring, entry)
  await restoreMemberships(restoring, entry, content.name)
  await restoreReferrers(restoring)
  const document = { kind: 'entity' as const, id: entry.target_id, name: content.name, path }
  return { document, differences: entityDifferences(null, content) }
}

/** Inserts the entity of a deletion, in its manifest if that exists. */
export async function insertDeleted(
  { tx, change, work, report }: Restoring,
  { target_id: id, restoration, path }: LoggedEntry,
): Promise<{ content: EntityContent; path: string }> {
  const { organisationId } = change
  const { manifest_id: owner = 0, latest_version: version = '' } = restoration.entity ?? {}
  const stored = await storedEntity(tx, organisationId, { restoration })
  const [same] = (await entitiesByUids(tx, organisationId, [stored.uid])).values()
  if (same) throw conflict(restoreTexts.otherIdentity(same.name))
  const manifest = owner > 0 ? await manifestById(tx, organisationId, owner) : undefined
  if (owner > 0 && !manifest) report.missing.push(restoreTexts.manifestGone)
  const manifestId = manifest?.id ?? -1
  const say = (severity: string, _path: string, message: string) => {
    if (severity !== 'info') report.missing.push(message)
  }
  const fitted = await fittedContent(tx, organisationId, { content: stored, path }, { id, manifestId, say })
  const name = await freeName(stored.name, limits.entityName, candidate =>
    isEntityNameTaken(tx, organisationId, Math.max(0, manifestId), candidate, id),
  )
  if (name !== stored.name) report.missing.push(restoreTexts.renamed(stored.name, name))
  const content = { ...fitted, type: stored.type, name }
  await insertEntity(tx, change, work, {
    id,
    content,
    manifestId,
    position: restoration.members?.put.find(one => one.manifest_id === manifestId)?.position,
    version,
    places: placesInContent,
    description: auditTexts.restored(name),
    isFromFile: true,
  })
  await insertVersions(tx, organisationId, id, restoration.versions?.put ?? [])
  const now = await entityById(tx, organisationId, id)
  return { content: now?.content ?? content, path: now?.path ?? path }
}

async function storedEntity(tx: Db, organisationId: number, { restoration }: Pick<LoggedEntry, 'restoration'>) {
  const { content_hash: hash = '' } = restoration.entity ?? {}
  const body = await contentByHash(tx, organisationId, hash)
  if (body === undefined) throw conflict(restoreTexts.noState)
  return entityContentOf(hash, body)
}

/**
 * Inserts the entities of deletions in a manifest that lists them already, parents before their subtypes. What they refer to among themselves is
 * resolved before, so that none is written twice.
 */
export async function insertDeletedMembers(
  restoring: Restoring,
  manifest: { id: number; name: string },
  deletions: readonly LoggedEntry[],
): Promise<void> {
  const { tx, change, work, report } = restoring
  const { organisationId } = change
  const deleted = await deletedMembers(restoring, manifest, deletions)
  const names = await namesNear(tx, organisationId, manifest.id)
  const arriving = new Map(deleted.map(({ self }) => [self.uid, self]))
  const byId = new Map(deleted.map(({ self }) => [self.id, self]))
  const among = { names: [...names, ...arriving.values()], arriving }
  const say = (severity: string, _path: string, message: string) => {
    if (severity !== 'info') report.missing.push(message)
  }
  for (const level of parentsFirst(deleted)) {
    const fitted: NewEntity[] = []
    for (const { stored, self, entry } of level) {
      await yieldToEventLoop()
      const { id, name, path } = self
      const read = { content: stored, path: entry.path }
      const content = await fittedContent(tx, organisationId, read, { id, manifestId: manifest.id, say, among })
      const version = entry.restoration.entity?.latest_version ?? defaults.version
      fitted.push({ id, path, content: { ...content, type: stored.type, name }, manifestId: manifest.id, version })
    }
    const contents = fitted.map(({ content }) => content)
    const lookup = await referenceLookup(tx, organisationId, contents)
    const entity = (reference: EntityReference) => lookup.entity(reference) ?? byId.get(reference.id)
    const today = fitted.map(one => ({ ...one, content: refreshed(one.content, { ...lookup, entity }) }))
    await insertMany(tx, change, work, today, ({ content }) => auditTexts.restored(content.name))
    for (const { self, entry } of level)
      await insertVersions(tx, organisationId, self.id, entry.restoration.versions?.put ?? [])
  }
  report.others.push(...deleted.map(({ self }) => auditTexts.restored(self.name)))
}

type DeletedMember = { entry: LoggedEntry; stored: EntityContent; self: EntityReference & { uid: string } }

/** The stored entities under free names. 409 if another entity has the uid of one. */
async function deletedMembers(
  { tx, change, report }: Restoring,
  manifest: { id: number; name: string },
  deletions: readonly LoggedEntry[],
): Promise<DeletedMember[]> {
  const { organisationId } = change
  const members: DeletedMember[] = []
  const names = new Set<string>()
  for (const entry of deletions) {
    await yieldToEventLoop()
    const stored = await storedEntity(tx, organisationId, entry)
    const { target_id: id } = entry
    const isTaken = async (candidate: string) =>
      names.has(foldName(candidate)) || isEntityNameTaken(tx, organisationId, manifest.id, candidate, id)
    const name = await freeName(stored.name, limits.entityName, isTaken)
    if (name !== stored.name) report.missing.push(restoreTexts.renamed(stored.name, name))
    names.add(foldName(name))
    members.push({ entry, stored, self: { id, uid: stored.uid, name, path: customEntityPath(manifest.name, name) } })
  }
  const uids = members.map(({ self }) => self.uid)
  const [same] = (await entitiesByUids(tx, organisationId, uids)).values()
  if (same) throw conflict(restoreTexts.otherIdentity(same.name))
  return members
}

function parentsFirst(members: readonly DeletedMember[]): DeletedMember[][] {
  const byUid = new Map(members.map(member => [member.self.uid, member]))
  const levels = new Map<DeletedMember, number>()
  for (const member of members) {
    const above: DeletedMember[] = []
    let next: DeletedMember | undefined = member
    for (; next && !levels.has(next) && !above.includes(next); next = byUid.get(next.stored.extendsEntity?.uid ?? ''))
      above.push(next)
    let level = next ? (levels.get(next) ?? -1) : -1
    for (const one of above.toReversed()) levels.set(one, (level += 1))
  }
  return Object.values(Object.groupBy(members, member => levels.get(member) ?? 0)).flatMap(level =>
    level ? [level] : [],
  )
}

/** The name, with a number if it is taken, at most `max` characters long. */
export async function freeName(
  name: string,
  { max }: { max: number },
  isTaken: (candidate: string) => Promise<boolean>,
): Promise<string> {
  let candidate = name
  for (let number = 2; await isTaken(candidate); number += 1) {
    const suffix = `_${number}`
    candidate = `${name.slice(0, max - suffix.length)}${suffix}`
  }
  return candidate
}

/** Adds the entity to the other manifests that listed it. */
async function restoreMemberships(
  { tx, change, work, report }: Restoring,
  { target_id: id, restoration }: LoggedEntry,
  name: string,
): Promise<void> {
  const { organisationId, actor } = change
  const owner = restoration.entity?.manifest_id
  for (const { manifest_id: manifestId, type, position } of restoration.members?.put ?? []) {
    if (manifestId === owner) continue
    const manifest = await lockManifest(tx, organisationId, manifestId)
    if (!manifest) {
      report.missing.push(restoreTexts.gone('A manifest that listed it'))
      continue
    }
    const { entities } = await manifestContent(tx, manifest)
    if (entities.some(member => member.id === id)) continue
    if (await isEntityNameTaken(tx, organisationId, manifestId, name, id)) {
      report.missing.push(restoreTexts.membership(manifest.name, restoreTexts.nameInUse))
      continue
    }
    const member = {
      entityId: id,
      organisationId,
      type: type === 'EXCLUSIVE' ? ('EXCLUSIVE' as const) : ('TEMPLATE' as const),
    }
    const changed = await returnMember(tx, manifest, member, position, actor)
    const description = auditTexts.joined(name, manifest.name)
    work.audit(manifestChanged(manifest, changed, description))
    report.others.push(description)
  }
}

/** Entries of a change that are searched for its consequences. */
const reach = 1000

/** Takes back what the deletion changed in entities and configurations that referred to the deleted ones. */
export async function restoreReferrers(restoring: Restoring): Promise<void> {
  const { tx, change, entry, report } = restoring
  const others = await entriesOfChange(tx, change.organisationId, entry, reach)
  // The newest first, so that several changes of one document are taken back in turn.
  for (const other of others.toReversed()) {
    if (other.action_type !== 'UPDATE' || other.target_id === entry.target_id) continue
    await yieldToEventLoop()
    try {
      if (other.content_kind === 'entity') await restoreReferrer(restoring, other)
      else if (other.content_kind === 'configuration') await restoreNames(restoring, other)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      report.missing.push(restoreTexts.refused(other.name, error.message))
    }
  }
}

async function restoreReferrer(restoring: Restoring, other: LoggedEntry): Promise<void> {
  const { tx, change, work, report } = restoring
  const { organisationId } = change
  const { target_id: id, name, original_hash: before, updated_hash: after } = other
  const current = await entityById(tx, organisationId, id)
  if (!current) return void report.missing.push(restoreTexts.gone(name))
  const states = await entityStates(tx, organisationId, { before, after })
  if (!states.before || !states.after) return void report.missing.push(restoreTexts.refused(name, restoreTexts.noState))
  const now = refreshed(current.content, await referenceLookup(tx, organisationId, [current.content]))
  const { merged } = mergeEntity(states.after, states.before, now)
  if (!merged) return void report.missing.push(restoreTexts.changedSince(name))
  const target = await withoutMissing(restoring, now, merged)
  const edits = entityEditsBetween(now, target)
  if (edits.length === 0) return
  const save = { id, base: '*', version: undefined, earlier: [], edits: () => edits, places: () => placesInContent }
  await saveEntity(tx, change, work, save)
  report.others.push(restoreTexts.restored(name, describeChanges(compareEntities(now, target))))
}

async function restoreNames({ tx, change, work, report, request }: Restoring, other: LoggedEntry): Promise<void> {
  const { target_id: id, name, restoration } = other
  const later = await configurationAfter(tx, change.organisationId, id, other)
  const hash = restoration.manifest?.configuration_hash
  if (!later || hash === undefined) return void report.missing.push(restoreTexts.gone(name))
  const shown = async (at: string | null) =>
    withMarkedSecrets((await configurationOf(tx, { ...later, configuration_hash: at })).configuration)
  const [before, after] = [await shown(hash), await shown(later.configuration_hash)]
  let isMerged = false
  const requested = (now: Configuration) => {
    const { merged } = mergeConfigurations(after, before, now)
    isMerged = merged !== undefined
    return merged ?? now
  }
  await saveConfiguration(tx, change, work, { ...request.rules, id, version: undefined, base: '*', requested })
  if (isMerged) report.others.push(auditTexts.configured(name))
  else report.missing.push(restoreTexts.changedSince(name))
}
