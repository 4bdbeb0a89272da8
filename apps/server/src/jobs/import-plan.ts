import { createHash } from 'node:crypto'
import { ImportError, quoted } from '@cadmus/formats/import-error'
import {
  importedContent,
  type ImportedEntity,
  type ImportedManifest,
  type ImportedModel,
} from '@cadmus/formats/imported-model'
import { canonicalJson } from '@cadmus/model/content'
import type { EntityContent } from '@cadmus/model/entity'
import { type PlacedEnumeration, withPlacedEnumerations } from '@cadmus/model/enumeration'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { FreeNames } from '@cadmus/model/free-names'
import { constraintsWithUids } from '@cadmus/model/constraints'
import { withPairUids } from '@cadmus/model/key-pairs'
import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { customEntityPath, customManifestPath, foldName } from '@cadmus/model/paths'
import { type ColumnSource, pinnedTargets } from '@cadmus/model/references'
import { newUid } from '@cadmus/model/uid'
import { parseVersion } from '@cadmus/model/version'
import { entityTexts } from '@cadmus/model/search/search-texts'
import type { ImportLine, ToReader } from '../commands/manifest/import-messages.ts'
import { inBatches } from '../store/statements.ts'
import { columnsOf } from '../store/entity-column.ts'
import { referencesOf } from '../store/entity-reference.ts'
import { contentColumns } from '../store/entity.ts'
import { openReferencesOf } from '../store/open-reference.ts'
import { searchParts } from '../store/search-parts.ts'
import type { PreparedEntity, PreparedManifest } from '../store/import-run.ts'
import type { EntityPlace, PackedEntities } from './packed-entities.ts'

type Places = Extract<ToReader, { kind: 'places' }>
type Manifest = ImportedManifest & {
  id: number
  uid: string
  assignedName: string
  placed: ReadonlyMap<string, PlacedEnumeration>
}

/**
 * Assigns ids, names, paths and owners to everything in an imported folder. Entities belong to the first manifest that
 * lists them.
 */
export class ImportPlan {
  readonly report: ImportLine[] = []
  readonly #entities: PackedEntities
  /** Storable names of the entities, by index. */
  readonly #names: readonly string[]
  readonly #manifests: Manifest[]
  readonly #references = new Map<string, EntityReference & { uid: string }>()
  readonly #columns: ColumnSource
  readonly #owners = new Map<string, Manifest>()
  readonly #usedUids: Set<string>
  /** Replacement uids of attributes and foreign keys, by uids already in use. */
  readonly #newUids = new Map<string, string>()

  readonly #leftOut = new Map<string, EntityReference>()

