import { ImportError, quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'
import { isInvalidList, isObject, isTooLong, listOf, nameOf, textOf, type JsonObject } from './json.ts'
import {
  descriptionOf,
  displayNameOf,
  displayTrait,
  hasTrait,
  retainedTraits,
  valueTrait,
  traitNames,
} from './traits.ts'
import { choicesOfTable, type Choice } from './choices.ts'
import type { InheritFilter, Member } from './member.ts'
import { gatherTraits, readMembers } from './members.ts'
import { hasUnsupportedGuidance, readFilter } from './guidance.ts'
import {
  boundsOver,
  readDeclaredValues,
  readValueBounds,
  type DeclaredValues,
  type ValueBounds,
} from './declared-values.ts'
import { isStandardDocument } from './standard.ts'
import { projectionsOf, type Projection } from './projection.ts'
import type { Place, Report } from './report.ts'

/** The parts of a document that reading needs, so that the JSON can be released. */
export type CdmDocument = {
  /** Relative to the root, without a leading slash, e.g. `core/applicationCommon/Account.cdm.json`. */
  path: string
  /** Version of the content, as stated. */
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
  /** Projections on the inherited attributes, innermost first. */
  projections: readonly Projection[]
  description: string
  members: readonly Member[]
  traits: readonly unknown[]
}

export type DataTypeDefinition = {
  name: string
  extendsDataType: string | undefined
  traits: readonly string[]
  /** Defaults for attributes of this data type. */
  states?: DeclaredValues
  bounds?: ValueBounds
}

export type PurposeDefinition = { extendsPurpose: string | undefined; identifies: boolean }

/** Reads the JSON of a document. Throws ImportError if it is not an object; reports anything unsupported inside it. */
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
  if (isInvalidList(json['definitions'])) report.lost(path, 'Its definitions are not a list; they were left out.')
  for (const definition of listOf(json['definitions'])) {
    if (!isObject(definition)) {
      report.lost(path, 'A definition that is not an object was left out.')
      continue
    }
    readDefinition(definition, document, report.at(path))
  }
  return document
}

/** Imports of a document or manifest, in order; `uri` is an older name of `corpusPath`. */
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
    if (document.entities.has(entityName)) inside.lost(twice('entity'))
    document.entities.set(entityName, readEntity(json, entityName, inside))
  } else if (groupName !== undefined) {
    if (document.groups.has(groupName)) place.in(groupName).lost(twice('attribute group'))
    gatherTraits(json['exhibitsTraits'], place.in(groupName))
    document.groups.set(groupName, readMembers(json['members'], place.in(groupName)))
  } else if (typeName !== undefined) {
    const inside = place.in(typeName)
    if (document.dataTypes.has(typeName)) inside.lost(twice('data type'))
    document.dataTypes.set(typeName, readDataType(json, typeName, document, inside))
  } else if (purposeName !== undefined) {
    if (document.purposes.has(purposeName)) place.in(purposeName).lost(twice('purpose'))
    document.purposes.set(purposeName, {
      extendsPurpose: referenceName(json['extendsPurpose'], 'purposeReference'),
      identifies: hasTrait(json['exhibitsTraits'], 'is.identifiedBy'),
    })
  } else if (json['entityShape'] !== undefined) {
    const constantName = nameOf(json['constantEntityName'])
    if (constantName === undefined) return
    if (document.constants.has(constantName)) place.in(constantName).lost(twice('list of values'))
    document.constants.set(constantName, choicesOfTable(json))
  } else if (isTooLong(json['entityName'])) {
    place.error(`An entity whose name has more than ${bounds.nameLength} characters was left out.`)
  } else if (!isKnownKind(json)) {
    place.lost(`A definition with ${quoted(Object.keys(json).join(', '))} is not supported; it was left out.`)
  }
}

function twice(what: string): string {
  return `The document defines this ${what} twice; the last definition was used.`
}

/** Standard documents in the folder are treated as the built-in ones: their types declare no length or list. */
function readDataType(json: JsonObject, name: string, { path }: Draft, place: Place): DataTypeDefinition {
  const parent = json['extendsDataType']
  const traits = json['exhibitsTraits']
  const definition = { name, extendsDataType: referenceName(parent, 'dataTypeReference'), traits: traitNames(traits) }
  if (isStandardDocument(`/${path.slice(path.lastIndexOf('/') + 1)}`)) return definition
  const stated = { appliedTraits: traits }
  return {
    ...definition,
    states: readDeclaredValues(stated, parent, place),
    bounds: boundsOver(readValueBounds({}, parent), readValueBounds({}, stated)),
  }
}

function readEntity(json: JsonObject, name: string, place: Place): EntityDefinition {
  const traits = json['exhibitsTraits']
  const parent = json['extendsEntity']
  const guidance = json['extendsEntityResolutionGuidance']
  reportOtherProperties(json, name, place)
  if (hasUnsupportedGuidance(guidance)) {
    place.lost('Only the attribute filter of extendsEntityResolutionGuidance was applied.')
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
      ...retainedTraits(traits),
      ...valueTrait(traits, 'is.CDM.entityVersion', { versionNumber: json['version'] }),
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

/** The parent's name, which may be inside nested projections. */
function parentName(value: unknown): string | undefined {
  const named = referenceName(value, 'entityReference')
  return named ?? (isObject(value) ? parentName(value['source']) : undefined)
}

/** A name given as a string or as a property of an object. */
function referenceName(value: unknown, key: string): string | undefined {
  if (!isObject(value)) return nameOf(value)
  const inner = value[key]
  return isObject(inner) ? referenceName(inner, key) : nameOf(inner)
}

/** Traits and trait groups are accepted but not needed. */
function isKnownKind(json: JsonObject): boolean {
  return ['traitName', 'traitGroupName', 'purposeName'].some(key => key in json)
}
