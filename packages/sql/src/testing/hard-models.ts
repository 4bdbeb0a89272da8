import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityNode } from '@cadmus/model/entity'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import { conditionAttributes } from '@cadmus/model/testing/arbitrary-conditions'
import { aCheck, aResolvedModel, aKey, aList, anEntity, aRelationship } from '@cadmus/model/testing/builders'
import { attribute, names } from './hard-names.ts'

// For tests only: models with difficult constructs. The golden files contain their scripts.

export const hardModels: Readonly<Record<string, () => ResolvedModel>> = {
  'data-types': dataTypes,
  'computed-defaults': computedDefaults,
  checks,
  references,
  inheritance,
  names,
  keys,
  digits,
  'fixed-and-single': fixedAndSingle,
  'foreign-keys': several,
  wide,
}

/** Every data type and format with and without defaults, choices, lengths, precision; comments of every kind. */
function dataTypes(): ResolvedModel {
  const all = anEntity({
    name: 'Everything',
    description: "Holds one attribute of each kind: it's long,\nhas a second line & a \\ backslash.",
    typeAttributes: aList(
      aKey(),
      attribute('title', { defaultValue: "it's a \\ default" }),
      attribute('code', { unique: true, description: 'A code; GO -- not a comment' }),
      attribute('nickname', { unique: true, nullable: true }),
      attribute('alias', { indexed: true, nullable: true }),
      attribute('short', { maxLength: 20, defaultValue: 'short' }),
      attribute('tooLong', { maxLength: 3, defaultValue: 'four' }),
      attribute('face', { maxLength: 1, nullable: true, defaultValue: '😀' }),
      attribute('long', { maxLength: 5000, nullable: true, indexed: true }),
      attribute('status', {
        choices: ['open', "won't", 'back\\slash', 'line\nbreak', 'R&D $(x)'],
        defaultValue: 'open',
      }),
      attribute('answer', { choices: ['', 'yes', 'no'], nullable: true, defaultValue: '' }),
      attribute('guid', { format: 'guid', nullable: true, defaultValue: '6F9619FF-8B86-D011-B42D-00C04FC964FF' }),
      attribute('prose', { format: 'text', nullable: true, defaultValue: 'once' }),
      attribute('whole', { dataType: 'integer', defaultValue: '9223372036854775807' }),
      attribute('whole16', { dataType: 'integer', format: 'int16', defaultValue: '-32768' }),
      attribute('whole32', { dataType: 'integer', format: 'int32', nullable: true, defaultValue: '2147483648' }),
      attribute('rating', { dataType: 'integer', choices: ['1', '2', '3'], nullable: true, indexed: true }),
      attribute('state', { dataType: 'integer', choices: ['1', 'two'], nullable: true }),
      attribute('price', { dataType: 'double', precision: 12, scale: 2, defaultValue: '0.10' }),
      attribute('ratio', { dataType: 'double', defaultValue: '1.5e-3' }),
      attribute('weight', { dataType: 'float', nullable: true }),
      attribute('farAway', { dataType: 'double', nullable: true, defaultValue: '-1.25e300' }),
      attribute('scaled', { dataType: 'double', format: 'decimal', scale: 40, nullable: true, defaultValue: '0.1' }),
      attribute('manyDigits', { dataType: 'double', format: 'decimal', defaultValue: '0.1234567890123456789' }),
      attribute('exact', { dataType: 'float', format: 'decimal', nullable: true }),
      attribute('huge', { dataType: 'double', precision: 60, scale: 40, nullable: true }),
      attribute('active', { dataType: 'boolean', defaultValue: 'true' }),
      attribute('hidden', { dataType: 'boolean', nullable: true }),
      attribute('happened', { dataType: 'dateTime', defaultValue: '2026-02-03T04:05:06Z' }),
      attribute('day', { dataType: 'dateTime', format: 'date', defaultValue: '2024-02-29' }),
      attribute('noDay', { dataType: 'dateTime', format: 'date', nullable: true, defaultValue: '2023-02-29' }),
      attribute('hour', { dataType: 'dateTime', format: 'time', nullable: true, defaultValue: '23:59' }),
      attribute('data', { dataType: 'object', nullable: true, defaultValue: '{"a": "it\'s"}' }),
      attribute('json', { dataType: 'object', format: 'json', nullable: true }),
      attribute('document', { dataType: 'object', format: 'text', nullable: true }),
      attribute('bytes', { dataType: 'object', format: 'binary', nullable: true }),
      attribute('uniqueObject', { dataType: 'object', unique: true, nullable: true }),
    ),
  })
  return aResolvedModel([all])
}

