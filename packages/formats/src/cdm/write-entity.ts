import type { ResolvedAttribute } from '@cadmus/model/inherit'
import type { Purpose } from '@cadmus/model/type-attribute'
import { folderOfPath } from './corpus.ts'
import { pathIn } from './layout.ts'
import { rootEntity } from './standard.ts'
import { labelsOf, writtenTraits } from './write-traits.ts'
import type { WrittenAttribute } from './written-entity.ts'
import type { WrittenKeys } from './written-keys.ts'
import type { WrittenDocument, WrittenTarget } from './written-model.ts'
import { writtenType, type WrittenType } from './written-type.ts'

type Json = Record<string, unknown>

export const foundations = { corpusPath: 'cdm:/foundations.cdm.json' }

/** The document of an entity, as specified in the contract for exported folders. */
export function entityJson(document: WrittenDocument, keys: WrittenKeys, version: string | undefined): Json {
  const { entity, place, own, targets } = document
  const referred = keys.referred(document)
  const { displayName, version: stated, traits } = writtenTraits(entity.traits, place.name, version)
  return {
    // Foreign keys, also inherited ones, are written as projections, which need version 1.4.
    jsonSchemaSemanticVersion: targets.size > 0 ? '1.4.0' : '1.0.0',
    ...(version === undefined ? {} : { documentVersion: version }),
    imports: importsOf(document),
    definitions: [
      {
        entityName: place.name,
        extendsEntity: parentName(document),
        ...withoutEmpty({ displayName, description: entity.description, version: stated, exhibitsTraits: traits }),
        hasAttributes: own.flatMap(attribute =>
          membersJson(attribute, targets.get(attribute.name), keys, referred.get(attribute.name)),
        ),
      },
    ],
  }
}

export function importsOf({ entity, place, imports }: WrittenDocument): Json[] {
  const folder = folderOfPath(place.path)
  const originals = entity.referenceImportPaths.filter(path => standard.test(path) && path !== foundations.corpusPath)
  return [
    foundations,
    ...imports.map(item => ({
      corpusPath: pathIn(folder, item.entity.place.path),
      ...withoutEmpty({ moniker: item.moniker }),
    })),
    // These documents define no names that a folder may define, so their position does not matter.
    ...originals.map(corpusPath => ({ corpusPath })),
  ]
}

/** Standard documents that every CDM reader has. */
const standard =
  /^cdm:\/(?:foundations|primitives|meanings(?:\.(?:calendar|concepts|demographics|formats|identity|location|measurement|privacy|qualifiers))?)\.cdm\.json$/

function parentName({ parent, imports }: WrittenDocument): string {
  if (!parent) return rootEntity
  const moniker = imports.find(item => item.entity.entity.id === parent.entity.id)?.moniker
  return moniker === undefined ? parent.place.name : `${moniker}/${parent.place.name}`
}

/** A referenced foreign key is written twice: as an attribute and, after it, as the relationship that readers use. */
function membersJson(
  { name, of }: WrittenAttribute,
  target: WrittenTarget | undefined,
  keys: WrittenKeys,
  relationshipName: string | undefined,
): Json[] {
  if (!target || of.kind === 'type') return [typeJson(name, of, writtenType(of))]
  const dataType = keys.typeOf(target)
  const { description } = of.relationship
  const reference = {
    name: relationshipName ?? name,
    ...withoutEmpty({ description }),
    entity: {
      source: target.entity.place.name,
      operations: [
        {
          $type: 'replaceAsForeignKey',
          reference: target.attribute.name,
          replaceWith: typeJson(name, { ...of, relationship: { ...of.relationship, description: '' } }, dataType),
        },
      ],
    },
  }
  return relationshipName === undefined ? [reference] : [typeJson(name, of, dataType), reference]
}

/** A type attribute, or the foreign key of a relationship that the folder cannot express. */
function typeJson(name: string, of: ResolvedAttribute, dataType: WrittenType): Json {
  const { description, traits } = of.kind === 'type' ? of.attribute : of.relationship
  const written = writtenTraits(traits, name)
  return {
    name,
    purpose: purposeOf(of),
    dataType,
    isNullable: of.nullable,
    ...(of.dataType === 'string' && of.maxLength !== null ? { maximumLength: of.maxLength } : {}),
    ...withoutEmpty({ displayName: written.displayName, description, appliedTraits: written.traits }),
    ...choicesJson(of.choices, traits),
  }
}

function purposeOf(of: ResolvedAttribute): string {
  return demoted(of.kind === 'type' ? of.attribute.purpose : of.relationship.foreignKeyPurpose, of.isPrimaryKey)
}

/** An inherited key is demoted if the entity has its own. */
export function demoted(purpose: Purpose, isKey: boolean): Purpose {
  return purpose === 'identifiedBy' && !isKey ? 'hasA' : purpose
}

function choicesJson(choices: readonly string[], traits: readonly unknown[]): Json {
  if (choices.length === 0) return {}
  const labels = labelsOf(traits, choices)
  return {
    valueConstrainedToList: true,
    defaultValue: choices.map((value, index) => ({
      languageTag: 'en',
      displayText: labels?.[index]?.label ?? value,
      attributeValue: value,
      displayOrder: String(index),
    })),
  }
}

function withoutEmpty(values: Json): Json {
  const hasValue = (value: unknown) =>
    value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(values).filter(([, value]) => hasValue(value)))
}