  /** `leftOut`: entities to which references wait. Throws ImportError if a name or path is too long. */
  constructor(
    source: Pick<ImportedModel, 'manifests' | 'isChecked'>,
    entities: PackedEntities,
    places: Places,
    leftOut: readonly ImportedEntity[] = [],
  ) {
    this.#entities = entities
    const manifests = source.manifests.map(one => ({ ...one, name: this.#storableName(one.name, one.path) }))
    this.#names = entities.places.map(({ name, corpusPath }) => this.#storableName(name, corpusPath))
    this.#usedUids = new Set(places.takenUids)
    this.#manifests = this.#placeManifests(manifests, places)
    for (const manifest of this.#manifests) {
      for (const path of manifest.entities) if (!this.#owners.has(path)) this.#owners.set(path, manifest)
    }
    entities.places.forEach(({ corpusPath, uid }, index) => {
      const id = places.entityIds[index] ?? -1
      const name = this.#names[index] ?? ''
      const path = customEntityPath(this.#ownerOf(corpusPath).assignedName, name)
      this.#references.set(corpusPath, { id, uid: this.#uidFor(uid, corpusPath), name, path })
    })
    for (const { path, is } of places.known) this.#references.set(path, is)
    for (const { corpusPath, name } of leftOut) {
      const path = customEntityPath(this.#ownerOf(corpusPath).assignedName, name)
      this.#leftOut.set(corpusPath, { id: -1, name, path })
    }
    this.#assignColumnUids(entities.places, new Set(places.takenUids))
    if (!source.isChecked) this.#reportCaseConflicts()
    this.#columns = this.#columnsOf(entities.places)
  }

  get rootId(): number {
    return this.#manifests[0]?.id ?? -1
  }

  /** Yields entities one by one to limit memory. Can be iterated only once. */
  *entities(): Generator<PreparedEntity> {
    let index = 0
    for (const imported of this.#entities.unpacked()) {
      yield this.#prepare({ ...imported, name: this.#names[index++] ?? imported.name })
    }
  }

  manifests(): PreparedManifest[] {
    const ids = new Map(this.#manifests.map(({ path, id }) => [path, id]))
    return this.#manifests.map(manifest => ({
      id: manifest.id,
      uid: manifest.uid,
      name: manifest.assignedName,
      path: customManifestPath(manifest.assignedName),
      corpusPath: storableText(manifest.path),
      description: manifest.description,
      importsPath: manifest.importsPath,
      enumerations: manifest.enumerations,
      version: versionOf(manifest.version),
      members: manifest.entities.flatMap(path => {
        const entityId = this.#references.get(path)?.id
        if (entityId === undefined) return []
        return [
          { entityId, type: this.#owners.get(path) === manifest ? ('EXCLUSIVE' as const) : ('TEMPLATE' as const) },
        ]
      }),
      subManifestIds: manifest.subManifests.flatMap(path => ids.get(path) ?? []),
    }))
  }

  /** Returns the storable form of a name, and reports a change. */
  #storableName(source: string, path: string): string {
    const { name, lines } = storableThing({ name: source, path })
    this.report.push(...lines)
    return name
  }

  /** Resolves attribute names of relationship targets; built per entity on demand. */
  #columnsOf(entities: readonly EntityPlace[]): ColumnSource {
    const byId = new Map(entities.map(place => [this.#references.get(place.corpusPath)?.id ?? -1, place]))
    const seen = new Map<number, ReturnType<ColumnSource>>()
    return id => {
      const [cached, place] = [seen.get(id), byId.get(id)]
      if (cached !== undefined || place === undefined) return cached
      const uids = new Map(
        inBatches(place.columns, 2).map(([name = '', uid = '']) => [name, this.#newUids.get(uid) ?? uid] as const),
      )
      const source = { uids, parent: this.#references.get(place.extendsEntity ?? '')?.id ?? 0 }
      seen.set(id, source)
      return source
    }
  }

  /** Names are case-insensitive here, but not in the folders of other tools. */
  #reportCaseConflicts(): void {
    const seen = new Map<string, string>()
    for (const [index, { corpusPath }] of this.#entities.places.entries()) {
      const name = this.#names[index] ?? ''
      const { assignedName, id } = this.#ownerOf(corpusPath)
      const key = `${id} ${foldName(name)}`
      const other = seen.get(key)
      if (other === undefined) seen.set(key, name)
      else if (other !== name) {
        const message = `${quoted(name)} and ${quoted(other)} differ only in case, which names in the manifest ${quoted(assignedName)} do not distinguish. Rename one of them before an export.`
        this.report.push({ severity: 'warning', kind: 'note', path: corpusPath, message })
      }
    }
  }

  #placeManifests(manifests: readonly ImportedManifest[], { manifestIds, takenNames }: Places): Manifest[] {
    const availableNames = new FreeNames({ taken: takenNames })
    return manifests.map((manifest, index) => {
      const assignedName = availableNames.take(manifest.name)
      if (assignedName !== manifest.name) {
        const message = `A manifest with the name "${manifest.name}" already exists; this one was named "${assignedName}".`
        this.report.push({ severity: 'warning', kind: 'changed', path: manifest.path, message })
      }
      const uid = this.#uidFor(manifest.uid, manifest.path)
      const placed = new Map(manifest.enumerations.map(one => [one.uid, { read: one, is: one }]))
      return { ...manifest, id: manifestIds[index] ?? -1, uid, assignedName, placed }
    })
  }

  #ownerOf(corpusPath: string): Manifest {
    const owner = this.#owners.get(corpusPath) ?? this.#manifests[0]
    if (owner === undefined) throw new Error('An imported folder has no manifest.')
    return owner
  }

  #prepare(source: ImportedEntity): PreparedEntity {
    const { entity: imported, message } = this.#entities.keys.withSingleKey(source)
    const { corpusPath, name } = imported
    if (message !== undefined) this.report.push({ severity: 'warning', kind: 'changed', path: corpusPath, message })
    const reference = this.#references.get(corpusPath)
    if (reference === undefined) throw new Error('An imported entity has no id.')
    const { uid } = reference
    const referenceOf = (path: string) => this.#references.get(path) ?? this.#leftOut.get(path)
    const owner = this.#ownerOf(corpusPath)
    const named = importedContent(imported, { uid, type: 'EXCLUSIVE', referenceOf })
    const content = pinnedTargets(this.#asCopy(named, imported.uid, owner), this.#columns)
    this.#reportMissingTargets(imported)
    const body = canonicalJson(content)
    const references = referencesOf(content)
    return {
      id: reference.id,
      uid,
      name,
      path: reference.path,
      corpusPath: storableText(corpusPath),
      manifestId: owner.id,
      version: versionOf(imported.version),
      row: contentColumns(content, reference.path),
      resolved: references.every(({ toId }) => toId > 0) ? 1 : 0,
      body,
      hash: createHash('sha256').update(body).digest('hex'),
      references,
      columns: columnsOf(content),
      parts: searchParts(entityTexts(content)),
      open: openReferencesOf(content),
    }
  }

  /**
   * An entity that already exists is imported as a copy, with new uids for all attributes. Otherwise only uids in use
   * are replaced.
   */
  #assignColumnUids(entities: readonly EntityPlace[], usedUids: ReadonlySet<string>): void {
    for (const { uid, corpusPath, columns } of entities) {
      if (uid === null) continue
      const isCopy = this.#references.get(corpusPath)?.uid !== uid
      for (const [, column = ''] of inBatches(columns, 2))
        if (isCopy || usedUids.has(column)) this.#newUids.set(column, newUid())
    }
  }

  /** Records the original uid wherever it was replaced. Attributes have the enumerations of the owner. */
  #asCopy(content: EntityContent, source: string | null, { placed }: Manifest): EntityContent {
    const renew = <T extends { uid: string; copiedFrom: string | null }>(item: T): T => {
      const uid = this.#newUids.get(item.uid)
      return uid === undefined ? item : { ...item, uid, copiedFrom: item.uid }
    }
    return {
      ...content,
      copiedFrom: source === null || source === content.uid ? content.copiedFrom : source,
      ...constraintsWithUids(content, uid => this.#newUids.get(uid)),
      typeAttributes: withPlacedEnumerations(content.typeAttributes.map(renew), placed),
      entityAttributes: content.entityAttributes.map(item => withPairUids(renew(item), uid => this.#newUids.get(uid))),
    }
  }

  /** Reports missing targets; their relationships are resolved once the target exists. */
  #reportMissingTargets({ corpusPath, extendsEntity, entityAttributes }: ImportedEntity): void {
    const parent = this.#leftOut.get(extendsEntity ?? '')
    if (parent) {
      const message = messages.openReference(parent.name)
      this.report.push({ severity: 'warning', kind: 'changed', path: corpusPath, message })
    }
    for (const { associatedEntity, foreignKeyTypeAttribute } of entityAttributes) {
      const { name, path } = associatedEntity
      if (this.#references.has(path)) continue
      const place = `${corpusPath.slice(1)}/${foreignKeyTypeAttribute}`
      this.report.push({ severity: 'warning', kind: 'changed', path: place, message: messages.openReference(name) })
    }
  }

  /** Keeps the uid of the file unless it is in use. */
  #uidFor(source: string | null, path: string): string {
    if (source === null) return newUid()
    if (!this.#usedUids.has(source)) {
      this.#usedUids.add(source)
      return source
    }
    this.report.push({
      severity: 'info',
      kind: 'changed',
      path,
      message: 'Its uid is already in use; it received a new one.',
    })
    return newUid()
  }
}

function versionOf(source: string | null): string {
  return source !== null && parseVersion(source) ? source : defaults.version
}

/** Bytes in UTF-8. The store's indexes hold names and paths completely. */
const limits = { name: 600, path: 2000 }

type Thing = { name: string; path: string }

/**
 * Replaces control characters and invalid surrogates, which databases cannot store, and reports the change. Throws
 * ImportError for overlong names or paths. Names that break only naming rules are unchanged.
 */
export function storableThing({ name, path }: Thing): { name: string; lines: ImportLine[] } {
  for (const [kind, text] of [['name', name] as const, ['path', path] as const]) {
    if (Buffer.byteLength(text) <= limits[kind]) continue
    const place = kind === 'name' ? `, in ${quoted(path)},` : ''
    throw new ImportError('too-large', `The ${kind} ${quoted(text)}${place} is too long.`)
  }
  const shown = storableText(name)
  if (shown === name) return { name, lines: [] }
  const message = `The name ${quoted(name)} contains characters that are not allowed; each was replaced with "${replacement}".`
  return { name: shown, lines: [{ severity: 'warning', kind: 'changed', path, message }] }
}

const replacement = '\uFFFD'

function storableText(text: string): string {
  return text.toWellFormed().replaceAll(/\p{Cc}/gu, replacement)
}