/** Integers of a precision: keys, references to them, defaults and choices. */
function digits(): ResolvedModel {
  const integer = { dataType: 'integer', nullable: true } as const
  const account = anEntity({
    name: 'Account',
    typeAttributes: aList(
      aKey({ name: 'number', precision: 20 }),
      attribute('owner', { maxLength: 40 }),
      attribute('holder', { format: 'guid' }),
      attribute('small', { ...integer, precision: 4, defaultValue: '9999' }),
      attribute('long', { ...integer, precision: 18, unique: true, defaultValue: `-${'9'.repeat(18)}` }),
      attribute('longer', { ...integer, precision: 19, indexed: true, choices: ['1', '9223372036854775808'] }),
      attribute('longest', { ...integer, precision: 38, defaultValue: '9'.repeat(38) }),
      attribute('tooLong', { ...integer, precision: 3, defaultValue: '1000' }),
      attribute('decimal', { ...integer, dataType: 'double', precision: 20, scale: 0 }),
    ),
  })
  const line = anEntity({
    name: 'Line',
    typeAttributes: aList(aKey({ precision: 9 })),
    entityAttributes: [
      aRelationship(account, { associatedEntityTypeAttribute: 'number', foreignKeyTypeAttribute: 'accountNumber' }),
      aRelationship(account, { associatedEntityTypeAttribute: 'long', foreignKeyTypeAttribute: 'byLong' }),
    ],
  })
  return aResolvedModel([account, line])
}

/** Texts of fixed length and numbers of single precision: keys, references to them, defaults and choices. */
function fixedAndSingle(): ResolvedModel {
  const single = { dataType: 'float', format: 'single', nullable: true } as const
  const fixed = { format: 'fixed', nullable: true } as const
  const currency = anEntity({
    name: 'Currency',
    typeAttributes: aList(
      aKey({ name: 'code', dataType: 'string', format: 'fixed', maxLength: 3 }),
      attribute('sign', { ...fixed, maxLength: 1, choices: ['€', '$'], defaultValue: '€' }),
      attribute('number', { ...fixed, maxLength: 255, unique: true }),
      attribute('face', { ...fixed, maxLength: 2, defaultValue: '😀x' }),
      attribute('short', { ...fixed, maxLength: 3, defaultValue: 'ab' }),
      attribute('spaced', { ...fixed, maxLength: 3, choices: ['ab '] }),
      attribute('long', { ...fixed, maxLength: 256 }),
      attribute('rate', { ...single, defaultValue: '0.1' }),
      attribute('step', { ...single, choices: ['0.5', '0.1'], indexed: true }),
      attribute('tooLarge', { ...single, defaultValue: '1e39' }),
      attribute('exact', { ...single, precision: 5, scale: 2 }),
    ),
  })
  const price = anEntity({
    name: 'Price',
    typeAttributes: aList(aKey()),
    entityAttributes: [
      aRelationship(currency, { associatedEntityTypeAttribute: 'code', foreignKeyTypeAttribute: 'currency' }),
    ],
  })
  return aResolvedModel([currency, price])
}

