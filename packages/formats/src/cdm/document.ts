import { ImportError, quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'
import { isNoList, isObject, isTooLong, listOf, nameOf, textOf, type JsonObject } from './json.ts'
import { descriptionOf, displayNameOf, displayTrait, hasTrait, keptTraits, statingTrait, traitNames } from './traits.ts'
import { choicesOfTable, type Choice } from './choices.ts'
import { gatherTraits, readMembers } from './members.ts'
import { asksForMore, readFilter } from './guidance.ts'
import type { InheritFilter, Member } from './member.ts'
import { boundsOver, readStated, readValueBounds, type Stated, type ValueBounds } from './stated.ts'
import { isStandardDocument } from './standard.ts'
import { projectionsOf, type Projection } from './projection.ts'
import type { Place, Report } from './report.ts'

/** A document as far as it is needed: lean, so that the JSON it came from can be dropped. */
export type CdmDocument = {
  /** From the folder's root, without a slash before it: `core/applicationCommon/Account.cdm.json`. */
  path: string
  /** The version of its content, as it states it. */
  version: string | undefined
  imports: readonly Import[]
  entities: ReadonlyMap<string, EntityDefinition>
  groups: ReadonlyMap<string, readonly Member[]>
  dataTypes: ReadonlyMap<string, DataTypeDefinition>
  purposes: ReadonlyMap<string, PurposeDefinition>
  constants: ReadonlyMap<string, readonly Choice[]>
}

export type Import = { corpusPath: string; moniker: string | undefined }

export type EntityDefinition = {
  name: string
  extendsEntity: string | undefined
  inherits: InheritFilter | undefined
  /** What is done to the inherited attributes, the innermost projection first. */
  projections: readonly Projection[]
  description: string
  members: readonly Member[]
  traits: readonly unknown[]
}

export type DataTypeDefinition = {
  name: string
  extendsDataType: string | undefined
  traits: readonly string[]
  /** What holds for its attributes as long as they do not say otherwise. */
  states?: Stated
  bounds?: ValueBounds
}

export type PurposeDefinition = { extendsPurpose: string | undefined; identifies: boolean }

/** Reads the JSON of one document. Throws ImportError where it is no object; anything inside that is not understood is reported. */
export function readDocument(json: unknown, path: string, report: Report): CdmDocument {
  if (!isObject(json)) throw new ImportError('not-cdm', `${quoted(path)} is not a CDM document.`)
  const document = {
    path,
    version: textOf(json['documentVersion']),
    imports: readImports(json),
    entities: new Map<string, EntityDefinition>(),
    groups: new Map<string, readonly Member[]>(),
    dataTypes: new Map<string, DataTypeDefinition>(),
    purposes: new Map<string, PurposeDefinition>(),
    constants: new Map<string, readonly Choice[]>(),
  }
  if (isNoList(json['definitions'])) report.warning(path, 'Its definitions are no list; they were left out.')
  for (const definition of listOf(json['definitions'])) {
    if (!isObject(definition)) {
      report.warning(path, 'A definition that is not an object was left out.')
      continue
    }
    readDefinition(definition, document, report.at(path))
  }
  return document
}

/** The imports of a document or manifest, in order; `uri` is an older word for `corpusPath`. */
export function readImports(json: JsonObject): Import[] {
  return listOf(json['imports']).flatMap(item => {
    const corpusPath = isObject(item) ? nameOf(item['corpusPath'] ?? item['uri']) : undefined
    return corpusPath === undefined || !isObject(item) ? [] : [{ corpusPath, moniker: nameOf(item['moniker']) }]
  })
}

type Draft = {
  path: string
  entities: Map<string, EntityDefinition>
  groups: Map<string, readonly Member[]>
  dataTypes: Map<string, DataTypeDefinition>
  purposes: Map<string, PurposeDefinition>
  constants: Map<string, readonly Choice[]>
}

function readDefinition(json: JsonObject, document: Draft, place: Place): void {
  const entityName = nameOf(json['entityName'])
  const groupName = nameOf(json['attributeGroupName'])
  const typeName = nameOf(json['dataTypeName'])
  const purposeName = nameOf(json['purposeName'])
  if (entityName !== undefined) {
    const inside = place.in(entityName)
    if (document.entities.has(entityName)) inside.warning(twice('entity'))
    document.entities.set(entityName, readEntity(json, entityName, inside))
  } else if (groupName !== undefined) {
    if (document.groups.has(groupName)) place.in(groupName).warning(twice('attribute group'))
    gatherTraits(json['exhibitsTraits'], place.in(groupName))
    document.groups.set(groupName, readMembers(json['members'], place.in(groupName)))
  } else if (typeName !== undefined) {
    const inside = place.in(typeName)
    if (document.dataTypes.has(typeName)) inside.warning(twice('data type'))
    document.dataTypes.set(typeName, readDataType(json, typeName, document, inside))
  } else if (purposeName !== undefined) {
    if (document.purposes.has(purposeName)) place.in(purposeName).warning(twice('purpose'))
    document.purposes.set(purposeName, {
      extendsPurpose: referenceName(json['extendsPurpose'], 'purposeReference'),
      identifies: hasTrait(json['exhibitsTraits'], 'is.identifiedBy'),
    })
  } else if (json['entityShape'] !== undefined) {
    const constantName = nameOf(json['constantEntityName'])
    if (constantName === undefined) return
    if (document.constants.has(constantName)) place.in(constantName).warning(twice('list of values'))
    document.constants.set(constantName, choicesOfTable(json))
  } else if (isTooLong(json['entityName'])) {
    place.error(`An entity whose name has more than ${bounds.nameLength} characters was left out.`)
  } else if (!isKnownKind(json)) {
    place.warning(`A definition with ${quoted(Object.keys(json).join(', '))} was not understood and left out.`)
  }
}

function twice(what: string): string {
  return `The document defines this ${what} twice; the last one counts.`
}

/** A folder that brings the standard documents is read as one that does not: what their types state is no length or list of its own. */
function readDataType(json: JsonObject, name: string, { path }: Draft, place: Place): DataTypeDefinition {
  const parent = json['extendsDataType']
  const traits = json['exhibitsTraits']
  const definition = { name, extendsDataType: referenceName(parent, 'dataTypeReference'), traits: traitNames(traits) }
  if (isStandardDocument(`/${path.slice(path.lastIndexOf('/') + 1)}`)) return definition
  const stated = { appliedTraits: traits }
  return {
    ...definition,
    states: readStated(stated, parent, place),
    bounds: boundsOver(readValueBounds({}, parent), readValueBounds({}, stated)),
  }
}

function readEntity(json: JsonObject, name: string, place: Place): EntityDefinition {
  const traits = json['exhibitsTraits']
  const parent = json['extendsEntity']
  const guidance = json['extendsEntityResolutionGuidance']
  reportOtherProperties(json, name, place)
  if (asksForMore(guidance)) {
    place.warning('What extendsEntityResolutionGuidance asks for besides a choice of attributes was left out.')
  }
  return {
    name,
    extendsEntity: parentName(parent),
    projections: isObject(parent) ? projectionsOf(parent, place) : [],
    inherits: readFilter(guidance),
    description: descriptionOf(json, traits) ?? '',
    members: readMembers(json['hasAttributes'], place),
    traits: [
      ...displayTrait(displayNameOf(json, traits), name),
      ...keptTraits(traits),
      ...statingTrait(traits, 'is.CDM.entityVersion', { versionNumber: json['version'] }),
    ],
  }
}

const readProperties: ReadonlySet<string> = new Set(
  `entityName extendsEntity extendsEntityResolutionGuidance hasAttributes exhibitsTraits displayName description explanation version`.split(
    ' ',
  ),
)

function reportOtherProperties(json: JsonObject, name: string, place: Place): void {
  const others = Object.keys(json).filter(key => !readProperties.has(key) && json[key] !== null)
  place.gather(
    'entityProperties',
    others.filter(key => key !== 'sourceName' || json[key] !== name),
  )
}

/** A parent may be the source of a projection, and that the source of another. */
function parentName(value: unknown): string | undefined {
  const named = referenceName(value, 'entityReference')
  return named ?? (isObject(value) ? parentName(value['source']) : undefined)
}

/** A name written plainly, or in an object under the given key. */
function referenceName(value: unknown, key: string): string | undefined {
  if (!isObject(value)) return nameOf(value)
  const inner = value[key]
  return isObject(inner) ? referenceName(inner, key) : nameOf(inner)
}

/** Traits and trait groups: reading needs none of their definitions. */
function isKnownKind(json: JsonObject): boolean {
  return ['traitName', 'traitGroupName', 'purposeName'].some(key => key in json)
}
