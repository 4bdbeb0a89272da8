import { type EnumerationAddition, mergedEnumerations } from '@cadmus/formats/merged-enumerations'
import { mergedContent, type MergeSource, replacedContent } from '@cadmus/formats/merged-content'
import { importedContent } from '@cadmus/formats/imported-model'
import type { ExistingChoice } from '@cadmus/model/contract/import-review'
import { entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { type Enumeration, type PlacedEnumeration, withPlacedEnumerations } from '@cadmus/model/enumeration'
import { FreeNames } from '@cadmus/model/free-names'
import { reviewLimits } from '@cadmus/model/import-review-limits'
import { defaults } from '@cadmus/model/limits'
import { mayEditManifest } from '@cadmus/model/locks'
import { auditTexts } from '@cadmus/model/messages/audit'
import { reviewTexts } from '@cadmus/model/messages/import-review'
import { customEntityPath, foldName } from '@cadmus/model/paths'
import { newUid } from '@cadmus/model/uid'
import { parseVersion } from '@cadmus/model/version'
import { conflict, invalid } from '../../errors/api-error.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import type { Db, Tx } from '../../store/database.ts'
import { entitiesByUids } from '../../store/entity-refresh.ts'
import { entityRowsByIds, type NewEntity } from '../../store/entity.ts'
import { dropReview } from '../../store/import-review.ts'
import { appendMembers } from '../../store/manifest-members.ts'
import { lockManifestNames, manifestContent, type ManifestRow } from '../../store/manifest.ts'
import { resolvedNames } from '../../store/resolved-rows.ts'
import { manifestChanged, named } from '../audit.ts'
import { type Change, transact, type Work } from '../change.ts'
import { insertMany } from '../entity/create-entity.ts'
import { fittedContent } from '../entity/import-entity.ts'
import { placesInContent } from '../entity/invalid-entity.ts'
import { saveEntity } from '../entity/save-edits.ts'
import { inDocument } from '../save-documents.ts'
import type { ImportLine, ReadEntity } from './import-messages.ts'
import { lockedManifest } from './manifest-permission.ts'
import { saveLists } from './save-lists.ts'

/** An entity of the manifest that one of a file is. `tag`: of its state. */
export type Match = {
  index: number
  id: number
  uid: string
  name: string
  path: string
  tag: string
  by: 'uid' | 'name'
}

/** What an entity of a file is known by. */
type FileEntity = { index: number; name: string; uid: string | null }

type Into = {
  manifestId: number
  /** The job of the review, which ends. */
  review: number
  entities: readonly ReadEntity[]
  /** Of the manifests of the file. */
  enumerations: readonly Enumeration[]
  source: MergeSource
  /** All entities of the file, also those left out. */
  rows: readonly FileEntity[]
  choiceOf: (index: number) => ExistingChoice
  /** Tags of the existing entities that were reviewed, by id. */
  known: ReadonlyMap<number, string>
}

export type ImportedInto = {
  manifest: { id: number; name: string }
  created: EntityReference[]
  changed: EntityReference[]
  unchanged: number
  skipped: number
  /** Names of enumerations that are new or got values. */
  enumerations: string[]
  lines: ImportLine[]
}

/**
 * The entities of a manifest and its sub-manifests that those of a file are: by uid, otherwise by name. Each is at most one of the file.
 */
export async function matchesIn(
  db: Db,
  organisationId: number,
  manifest: ManifestRow,
  read: readonly FileEntity[],
): Promise<Match[]> {
  const near = await resolvedNames(db, organisationId, [manifest])
  const rows = await entityRowsByIds(
    db,
    organisationId,
    near.map(({ id }) => id),
  )
  const own = [...rows.values()].filter(row => row.organisation_id === organisationId)
  const byUid = new Map(own.map(row => [row.uid, row]))
  const byName = new Map(own.toReversed().map(row => [foldName(row.name), row]))
  const used = new Set<number>()
  const matches = new Map<number, Match>()
  const match = (index: number, row: (typeof own)[number] | undefined, by: Match['by']) => {
    if (!row || used.has(row.id) || matches.has(index)) return
    used.add(row.id)
    const { id, uid, name, path, content_hash: tag } = row
    matches.set(index, { index, id, uid, name, path, tag, by })
  }
  for (const { index, uid } of read) if (uid !== null) match(index, byUid.get(uid), 'uid')
  for (const { index, name } of read) match(index, byName.get(foldName(name)), 'name')
  return [...matches.values()].toSorted((a, b) => a.index - b.index)
}

/** Imports entities of a file into a manifest in one transaction: new ones are added, existing ones changed by edits as in other saves. */
export async function importInto(change: Change, into: Into): Promise<ImportedInto> {
  const { organisationId } = change
  const { entities, manifestId } = into
  if (entities.length > reviewLimits.into) throw tooMany()
  return transact(change, 2 * entities.length + 2, async (tx, work) => {
    await lockManifestNames(tx, organisationId)
    const manifest = await lockedManifest(tx, organisationId, manifestId, mayEditManifest)
    const chosen = new Set(entities.map(({ index }) => index))
    const matches = (await matchesIn(tx, organisationId, manifest, into.rows)).filter(({ index }) => chosen.has(index))
    refuseOtherState(matches, into.known)
    const places = await placesOf(tx, change, work, { into, manifest, matches })
    const lines: ImportLine[] = []
    const { placed, additions } = await addEnumerations(tx, change, work, { into, manifest, places })
    lines.push(...additions.map(additionLine))
    const created = await insertNew(tx, change, work, { manifest, places: { ...places, placed }, lines })
    const changed = await changeExisting(tx, change, work, { into, places: { ...places, placed } })
    await dropReview(tx, organisationId, into.review)
    const skipped = places.all.filter(({ match, choice }) => match && choice === 'skip').length
    return {
      manifest: { id: manifest.id, name: manifest.name },
      created,
      changed,
      unchanged: entities.length - created.length - changed.length - skipped,
      skipped,
      enumerations: additions.map(({ name }) => name),
      lines,
    }
  })
}

function tooMany() {
  const message = reviewTexts.tooManyInto(reviewLimits.into)
  return invalid(message, [{ path: 'leftOut', message }])
}

/** 409 unless the same entities exist as in the review. Their states are merged, or are conflicts of their own. */
function refuseOtherState(matches: readonly Match[], known: ReadonlyMap<number, string>): void {
  const isSame = matches.length === known.size && matches.every(({ id }) => known.has(id))
  if (!isSame) throw conflict(reviewTexts.otherState)
}

type Placed = ReadEntity & {
  match: Match | undefined
  choice: ExistingChoice | null
  is: EntityReference & { uid: string }
}
type Places = {
  all: readonly Placed[]
  referenceOf: (path: string) => (EntityReference & { uid?: string }) | undefined
}

/** Which entity each of the file becomes: an existing one, or a new one with a free name. */
async function placesOf(
  tx: Tx,
  { organisationId }: Change,
  work: Work,
  { into, manifest, matches }: { into: Into; manifest: ManifestRow; matches: readonly Match[] },
): Promise<Places> {
  const byIndex = new Map(matches.map(match => [match.index, match]))
  const near = await resolvedNames(tx, organisationId, [manifest])
  const names = new FreeNames({ taken: near.map(({ name }) => name) })
  const uids = into.entities.flatMap(({ entity }) => entity.uid ?? [])
  const taken = await entitiesByUids(tx, organisationId, uids)
  const all = into.entities.map(({ index, entity }): Placed => {
    const match = byIndex.get(index)
    const choice = match ? into.choiceOf(index) : null
    if (match && choice !== 'beside') return { index, entity, match, choice, is: match }
    const name = names.take(entity.name)
    const uid = entity.uid === null || taken.has(entity.uid) ? newUid() : entity.uid
    return {
      index,
      entity,
      match,
      choice,
      is: { id: work.next(), uid, name, path: customEntityPath(manifest.name, name) },
    }
  })
  const byPath = new Map(all.map(({ entity, is }) => [entity.corpusPath, is]))
  const byName = new Map(near.toReversed().map(reference => [foldName(reference.name), reference]))
  const referenceOf = (path: string) => byPath.get(path) ?? byName.get(foldName(path.slice(path.lastIndexOf('/') + 1)))
  return { all, referenceOf }
}

/**
 * Adds the enumerations of the file, and their values to those that exist, whose attributes follow; not those that only skipped entities have.
 */
async function addEnumerations(
  tx: Tx,
  change: Change,
  work: Work,
  { into, manifest, places }: { into: Into; manifest: ManifestRow; places: Places },
): Promise<Pick<ReturnType<typeof mergedEnumerations>, 'placed' | 'additions'>> {
  const skipped = enumerationsIn(places.all.filter(({ choice }) => choice === 'skip'))
  const used = enumerationsIn(places.all.filter(({ choice }) => choice !== 'skip'))
  const read = into.enumerations.filter(({ uid }) => used.has(uid) || !skipped.has(uid))
  const base = await manifestContent(tx, manifest)
  const { enumerations, placed, additions } = mergedEnumerations(base.enumerations, read)
  await saveLists(tx, change, work, manifest, { base, mine: { ...base, enumerations } })
  return { placed, additions }
}

export function additionLine({ name, isNew, values }: EnumerationAddition): ImportLine {
  return { severity: 'info', kind: 'note', path: '', message: reviewTexts.enumeration(name, isNew, values) }
}

function enumerationsIn(all: readonly Placed[]): ReadonlySet<string> {
  return new Set(
    all.flatMap(({ entity }) => entity.typeAttributes.flatMap(({ enumeration }) => enumeration?.uid ?? [])),
  )
}

type Contents = Places & { placed: ReadonlyMap<string, PlacedEnumeration> }

function contentOf({ entity, is }: Placed, { referenceOf, placed }: Contents, previous?: EntityContent): EntityContent {
  const { uid } = is
  const type = previous?.type ?? 'EXCLUSIVE'
  const typeAttributes = withPlacedEnumerations(entity.typeAttributes, placed)
  const read = { ...entity, typeAttributes, name: previous ? entity.name : is.name }
  return importedContent(read, { uid, type, referenceOf, previous })
}

async function insertNew(
  tx: Tx,
  change: Change,
  work: Work,
  { manifest, places, lines }: { manifest: ManifestRow; places: Contents; lines: ImportLine[] },
): Promise<EntityReference[]> {
  const { organisationId, actor } = change
  const arriving = places.all.filter(({ match, choice }) => !match || choice === 'beside')
  if (arriving.length === 0) return []
  const byUid = new Map(arriving.map(({ is }) => [is.uid, is]))
  const names = [...(await resolvedNames(tx, organisationId, [manifest])), ...byUid.values()]
  const fitted: NewEntity[] = []
  for (const one of arriving) {
    await yieldToEventLoop()
    const { is, entity } = one
    const say = (severity: ImportLine['severity'], path: string, message: string) =>
      void lines.push({ severity, path: `${is.name}.${path}`, message })
    const read = { content: contentOf(one, places), path: null }
    const place = { id: is.id, manifestId: manifest.id, say, among: { names, arriving: byUid } }
    const content = { ...(await fittedContent(tx, organisationId, read, place)), name: is.name }
    const version = entity.version !== null && parseVersion(entity.version) ? entity.version : defaults.version
    fitted.push({ id: is.id, path: is.path, content, manifestId: manifest.id, version })
  }
  await insertMany(tx, change, work, fitted, ({ content }) => auditTexts.imported(content.name))
  const members = fitted.map(({ id }) => ({ entityId: id, organisationId, type: 'EXCLUSIVE' as const }))
  const list = named(fitted.map(({ content }) => content.name))
  work.audit(
    manifestChanged(
      manifest,
      await appendMembers(tx, manifest, members, actor),
      auditTexts.joined(list, manifest.name),
    ),
  )
  return arriving.map(({ is: { id, name, path } }) => ({ id, name, path }))
}

/** Saves what changes existing entities, as edits of the states that were reviewed. */
async function changeExisting(
  tx: Tx,
  change: Change,
  work: Work,
  { into, places }: { into: Into; places: Contents },
): Promise<EntityReference[]> {
  const changed: EntityReference[] = []
  // Attributes that followed an enumeration are no change by the file.
  const rows = await entityRowsByIds(
    tx,
    change.organisationId,
    places.all.flatMap(({ match }) => match?.id ?? []),
  )
  for (const one of places.all) {
    const { match, choice } = one
    if (!match || choice === 'skip' || choice === 'beside') continue
    await yieldToEventLoop()
    const { id, name, path, tag } = match
    const result = (base: EntityContent, read: EntityContent) =>
      choice === 'replace'
        ? replacedContent(base, read)
        : mergedContent(base, read, { ...into.source, isWhole: one.entity.uid !== null })
    const saved = await saveEntity(tx, change, work, {
      id,
      base: into.known.get(id) ?? tag,
      version: undefined,
      earlier: [],
      edits: base => entityEditsBetween(base, result(base, contentOf(one, places, base))),
      places: () => placesInContent,
      isFromFile: true,
    }).catch((error: unknown) => inDocument(error, { kind: 'entity', id }))
    if (saved.tag !== rows.get(id)?.content_hash) changed.push({ id, name, path })
  }
  return changed
}