/** Every operator and function of conditions, inherited ones, and some that a database cannot say. */
function checks(): ResolvedModel {
  const item = anEntity({
    name: 'Item',
    typeAttributes: aList(aKey(), ...conditionAttributes),
    checks: [
      aCheck('price >= 0 and (rate is null or rate < price)', {
        name: 'ck_price',
        message: 'A price is not negative.',
      }),
      aCheck('not (count between 1 and 5) or small not in (1, -2) or active'),
      aCheck('length(trim(code)) > 0 and code = upper(code) and other <> lower(other)'),
      aCheck("concat(code, '-', coalesce(other, 'it''s')) <> 'x' or note is not null"),
      aCheck('price * 2 - (rate + 1) <> 0.5 and count * small > -1'),
      aCheck("year(born) >= 1900 and month(born) <> 2 or day(made) = 1 and born <= coalesce(died, '9999-12-31')"),
      aCheck(
        "sent > '2026-01-01T00:00:00Z' or guid = '6f9619ff-8b86-d011-b42d-00cf4fc964ff' or opens < '12:00' or ratio <= 0.5",
      ),
      aCheck("note <> ''"),
      aCheck('id > 0'),
    ],
  })
  const special = anEntity({
    name: 'Special',
    extendsEntity: { id: item.id, name: 'Item', path: item.path },
    typeAttributes: aList(attribute('extra', { dataType: 'integer' })),
    checks: [aCheck('extra > count', { name: 'ck_extra' }), aCheck('code > 1'), aCheck('gone = 1')],
  })
  const owner = aRelationship(item, { foreignKeyTypeAttribute: 'owner', nullable: true, onDelete: 'setNull' })
  const owned = anEntity({
    name: 'Owned',
    typeAttributes: aList(aKey(), attribute('weight', { dataType: 'integer' })),
    entityAttributes: [{ ...owner, position: 9 }],
    checks: [aCheck('owner <> weight', { name: 'ck_owner' })],
  })
  return aResolvedModel([item, special, owned])
}

/** Every computed default, and those that their types cannot have. */
function computedDefaults(): ResolvedModel {
  const moment = { dataType: 'dateTime', defaultKind: 'now' } as const
  const event = anEntity({
    name: 'Event',
    typeAttributes: aList(
      aKey({ name: 'eventId', dataType: 'string', format: 'guid', defaultKind: 'uuid' }),
      attribute('title', { nullable: true }),
      attribute('heard', { ...moment, format: 'instant' }),
      attribute('stored', { ...moment, unique: true }),
      attribute('opens', { ...moment, format: 'local', indexed: true }),
      attribute('day', { ...moment, format: 'date', defaultKind: 'today' }),
      attribute('token', { format: 'guid', nullable: true, unique: true, defaultKind: 'uuid' }),
      attribute('hour', { ...moment, format: 'time', nullable: true }),
      attribute('dayText', { nullable: true, defaultKind: 'today' }),
    ),
  })
  const seat = anEntity({ name: 'Seat', typeAttributes: aList(aKey()) })
  return aResolvedModel([
    event,
    withLinks(seat, [
      aRelationship(event, { associatedEntityTypeAttribute: 'eventId', foreignKeyTypeAttribute: 'eventId' }),
    ]),
  ])
}

/** Cycles, self-references, every action, external, missing, ambiguous and invalid targets. */
function references(): ResolvedModel {
  const country = anEntity({
    name: 'Country',
    typeAttributes: aList(aKey({ name: 'code', dataType: 'string', maxLength: 2 })),
  })
  const person = anEntity({
    name: 'Person',
    typeAttributes: aList(
      aKey({ name: 'personId', dataType: 'string', format: 'guid' }),
      attribute('email', { unique: true, nullable: true }),
      attribute('city', { nullable: true }),
    ),
  })
  const company = anEntity({ name: 'Company' })
  const stranger = anEntity({ name: 'Stranger', typeAttributes: aList(aKey({ dataType: 'integer', format: 'int32' })) })
  const passport = anEntity({
    name: 'Passport',
    typeAttributes: aList(attribute('number', { unique: true })),
    entityAttributes: [
      aRelationship(person, {
        associatedEntityTypeAttribute: 'personId',
        foreignKeyTypeAttribute: 'holderId',
        foreignKeyPurpose: 'identifiedBy',
        foreignKeyDataType: 'string',
        onDelete: 'cascade',
      }),
    ],
  })
  const visa = anEntity({
    name: 'Visa',
    entityAttributes: [
      aRelationship(passport, { associatedEntityTypeAttribute: 'holderId', foreignKeyTypeAttribute: 'passportId' }),
      aRelationship(person, {
        associatedEntityTypeAttribute: 'personId',
        foreignKeyTypeAttribute: 'clerkId',
        onDelete: 'setNull',
        nullable: false,
      }),
    ],
  })
  const linked = [
    withLinks(person, [
      aRelationship(company, { foreignKeyTypeAttribute: 'employerId', onDelete: 'setNull' }),
      aRelationship(person, {
        associatedEntityTypeAttribute: 'personId',
        foreignKeyTypeAttribute: 'managerId',
        onDelete: 'cascade',
      }),
      aRelationship(country, {
        associatedEntityTypeAttribute: 'code',
        foreignKeyTypeAttribute: 'countryCode',
        nullable: false,
      }),
    ]),
    withLinks(company, [
      aRelationship(person, {
        associatedEntityTypeAttribute: 'personId',
        foreignKeyTypeAttribute: 'ownerId',
        onDelete: 'cascade',
      }),
      aRelationship(person, {
        associatedEntityTypeAttribute: 'email',
        foreignKeyTypeAttribute: 'contactEmail',
        unique: true,
      }),
      aRelationship(person, { associatedEntityTypeAttribute: 'city', foreignKeyTypeAttribute: 'city' }),
      aRelationship(stranger, { foreignKeyTypeAttribute: 'strangerId' }),
      aRelationship(person, { associatedEntityTypeAttribute: 'gone', foreignKeyTypeAttribute: 'goneId' }),
      aRelationship(
        { ...stranger, id: -1, name: 'Nobody' },
        { foreignKeyTypeAttribute: 'nobodyId', foreignKeyDataType: 'string' },
      ),
      aRelationship(person, {
        associatedEntityTypeAttribute: 'personId',
        foreignKeyTypeAttribute: 'partyId',
        alternativeTargets: [{ entity: { id: company.id, name: 'Company', path: company.path }, attribute: 'id' }],
      }),
    ]),
  ]
  return aResolvedModel([...linked, passport, visa, country], [stranger])
}

