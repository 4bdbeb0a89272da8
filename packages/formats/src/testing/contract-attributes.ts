import {
  list,
  object,
  text,
  type ContractAttribute,
  type ContractDocument,
  type ContractNames,
  type Json,
} from './contract-names.ts'

// For tests only: what the contract for CDM folders says of attributes.

/** Names that the standard documents define. */
export type Known = { traits: ReadonlySet<string> }

const dataTypes = new Set(['boolean', 'dateTime', 'double', 'float', 'integer', 'object', 'string'])
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
  known: Known,
): string[] {
  return documents.flatMap(document => {
    const { path, entity } = document
    const found: string[] = []
    const breach = (what: string) => void found.push(`${path}: ${what}`)
    for (const key of Object.keys(entity)) if (!entityKeys.has(key)) breach(`an entity has no ${key}`)
    checkTraits(entity['exhibitsTraits'], known, breach)
    const members = list(entity['hasAttributes']).map(object)
    checkNames(members, breach)
    for (const member of members) {
      if (member['entity'] === undefined) checkAttribute(member, known, breach)
      else checkReference(member, known, breach)
    }
    checkRestated(document, names, breach)
    return found
  })
}

type Breach = (what: string) => void

function checkNames(members: readonly Json[], breach: Breach): void {
  const yielded = members.map(({ name, entity }) =>
    entity === undefined
      ? text(name)
      : text(object(object(list(object(entity)['operations'])[0])['replaceWith'])['name']),
  )
  const written = members.map(({ name }) => text(name))
  if (new Set(yielded).size < yielded.length) breach('two of its attributes have one name')
  if (new Set(written).size < written.length) breach('two of its members have one name')
  for (const [index, name] of written.entries())
    if (name !== yielded[index] && yielded.includes(name)) breach(`${name} is an attribute and a reference`)
  if ([...written, ...yielded].includes('')) breach('an attribute has no name')
}

function checkAttribute(json: Json, known: Known, breach: Breach): void {
  const name = text(json['name'])
  for (const key of Object.keys(json)) if (!attributeKeys.has(key)) breach(`${name}: an attribute has no ${key}`)
  if (!dataTypes.has(text(json['dataType']))) breach(`${name}: ${text(json['dataType'])} is no data type of ours`)
  if (!purposes.has(text(json['purpose']))) breach(`${name}: ${text(json['purpose'])} is no purpose of ours`)
  if (typeof json['isNullable'] !== 'boolean') breach(`${name}: whether it is nullable is not said`)
  for (const key of ['displayName', 'description'])
    if (key in json && text(json[key]) === '') breach(`${name}: its ${key} is no text`)
  const length = json['maximumLength']
  if (length !== undefined && (json['dataType'] !== 'string' || !Number.isInteger(length)))
    breach(`${name}: only a string has a maximum length, and that is a number`)
  checkTraits(json['appliedTraits'], known, breach)
  checkChoices(name, json, breach)
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

function checkTraits(traits: unknown, { traits: known }: Known, breach: Breach): void {
  if (traits === undefined) return
  if (list(traits).length === 0) breach('traits are no list, or an empty one')
  for (const trait of list(traits)) {
    const name = typeof trait === 'string' ? trait : text(object(trait)['traitReference'])
    if (!known.has(name)) breach(`the trait ${name} is not known`)
    // What would make another attribute of it.
    if (/^is\.(?:dataFormat|identifiedBy|nullable|linkedEntity)/.test(name))
      breach(`the trait ${name} changes what it is`)
  }
}

function checkReference(member: Json, known: Known, breach: Breach): void {
  const name = text(member['name'])
  const { name: _name, description, entity, ...more } = member
  if (Object.keys(more).length > 0) breach(`${name}: a reference has no ${Object.keys(more).join(', ')}`)
  if (description !== undefined && text(description) === '') breach(`${name}: its description is no text`)
  const { source, operations, ...rest } = object(entity)
  if (text(source) === '' || text(source).includes('/')) breach(`${name}: its source is not a name`)
  const [operation, ...others] = list(operations).map(object)
  const { $type, reference, replaceWith, ...also } = operation ?? {}
  const odd = Object.keys(rest).length + Object.keys(also).length + others.length
  if ($type !== 'replaceAsForeignKey' || text(reference) === '' || odd > 0) breach(`${name}: it is not one foreign key`)
  checkAttribute(object(replaceWith), known, breach)
}

/** What is defined anew must stay the same kind of thing: the two are merged. */
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
  return `${text(json['dataType'])} ${source === undefined ? 'attribute' : 'reference'}`
}
