import { type ReadEntity, readEntityDocument } from '@cadmus/formats/entity-document'
import { ImportError } from '@cadmus/formats/import-error'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { defaults, limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { foldName } from '@cadmus/model/paths'
import { mapReferences } from '@cadmus/model/references'
import { entityProblems } from '@cadmus/model/rules/entity'
import { isUid, newUid } from '@cadmus/model/uid'
import { parseVersion } from '@cadmus/model/version'
import { ApiError } from '../../errors/api-error.ts'
import type { Db } from '../../store/database.ts'
import { columnsOf } from '../../store/entity-column.ts'
import { entitiesByPaths, entitiesByUids } from '../../store/entity-refresh.ts'
import { manifestById } from '../../store/manifest.ts'
import { referencesIn } from '../../store/open-reference.ts'
import { resolvedNames } from '../../store/resolved-rows.ts'
import { type Change, transact } from '../change.ts'
import type { ImportLine } from '../manifest/import-messages.ts'
import { copyEntity } from './copy-entity.ts'
import { insertEntity } from './create-entity.ts'
import { placesInContent } from './invalid-entity.ts'
import { unresolvedReference } from './resolve-references.ts'
import { withImportedKey } from './settle-keys.ts'
import { foreignUids } from './store-content.ts'

type ImportedEntity = { id: number; report: ImportLine[] }

/** Imports an entity from a file, optionally into a manifest. Returns its id and the report. */
export async function importEntity(
  change: Change,
  file: { fileName: string; bytes: Uint8Array },
  manifestId: number,
): Promise<ImportedEntity> {
  const read = readFile(file)
  return transact(change, 4, async (tx, work) => {
    const report: ImportLine[] = read.report.map(({ level, path, message, kind }) => ({
      severity: level,
      path,
      message,
      kind,
    }))
    const say = (severity: ImportLine['severity'], path: string, message: string) =>
      void report.push({ severity, path, message })
    const newId = work.next()
    const content = await fittedContent(tx, change.organisationId, read, { id: newId, manifestId, say })
    if (content.type !== read.content.type) say('info', 'type', messages.importedAsExclusive)
    for (const problem of entityProblems(content)) {
      // A missing target is reported by name already.
      if (problem.field !== 'associatedEntity') say('warning', placesInContent(problem), problem.message)
    }
    const id = await insertEntity(tx, change, work, {
      id: newId,
      content,
      manifestId,
      version: read.version !== null && parseVersion(read.version) ? read.version : defaults.version,
      places: placesInContent,
      description: auditTexts.imported(content.name),
      isFromFile: true,
      onLeftOpen: message => say('warning', 'extendsEntity', message),
    })
    return { id, report }
  })
}

type Placed = { id: number; manifestId: number; say: Say; among?: Among }

/** Entities that arrive together: `names` of all in the manifest, and those not inserted yet by uid. */
export type Among = { names: readonly EntityReference[]; arriving: ReadonlyMap<string, EntityReference> }

/**
 * A content from elsewhere as that of entity `id`: its references are resolved as far as their targets exist, uids in use
 * are replaced, and it has one key.
 */
export async function fittedContent(
  tx: Db,
  organisationId: number,
  read: Pick<ReadEntity, 'content' | 'path'>,
  { id, manifestId, say, among }: Placed,
): Promise<EntityContent> {
  const connected = await connect(tx, organisationId, withSelf(read, id), { self: id, manifestId, say, among })
  const keyed = await withImportedKey(tx, organisationId, { id, organisation_id: organisationId, content: connected })
  if (keyed.message !== undefined) say('warning', 'extendsEntity', keyed.message)
  return identify(tx, organisationId, keyed.content, id, say)
}

type Say = (severity: ImportLine['severity'], path: string, message: string) => void

function readFile({ fileName, bytes }: { fileName: string; bytes: Uint8Array }): ReadEntity {
  if (bytes.byteLength > limits.requestBody) throw new ApiError(413, 'too_large', messages.entityFileTooLarge)
  try {
    return readEntityDocument(bytes, fileName)
  } catch (error) {
    throw importErrorToApi(error)
  }
}

/** References to the entity itself, by uid or former path, refer to the imported one. */
function withSelf({ content, path }: Pick<ReadEntity, 'content' | 'path'>, id: number): EntityContent {
  const isSelf = (reference: EntityReference) =>
    reference.uid === undefined ? path !== null && reference.path === path : reference.uid === content.uid
  return mapReferences(content, {
    entity: reference => (isSelf(reference) ? { ...reference, id, uid: content.uid } : { ...reference, id: -1 }),
    column: column => column,
  })
}

/** The entities that a manifest resolves names to. */
export async function namesNear(tx: Db, organisationId: number, manifestId: number): Promise<EntityReference[]> {
  const manifest = manifestId > 0 ? await manifestById(tx, organisationId, manifestId) : undefined
  return manifest ? resolvedNames(tx, organisationId, [manifest]) : []
}

/**
 * Resolves references by uid and path, otherwise by name in the manifest. Other references remain unresolved until
 * their target is created.
 */
async function connect(
  tx: Db,
  organisationId: number,
  content: EntityContent,
  { self, manifestId, say, among }: Omit<Placed, 'id'> & { self: number },
): Promise<EntityContent> {
  const near = among?.names ?? (await namesNear(tx, organisationId, manifestId))
  const byName = new Map(near.map(reference => [foldName(reference.name), reference]))
  const arriving = (reference: EntityReference) => among?.arriving.get(reference.uid ?? '')
  const references = referencesIn(content).filter(reference => !arriving(reference))
  const byPath = await entitiesByPaths(
    tx,
    organisationId,
    references.map(({ path }) => path),
  )
  const byUid = await entitiesByUids(
    tx,
    organisationId,
    references.flatMap(({ uid }) => uid ?? []),
  )
  const resolved = (reference: EntityReference) =>
    arriving(reference) ??
    byUid.get(reference.uid ?? '') ??
    byPath.get(reference.path) ??
    byName.get(foldName(reference.name))
  const open = placedReferences(content).filter(([, reference]) => reference.id !== self && !resolved(reference))
  const lines = new Map(open.map(([place, { name }]) => [JSON.stringify([place, name]), { place, name }]))
  for (const { place, name } of lines.values()) say('warning', place, messages.openReference(name))
  const connected = mapReferences(content, {
    entity: reference => (reference.id === self ? reference : (resolved(reference) ?? { ...reference, id: -1 })),
    // In another entity the column is found by name.
    column: ({ name, uid }, entity, before) => ({ name, uid: entity.uid === before.uid ? uid : undefined }),
  })
  if (connected.extendsEntity?.id !== self) return connected
  say('warning', 'extendsEntity', messages.extendsItself)
  return { ...connected, extendsEntity: unresolvedReference(connected.extendsEntity) }
}

function placedReferences({ extendsEntity, entityAttributes }: EntityContent): [string, EntityReference][] {
  return [
    ...(extendsEntity ? [['extendsEntity', extendsEntity] satisfies [string, EntityReference]] : []),
    ...entityAttributes.flatMap(item => {
      const place = `entityAttributes.${item.foreignKeyTypeAttribute}`
      const targets = [item.associatedEntity, ...item.alternativeTargets.map(({ entity }) => entity)]
      return targets.map((entity): [string, EntityReference] => [place, entity])
    }),
  ]
}

/** Makes a copy if another entity has the uid. An imported entity is an ordinary entity of the organisation. */
async function identify(
  tx: Db,
  organisationId: number,
  content: EntityContent,
  self: number,
  say: Say,
): Promise<EntityContent> {
  const foreign = await foreignUids(
    tx,
    organisationId,
    [content.uid, ...columnsOf(content).map(({ uid }) => uid)],
    self,
  )
  if (foreign.has(content.uid) || !isUid(content.uid)) {
    say('info', 'uid', messages.importedAsCopy)
    const to = { id: self, uid: newUid(), name: content.name, path: '' }
    return copyEntity(content, { self: to, copies: new Map([[self, to]]) })
  }
  return { ...withFreeUids(content, foreign, say), type: 'EXCLUSIVE' }
}

/** Replaces uids that are invalid, repeated or used by others; references to itself follow. */
function withFreeUids(content: EntityContent, foreign: ReadonlySet<string>, say: Say): EntityContent {
  const seen = new Set<string>([content.uid])
  const renewed = new Map<string, string>()
  const free = (uid: string, place: string, name: string) => {
    const isFree = isUid(uid) && !foreign.has(uid) && !seen.has(uid)
    seen.add(uid)
    if (isFree) return uid
    say('info', place, messages.newUid(name))
    const fresh = newUid()
    if (!renewed.has(uid)) renewed.set(uid, fresh)
    return fresh
  }
  const own = {
    ...content,
    typeAttributes: content.typeAttributes.map(item => ({
      ...item,
      uid: free(item.uid, `typeAttributes.${item.name}.uid`, item.name),
    })),
    entityAttributes: content.entityAttributes.map(item => ({
      ...item,
      uid: free(item.uid, `entityAttributes.${item.foreignKeyTypeAttribute}.uid`, item.foreignKeyTypeAttribute),
    })),
  }
  return mapReferences(own, {
    entity: reference => reference,
    column: ({ name, uid }, { uid: entityUid }) =>
      entityUid === content.uid && uid !== undefined && foreign.has(uid)
        ? { name, uid: renewed.get(uid) }
        : { name, uid },
  })
}

/** Turns an ImportError into a 400 with its code and message; returns other errors unchanged. */
function importErrorToApi(error: unknown): unknown {
  return error instanceof ImportError ? new ApiError(400, error.code, error.message) : error
}
