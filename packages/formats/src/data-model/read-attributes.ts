import { newEntityAttribute, type EntityAttribute } from '@cadmus/model/entity-attribute'
import { newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'
import { booleanOf, isObject, listOf, nameOf, numberOf, textOf, type JsonObject } from '../cdm/json.ts'
import type { Place } from '../cdm/report.ts'
import { quoted } from '../import-error.ts'
import { propertyTypes, readTypes, type PropertyType } from './format.ts'
import type { ModelFile, ModelIndex } from './model-index.ts'

type Attributes = { typeAttributes: TypeAttribute[]; entityAttributes: EntityAttribute[] }

/** Converts the properties of a model to attributes and relationships, with positions in property order. */
export function attributesOf(model: ModelFile, index: ModelIndex, place: Place): Attributes {
  const key = index.keyOf(model)
  const made: Attributes = { typeAttributes: [], entityAttributes: [] }
  let before: TypeAttribute | undefined
  for (const property of model.properties) {
    const name = nameOf(property['name'])
    if (name === undefined) {
      place.lost('A property without a name is left out.')
      continue
    }
    const reference = textOf(property['reference'])
    const isModel = property['type'] === 'model' && property['array'] !== true
    const target = isModel && reference !== undefined ? index.find(reference) : undefined
    if (before && target && isForeignKey(before)) {
      made.entityAttributes.push(relationshipOf(before, target, index, place.in(before.name)))
      made.typeAttributes.pop()
      before = undefined
      continue
    }
    const position = made.typeAttributes.length + made.entityAttributes.length
    before = typeAttributeOf(name, property, position, place.in(name))
    if (name === key) before.purpose = 'identifiedBy'
    made.typeAttributes.push(before)
  }
  return made
}

/** A foreign key is the property directly before the property that holds the record. */
function isForeignKey({ dataType, choices, defaultValue }: TypeAttribute): boolean {
  return dataType !== 'object' && choices.length === 0 && defaultValue === null
}

function relationshipOf(key: TypeAttribute, target: ModelFile, index: ModelIndex, place: Place): EntityAttribute {
  const { name, description, nullable, position, purpose, dataType } = key
  const attribute = index.targetOf(target, name)
  place.changed(
    `The format does not state which property of ${quoted(target.name)} it refers to: ${quoted(attribute)} is used.`,
  )
  return newEntityAttribute({
    associatedEntity: { id: -1, name: target.name, path: target.corpusPath },
    associatedEntityTypeAttribute: attribute,
    foreignKeyTypeAttribute: name,
    foreignKeyDataType: dataType === 'string' ? 'string' : 'integer',
    foreignKeyPurpose: purpose,
    description,
    nullable,
    position,
  })
}

function typeAttributeOf(name: string, property: JsonObject, position: number, place: Place): TypeAttribute {
  const { dataType, format } = typeOf(property, place)
  const nullable = booleanOf(property['allowNull']) ?? booleanOf(property['required']) !== true
  return newTypeAttribute({
    name,
    position,
    dataType,
    format,
    nullable,
    description: textOf(property['comments']) ?? '',
    maxLength: maxLengthOf(property['maxLength'], place),
    choices: choicesOf(property, place),
    defaultValue: defaultOf(property['defaultValue']),
  })
}

function typeOf(
  property: JsonObject,
  place: Place,
): { dataType: TypeAttribute['dataType']; format: TypeAttribute['format'] } {
  const value = property['type']
  const type = propertyTypes.find(one => one === value)
  if (property['array'] === true) {
    place.changed('It holds a list, which attributes cannot: it is read as an object.')
    return readTypes.object
  }
  if (type === 'model' || isObject(listOf(property['gloopProperties'])[0])) {
    place.changed('It holds an inline model, which attributes cannot: it is read as an object.')
    return readTypes.object
  }
  if (type !== undefined) return typeWithReport(type, place)
  if (value !== undefined && value !== null) {
    place.changed(`The type ${quoted(textOf(value) ?? 'object')} is unknown: it is read as a string.`)
  }
  return readTypes.string
}

function typeWithReport(type: Exclude<PropertyType, 'model'>, place: Place) {
  if (type === 'bigInteger') place.changed('An integer of any length is read as a decimal.')
  return readTypes[type]
}

function maxLengthOf(value: unknown, place: Place): number | null {
  if (value === undefined || value === null) return null
  const length = numberOf(value)
  if (length !== undefined && Number.isSafeInteger(length) && length > 0) return length
  place.lost(`The max length ${quoted(textOf(value) ?? 'object')} is invalid: it is left out.`)
  return null
}

function choicesOf(property: JsonObject, place: Place): string[] {
  const value = listOf(property['choices'])
  if (value.length === 0) return []
  if (booleanOf(property['allowOtherValues']) === true) {
    place.lost('Its choices are suggestions, because other values are allowed: they are left out.')
    return []
  }
  const choices = value.flatMap(choice => textOf(choice) ?? [])
  if (choices.length < value.length) place.lost('A choice that is not text is left out.')
  return choices
}

function defaultOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return textOf(value) ?? JSON.stringify(value)
}
