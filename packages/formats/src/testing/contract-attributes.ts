import {
  list,
  object,
  text,
  type ContractAttribute,
  type ContractDocument,
  type ContractNames,
  type Json,
} from './contract-names.ts'

// Test helper: the attribute rules of the CDM folder contract.

/** Names that the standard documents define. */
export type DefinedNames = { traits: ReadonlySet<string> }

/** The model's data types and the CDM types for its formats. */
const dataTypes = new Set(
  'bigInteger binary boolean date dateTime dateTimeOffset decimal double float guid integer json object smallInteger string time'.split(
    ' ',
  ),
)
const purposes = new Set([
  'hasA',
  'identifiedBy',
  'locatedAt',
  'namedBy',
  'orderedBy',
  'representsCorrelatedStatusWith',
  'representsStateWith',
])
const entityKeys = new Set([
  'entityName',
  'extendsEntity',
  'displayName',
  'description',
  'version',
  'exhibitsTraits',
  'hasAttributes',
])
const attributeKeys = new Set([
  'name',
  'purpose',
  'dataType',
  'isNullable',
  'maximumLength',
  'displayName',
  'description',
  'appliedTraits',
  'valueConstrainedToList',
  'defaultValue',
])

export function attributeBreaches(
  documents: readonly ContractDocument[],
  names: ContractNames,
  defined: DefinedNames,
): string[] {
  return documents.flatMap(document => {
    const { path, entity } = document
    const breaches: string[] = []
    const breach = (what: string) => void breaches.push(`${path}: ${what}`)
    for (const key of Object.keys(entity)) if (!entityKeys.has(key)) breach(`an entity has no ${key}`)
    checkTraits(entity['exhibitsTraits'], defined, breach)
    const members = list(entity['hasAttributes']).map(object)
    checkNames(members, breach)
    for (const member of members) {
      if (member['entity'] === undefined) checkAttribute(member, defined, breach)
      else checkReference(member, defined, breach)
    }
    checkRestated(document, names, breach)
    return breaches
  })
}

type Breach = (what: string) => void

function checkNames(members: readonly Json[], breach: Breach): void {
  const yielded = members.map(yieldedBy)
  const written = members.map(({ name }) => text(name))
  for (const [index, attribute] of yielded.entries()) {
    const name = text(attribute['name'])
    const others = yielded.slice(0, index).flatMap((one, at) => (one['name'] === name ? [{ one, at }] : []))
    const [first] = others
    if (!first) continue
    // A referenced foreign key is an attribute followed by its relationship.
    const isReferencedKey = members[first.at]?.['entity'] === undefined && members[index]?.['entity'] !== undefined
    if (others.length > 1 || !isReferencedKey) breach('two of its attributes have one name')
    else if (kindOfKey(first.one) !== kindOfKey(attribute)) breach(`${name} is an attribute and another key`)
  }
  if (new Set(written).size < written.length) breach('two of its members have one name')
  for (const [index, name] of written.entries())
    if (name !== yielded[index]?.['name'] && yielded.some(one => one['name'] === name))
      breach(`${name} is an attribute and a reference`)
  if ([...written, ...yielded.map(one => text(one['name']))].includes('')) breach('an attribute has no name')
}

function yieldedBy(member: Json): Json {
  if (member['entity'] === undefined) return member
  return object(object(list(object(member['entity'])['operations'])[0])['replaceWith'])
}

function kindOfKey({ purpose, dataType, isNullable }: Json): string {
  return JSON.stringify([purpose, dataType, isNullable])
}

function checkAttribute(json: Json, defined: DefinedNames, breach: Breach): void {
  const name = text(json['name'])
  for (const key of Object.keys(json)) if (!attributeKeys.has(key)) breach(`${name}: an attribute has no ${key}`)
  checkDataType(name, json['dataType'], breach)
  if (!purposes.has(text(json['purpose']))) breach(`${name}: ${text(json['purpose'])} is no purpose of ours`)
  if (typeof json['isNullable'] !== 'boolean') breach(`${name}: whether it is nullable is not said`)
  for (const key of ['displayName', 'description'])
    if (key in json && text(json[key]) === '') breach(`${name}: its ${key} is no text`)
  const length = json['maximumLength']
  const isText = json['dataType'] === 'string' || json['dataType'] === 'guid'
  if (length !== undefined && (!isText || !Number.isInteger(length)))
    breach(`${name}: only a string has a maximum length, and that is a number`)
  checkTraits(json['appliedTraits'], defined, breach)
  checkChoices(name, json, breach)
}