/**
 * Inherited attributes and keys, an overridden attribute, an entity that extends one of the same name, references to
 * both.
 */
function inheritance(): ResolvedModel {
  const base = anEntity({
    name: 'CdmEntity',
    typeAttributes: aList(
      attribute('createdOn', { dataType: 'dateTime', nullable: true }),
      attribute('version', { dataType: 'integer' }),
    ),
  })
  const coreAccount = anEntity({
    name: 'Account',
    path: 'predefined/core/Account',
    type: 'TEMPLATE',
    extendsEntity: { id: base.id, name: base.name, path: base.path },
    typeAttributes: aList(aKey({ name: 'accountId' }), attribute('name', { maxLength: 160 })),
  })
  const account = anEntity({
    name: 'account',
    path: 'predefined/core/sales/Account',
    type: 'TEMPLATE',
    extendsEntity: { id: coreAccount.id, name: coreAccount.name, path: coreAccount.path },
    typeAttributes: aList(
      attribute('Name', { maxLength: 200, nullable: true }),
      attribute('rank', { dataType: 'integer' }),
    ),
  })
  const order = anEntity({
    name: 'Order',
    entityAttributes: [
      aRelationship(coreAccount, { associatedEntityTypeAttribute: 'accountId', foreignKeyTypeAttribute: 'accountId' }),
    ],
  })
  const special = anEntity({
    name: 'SpecialOrder',
    extendsEntity: { id: order.id, name: order.name, path: order.path },
    typeAttributes: aList(attribute('reason')),
  })
  const user = anEntity({ name: 'User', type: 'CADMUS', path: 'predefined/identity/User' })
  const group = anEntity({ name: 'Group', type: 'CADMUS', typeAttributes: [] })
  return aResolvedModel([base, coreAccount, account, order, special, user, group])
}

/** Composite, long, inherited and missing keys, and keys of unsuitable types. */
function keys(): ResolvedModel {
  const text = { dataType: 'string' } as const
  const composite = anEntity({
    name: 'Composite',
    typeAttributes: aList(
      aKey({ name: 'a', ...text }),
      aKey({ name: 'b', ...text }),
      aKey({ name: 'c', ...text }),
      aKey({ name: 'd', ...text, unique: true }),
      aKey({ name: 'e', dataType: 'integer' }),
    ),
  })
  const long = anEntity({
    name: 'LongKey',
    typeAttributes: aList(
      aKey({ name: 'key', ...text, maxLength: 4000 }),
      attribute('x', { maxLength: 2000, unique: true }),
    ),
  })
  const child = anEntity({
    name: 'Child',
    entityAttributes: [
      aRelationship(composite, { associatedEntityTypeAttribute: 'd', foreignKeyTypeAttribute: 'd' }),
      aRelationship(composite, { associatedEntityTypeAttribute: 'a', foreignKeyTypeAttribute: 'a' }),
      aRelationship(long, { associatedEntityTypeAttribute: 'key', foreignKeyTypeAttribute: 'long' }),
    ],
  })
  const keyless = anEntity({ name: 'Keyless', typeAttributes: aList(attribute('value', { nullable: true })) })
  const objectKey = anEntity({ name: 'ObjectKey', typeAttributes: aList(aKey({ dataType: 'object' })) })
  const dateKey = anEntity({
    name: 'DateKey',
    typeAttributes: aList(aKey({ name: 'day', dataType: 'dateTime', format: 'date', nullable: true })),
  })
  const chosen = anEntity({
    name: 'ChosenKey',
    typeAttributes: aList(aKey({ name: 'level', choices: ['1', '2'], defaultValue: '1' })),
  })
  return aResolvedModel([composite, long, child, keyless, objectKey, dateKey, chosen])
}

