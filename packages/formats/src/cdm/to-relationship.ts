import { newEntityAttribute, type EntityAttribute, type EntityReference } from '@cadmus/model/entity-attribute'
import { canIdentify, isKeyDataType } from '@cadmus/model/rules/type-attribute'
import { keyDataTypes, type KeyDataType } from '@cadmus/model/type-attribute'
import { quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'
import { type CdmFormat, cdmFormats, productTypes } from './data-types.ts'
import type { CdmFolder } from './folder.ts'
import { isImported } from './parent.ts'
import type { Place } from './report.ts'
import type { ResolvedAttribute, ResolvedEntity, ResolvedTarget } from './resolved.ts'
import { corpusPathOf, type LocatedEntity } from './scope.ts'
import { purposeOf, traitsOf } from './to-type-attribute.ts'

/** A target that the model supports: imported, with an existing attribute of a key type. */
type UsableTarget = { entity: EntityReference; attribute: string; dataType: KeyDataType }

/** Undefined if the attribute is not a reference or has no imported target, which is reported. */
export function toRelationship(
  resolved: ResolvedAttribute,
  of: ResolvedEntity,
  position: number,
  folder: CdmFolder,
): EntityAttribute | undefined {
  const { attribute, reference } = resolved
  if (!reference) return undefined
  const place = folder.report.at(`${corpusPathOf(of.entity).slice(1)}/${attribute.name}`)
  for (const { name } of reference.unknown) {
    place.lost(`It refers to ${quoted(name)}, which is not in the folder.`)
  }
  const usable = reference.targets.flatMap(target => usableTarget(target, place, folder) ?? [])
  const [first, ...others] = usable
  if (!first) {
    if (reference.targets.length > 0) place.changed('It was imported as a plain attribute without a relationship.')
    return undefined
  }
  reportDropped(resolved, of, place, folder)
  return newEntityAttribute({
    associatedEntity: first.entity,
    associatedEntityTypeAttribute: first.attribute,
    description: reference.description ?? attribute.description ?? '',
    foreignKeyTypeAttribute: attribute.name,
    foreignKeyPurpose: purposeOf(attribute),
    foreignKeyDataType: first.dataType,
    nullable: attribute.isNullable ?? false,
    alternativeTargets: alternatives(first, others, place),
    traits: traitsOf(attribute),
    position,
  })
}

/** A foreign key takes these properties from its target; own values and defaults are lost. */
function reportDropped(resolved: ResolvedAttribute, of: ResolvedEntity, place: Place, folder: CdmFolder) {
  const resolution = { view: of.entity.in, written: resolved.written }
  const attribute = folder.lookup.typed(resolved.attribute, resolution)
  const choices = folder.lookup.choices(attribute, resolution)
  const what = [
    ...(choices.length > 0 ? ['its list of values'] : []),
    ...(attribute.defaultValue === undefined ? [] : ['its default value']),
  ]
  if (what.length > 0)
    place.lost(`It is a relationship: ${what.join(' and ')} ${what.length === 1 ? 'was' : 'were'} left out.`)
}

function alternatives(first: UsableTarget, others: readonly UsableTarget[], place: Place) {
  return others.flatMap(({ entity, attribute, dataType }) => {
    if (dataType === first.dataType) return [{ entity, attribute }]
    place.lost(`The key of ${quoted(entity.path)} has another data type; it was left out of the targets.`)
    return []
  })
}

function usableTarget(target: ResolvedTarget, place: Place, folder: CdmFolder): UsableTarget | undefined {
  const path = corpusPathOf(target.entity)
  if (!isImported(target.entity, folder)) {
    place.lost(`It refers to ${quoted(path)}, which no manifest declares.`)
    return undefined
  }
  const attribute = attributeNamed(target.attribute, target, folder)
  if (!attribute) {
    const what = target.attribute === '' ? 'which has no key' : `which has no attribute ${quoted(target.attribute)}`
    place.lost(`It refers to ${quoted(path)}, ${what}.`)
    return undefined
  }
  const dataType = keyTypeOf(attribute, target.entity, folder)
  if (!dataType) {
    place.lost(`It refers to ${quoted(target.attribute)} of ${quoted(path)}, which has no type of a key.`)
    return undefined
  }
  return { entity: { id: -1, name: target.entity.is.name, path }, attribute: attribute.attribute.name, dataType }
}

function attributeNamed(name: string, target: ResolvedTarget, folder: CdmFolder): ResolvedAttribute | undefined {
  return folder.resolver.resolve(target.entity).named(name)
}

/** The data type of a foreign key to the attribute: a string for other keys that identify rows. Undefined for attributes that do not. */
function keyTypeOf(key: ResolvedAttribute, of: LocatedEntity, folder: CdmFolder): KeyDataType | undefined {
  const type = keyTypes.get(keyFormatOf(key, of, folder))
  return type && (keyDataTypes.find(one => one === type.dataType) ?? 'string')
}

const sizes = { maxLength: null, precision: null, scale: null }

const keyTypes = new Map(
  cdmFormats.flatMap(format => {
    const type = productTypes[format]
    return canIdentify({ ...type, ...sizes }) ? [[format, type] as const] : []
  }),
)

/** The format of a key, followed through foreign keys until the chain ends or repeats. */
function keyFormatOf(
  key: ResolvedAttribute,
  of: LocatedEntity,
  folder: CdmFolder,
  passed = new Set<ResolvedAttribute>(),
): CdmFormat {
  passed.add(key)
  const next = key.reference?.targets.find(target => isImported(target.entity, folder))
  const further = next && attributeNamed(next.attribute, next, folder)
  if (further && !passed.has(further) && passed.size < bounds.extendsDepth)
    return keyFormatOf(further, next.entity, folder, passed)
  return folder.lookup.format(key.attribute, { view: of.in, written: key.written }) ?? 'String'
}

/** Whether an attribute can have the values of a key. Integers and strings of all formats are alike. */
export function isOfKeyType(
  attribute: ResolvedAttribute,
  of: LocatedEntity,
  key: ResolvedAttribute,
  end: LocatedEntity,
  folder: CdmFolder,
): boolean {
  const [own, other] = [keyFormatOf(attribute, of, folder), keyFormatOf(key, end, folder)]
  const [type, keyType] = [keyTypes.get(own), keyTypes.get(other)]
  if (!type || !keyType) return false
  return isKeyDataType(type.dataType) ? type.dataType === keyType.dataType : own === other
}
