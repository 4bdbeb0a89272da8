import { limits } from '@cadmus/model/limits'
import { boundedName } from '@cadmus/model/rules/names'
import { foldName } from '@cadmus/model/paths'
import { purposes } from '@cadmus/model/type-attribute'
import { quoted } from '../import-error.ts'
import type { ImportedEntity, ImportedManifest, ImportedModel } from '../imported-model.ts'
import { checkSignal, type CdmFolder, type ReadOptions } from './folder.ts'
import type { Attribute } from './attribute.ts'
import type { ResolutionScope } from './lookup.ts'
import { importListedRelationships } from './listed-relationships.ts'
import type { Manifest } from './manifest.ts'
import { parentOf, sameTargets } from './parent.ts'
import { corpusPathOf, type LocatedEntity } from './scope.ts'
import { toRelationship } from './to-relationship.ts'
import { toTypeAttribute } from './to-type-attribute.ts'
import { isKey, type ResolvedAttribute, type ResolvedEntity } from './resolved.ts'

/**
 * Converts the declared entities of a folder to the model and reports everything that cannot be converted unchanged.
 */
export function toModel(folder: CdmFolder, options: ReadOptions = {}): ImportedModel {
  const declared = [...folder.entities]
  resolveAll(folder, options)
  importListedRelationships(folder, options)
  const entities: ImportedEntity[] = []
  const take = options.take ?? (entity => void entities.push(entity))
  for (const [index, [corpusPath, entity]] of declared.entries()) {
    checkSignal(options)
    options.onProgress?.(index + 1, declared.length, 'convert')
    take(folder.sidecar.entity(toEntity(entity, corpusPath, folder), entity.in.document))
  }
  const manifests = folder.manifests.map(manifest => folder.sidecar.manifest(toManifest(manifest, folder), manifest))
  folder.sidecar.reportNotes()
  reportSourceNames(folder)
  reportOtherTexts(folder)
  reportPurposes(folder)
  return { name: manifests[0]?.name ?? '', manifests, entities, report: folder.report.lines() }
}

/** The model has no source names; one line reports their number. */
function reportSourceNames({ entities, resolver, manifests, report }: CdmFolder): void {
  const all = [...entities.values()].flatMap(entity => [...resolver.resolve(entity).attributes.values()])
  const written = new Set(all.map(resolved => resolved.attribute))
  const named = [...written].filter(({ name, sourceName }) => sourceName !== undefined && sourceName !== name)
  if (named.length === 0) return
  const what =
    named.length === 1
      ? 'source name (sourceName) of one attribute was'
      : `source names (sourceName) of ${named.length} attributes were`
  report.lost(manifests[0]?.path ?? '', `The ${what} not imported.`)
}

/** The model has a fixed set of purposes. CDM purposes beyond it are reported, except those that identify. */
function reportPurposes({ entities, resolver, report }: CdmFolder): void {
  const supported: ReadonlySet<string | undefined> = new Set([...purposes, undefined])
  const reported = new Set<Attribute>()
  for (const entity of entities.values()) {
    for (const { attribute } of resolver.resolve(entity).attributes.values()) {
      const { purpose } = attribute
      if (purpose === undefined || supported.has(purpose) || isKey(attribute) || reported.has(attribute)) continue
      reported.add(attribute)
      report.gather('purposes', corpusPathOf(entity).slice(1), [purpose])
    }
  }
}

/** Choices have a single text; one line reports the number of texts in other languages. */
function reportOtherTexts({ entities, resolver, lookup, manifests, report }: CdmFolder): void {
  const choicesOf = (attribute: Attribute, resolution: ResolutionScope) =>
    lookup.choices(lookup.typed(attribute, resolution), resolution)
  const lists = [...entities.values()].flatMap(entity =>
    [...resolver.resolve(entity).attributes.values()].map(({ attribute, written }) =>
      choicesOf(attribute, { view: entity.in, written }),
    ),
  )
  const count = [...new Set(lists)].flat().reduce((sum, { otherTexts = 0 }) => sum + otherTexts, 0)
  if (count === 0) return
  const what =
    count === 1 ? 'One text of a choice in another language was' : `${count} texts of choices in other languages were`
  report.lost(manifests[0]?.path ?? '', `${what} not imported.`)
}