/** A type name, or a decimal with precision and scale. */
function checkDataType(name: string, dataType: unknown, breach: Breach): void {
  if (typeof dataType === 'string') {
    if (!dataTypes.has(dataType)) breach(`${name}: ${dataType} is no data type of ours`)
    return
  }
  const [shaped, ...others] = list(object(dataType)['appliedTraits']).map(object)
  const digits = list(shaped?.['arguments']).map(object)
  const names = digits.map(digit => digit['name']).join(' ')
  const isShaped =
    object(dataType)['dataTypeReference'] === 'decimal' &&
    others.length === 0 &&
    shaped?.['traitReference'] === 'is.dataFormat.numeric.shaped' &&
    ['precision', 'precision scale'].includes(names) &&
    digits.every(({ value }) => Number.isInteger(value))
  if (!isShaped) breach(`${name}: its data type is none of ours`)
}

function checkChoices(name: string, json: Json, breach: Breach): void {
  if (!('defaultValue' in json) && !('valueConstrainedToList' in json)) return
  const rows = list(json['defaultValue']).map(object)
  if (json['valueConstrainedToList'] !== true || rows.length === 0)
    breach(`${name}: its choices are not written as such`)
  for (const [index, row] of rows.entries()) {
    const { languageTag, displayText, attributeValue, displayOrder, ...more } = row
    if (languageTag !== 'en' || typeof displayText !== 'string' || typeof attributeValue !== 'string')
      breach(`${name}: choice ${index} is not written as such`)
    if (displayOrder !== String(index) || Object.keys(more).length > 0)
      breach(`${name}: choice ${index} has another order`)
  }
}

function checkTraits(traits: unknown, { traits: defined }: DefinedNames, breach: Breach): void {
  if (traits === undefined) return
  if (list(traits).length === 0) breach('traits are no list, or an empty one')
  for (const trait of list(traits)) {
    const name = typeof trait === 'string' ? trait : text(object(trait)['traitReference'])
    if (!defined.has(name)) breach(`the trait ${name} is not known`)
    // Such a trait would change the meaning of the attribute.
    if (/^is\.(?:dataFormat|identifiedBy|nullable|linkedEntity)/.test(name))
      breach(`the trait ${name} changes what it is`)
  }
}

function checkReference(member: Json, defined: DefinedNames, breach: Breach): void {
  const name = text(member['name'])
  const { name: _name, description, entity, ...more } = member
  if (Object.keys(more).length > 0) breach(`${name}: a reference has no ${Object.keys(more).join(', ')}`)
  if (description !== undefined && text(description) === '') breach(`${name}: its description is no text`)
  const { source, operations, ...rest } = object(entity)
  if (text(source) === '' || text(source).includes('/')) breach(`${name}: its source is not a name`)
  const [operation, ...others] = list(operations).map(object)
  const { $type, reference, replaceWith, ...also } = operation ?? {}
  const extra = Object.keys(rest).length + Object.keys(also).length + others.length
  if ($type !== 'replaceAsForeignKey' || text(reference) === '' || extra > 0)
    breach(`${name}: it is not one foreign key`)
  checkAttribute(object(replaceWith), defined, breach)
}

/** A redefinition must be of the same kind because readers merge both. */
function checkRestated(document: ContractDocument, names: ContractNames, breach: Breach): void {
  const chain = names.chain(document) ?? []
  const parent = chain.at(-2)
  if (!parent) return
  const own = new Set(list(document.entity['hasAttributes']).map(item => text(object(item)['name'])))
  const inherited = names.attributes(parent)
  for (const [name, attribute] of names.attributes(document)) {
    const earlier = inherited.get(name)
    if (!own.has(name) || !earlier) continue
    if (kindOf(attribute) !== kindOf(earlier)) breach(`${name} is inherited as something else`)
  }
}

function kindOf({ json, source }: ContractAttribute): string {
  return `${JSON.stringify(json['dataType'])} ${source === undefined ? 'attribute' : 'reference'}`
}