/** Foreign keys over several columns: to a key in another order, to what is unique together, of a subtype, and some without a constraint. */
function several(): ResolvedModel {
  const line = anEntity({
    name: 'OrderLine',
    typeAttributes: aList(
      aKey({ name: 'orderNo' }),
      aKey({ name: 'lineNo', dataType: 'integer', format: 'int16' }),
      attribute('sku', { maxLength: 20 }),
      attribute('shelf', { dataType: 'integer' }),
    ),
  })
  const [orderNo, lineNo, sku, shelf] = line.typeAttributes.map(({ uid, name }) => ({ uid, name, descending: false }))
  if (!orderNo || !lineNo || !sku || !shelf) throw new Error('The line has four attributes.')
  line.groups = [
    { uid: 'g1', kind: 'key', name: '', members: [lineNo, orderNo] },
    { uid: 'g2', kind: 'unique', name: '', members: [sku, shelf] },
  ]
  const own = aList(
    aKey(),
    attribute('line', { dataType: 'integer', format: 'int16', nullable: true, choices: ['1', '2'] }),
    attribute('place', { dataType: 'integer', nullable: true }),
    attribute('text', { nullable: true }),
  )
  const pair = (name: string, target: string) => {
    const { uid = '' } = own.find(one => one.name === name) ?? {}
    return [{ uid, name, target, targetUid: null }]
  }
  const to = (target: string, key: string, fields: Partial<EntityAttribute>) =>
    aRelationship(line, { associatedEntityTypeAttribute: target, foreignKeyTypeAttribute: key, ...fields })
  const note = withLinks(anEntity({ name: 'Note', typeAttributes: own }), [
    to('orderNo', 'order', { alsoBy: pair('line', 'lineNo'), onDelete: 'cascade', onUpdate: 'cascade' }),
    to('sku', 'article', { alsoBy: pair('place', 'shelf'), onDelete: 'setNull', onUpdate: 'setNull' }),
    to('orderNo', 'mistyped', { alsoBy: pair('text', 'lineNo') }),
    to('orderNo', 'partial', { alsoBy: pair('place', 'shelf') }),
  ])
  const reference = { id: note.id, uid: note.uid, name: note.name, path: note.path }
  return aResolvedModel([line, note, anEntity({ name: 'Remark', typeAttributes: [], extendsEntity: reference })])
}

/** 300 columns, wider than a page of InnoDB unless strings are stored outside it; and more keys than it allows. */
function wide(): ResolvedModel {
  const columns = (count: number, maxLength: number) =>
    Array.from({ length: count }, (_, index) => attribute(`attribute${index}`, { maxLength, nullable: true }))
  const lessWide = anEntity({ name: 'LessWide', typeAttributes: aList(aKey(), ...columns(150, 20)) })
  const links = Array.from({ length: 65 }, (_, index) =>
    aRelationship(lessWide, { foreignKeyTypeAttribute: `link${index}` }),
  )
  const indexed = attribute('indexed', { indexed: true })
  return aResolvedModel([
    anEntity({ name: 'Wide', typeAttributes: aList(aKey(), ...columns(300, 100)) }),
    lessWide,
    withLinks(anEntity({ name: 'Linked', typeAttributes: aList(aKey(), indexed) }), links),
  ])
}

function withLinks(entity: EntityNode, entityAttributes: EntityNode['entityAttributes']): EntityNode {
  return { ...entity, entityAttributes: entityAttributes.map((item, index) => ({ ...item, position: 100 + index })) }
}