function resolveAll({ entities, resolver }: CdmFolder, options: ReadOptions): void {
  let done = 0
  for (const entity of entities.values()) {
    checkSignal(options)
    resolver.resolve(entity)
    options.onProgress?.(++done, entities.size, 'resolve')
  }
}

function toEntity(entity: LocatedEntity, corpusPath: string, folder: CdmFolder): ImportedEntity {
  const place = folder.report.at(corpusPath.slice(1))
  const resolved = folder.resolver.resolve(entity)
  const parent = parentOf(resolved, folder)
  const problem = boundedName(entity.is.name, limits.entityName)
  if (problem) place.note(`The name ${quoted(entity.is.name)} is kept as it is, but ${problem}`)
  const imported: ImportedEntity = {
    name: entity.is.name,
    corpusPath,
    description: entity.is.description,
    extendsEntity: parent ? corpusPathOf(parent.entity) : null,
    referenceImportPaths: entity.in.document.imports.map(item => item.corpusPath),
    groups: [],
    checks: [],
    traits: [...entity.is.traits],
    typeAttributes: [],
    entityAttributes: [],
    uid: null,
    copiedFrom: null,
    version: null,
  }
  addAttributes(imported, ownAttributes(resolved, parent, folder), resolved, folder)
  return imported
}

/** Attributes that the entity adds or changes; all attributes if it has no parent in the model. */
function ownAttributes(
  resolved: ResolvedEntity,
  parent: ResolvedEntity | undefined,
  folder: CdmFolder,
): ResolvedAttribute[] {
  if (!parent) return [...resolved.attributes.values()]
  const parentLevel = resolved.chain.findIndex(ancestor => ancestor.is === parent.entity.is)
  return [...resolved.attributes].flatMap(([name, attribute]) => {
    const inherited = parent.attributes.get(name)
    const isOwn = attribute.level > parentLevel || !inherited || !sameTargets(attribute, inherited, folder)
    return isOwn ? [attribute] : []
  })
}

function addAttributes(
  imported: ImportedEntity,
  own: readonly ResolvedAttribute[],
  resolved: ResolvedEntity,
  folder: CdmFolder,
): void {
  const place = folder.report.at(imported.corpusPath.slice(1))
  const names = new Map<string, string>()
  own.forEach((attribute, position) => {
    const { name } = attribute.attribute
    const problem = boundedName(name, limits.attributeName)
    if (problem) place.in(name).note(`The name ${quoted(name)} is kept as it is, but ${problem}`)
    const sameName = names.get(foldName(name))
    if (sameName !== undefined) place.note(`The names ${quoted(sameName)} and ${quoted(name)} differ only in case.`)
    names.set(foldName(name), name)
    const relationship = toRelationship(attribute, resolved, position, folder)
    if (relationship) imported.entityAttributes.push(relationship)
    else imported.typeAttributes.push(toTypeAttribute(attribute, resolved, position, folder))
  })
}

function toManifest(manifest: Manifest, folder: CdmFolder): ImportedManifest {
  const problem = boundedName(manifest.name, limits.manifestName)
  if (problem) {
    folder.report.note(manifest.path, `The name ${quoted(manifest.name)} is kept as it is, but ${problem}`)
  }
  const paths = manifest.entities.map(declared => `/${declared.path}/${declared.name}`)
  return {
    path: manifest.path,
    name: manifest.name,
    description: manifest.description,
    entities: [...new Set(paths)].filter(path => folder.entities.has(path)),
    subManifests: [...new Set(manifest.subManifests)],
    importsPath: manifest.imports.map(item => item.corpusPath),
    enumerations: [],
    uid: null,
    version: null,
  }
}
