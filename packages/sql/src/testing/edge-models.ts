import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { aResolvedModel, aKey, aList, anEntity, aRelationship } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { attribute } from './hard-names.ts'

// For tests only: models at the limits of databases. Each must run everywhere; all differences are in the notes.

export const edgeModels: Readonly<Record<string, () => ResolvedModel>> = {
  '65 attributes with choices': () => table(many(65, 'choice', { choices: ['open', 'closed'] })),
  '60 unique texts of 700 characters': () => table(many(60, 'text', { unique: true, maxLength: 700, nullable: true })),
  '60 indexed texts, a foreign key among them': manyIndexed,
  'keys with checks, which relationships empty': clearedKeys,
  '500 choices': () => table([attribute('one', { choices: texts(500, 'choice') })]),
  'choices of more than 64 kB': () =>
    table([
      attribute('one', { choices: texts(8000, 'choice') }),
      attribute('two', { choices: ['a', 'b'], nullable: true }),
    ]),
  'defaults of quotes, ampersands, backslashes and lines': longDefaults,
  'descriptions of backslashes': () => ({
    ...aResolvedModel([
      anEntity({
        name: 'Described',
        description: '\\'.repeat(3000),
        typeAttributes: aList(aKey({ description: "\\'".repeat(600) })),
      }),
    ]),
  }),
  'values that not every database has': oddValues,
  'choices of every data type': oddChoices,
  'names that are one to some databases': () =>
    table(['I', 'İ', 'ı', 'Σ', 'σ', 'ς', 'ẞ', 'ß', 'ss', 'K', 'K', 'é', 'e'].map(name => attribute(`x${name}`))),
  '1,100 columns': () => table(many(1100, 'column', { nullable: true })),
  '1,700 columns': () => table(many(1700, 'column', { nullable: true })),
  '1,700 numbers': () => table(many(1700, 'number', { dataType: 'integer', nullable: true })),
  'guids, dates and booleans in numbers': () =>
    table([
      ...many(330, 'guid', { format: 'guid', nullable: true }),
      ...many(330, 'day', { dataType: 'dateTime', format: 'date', nullable: true }),
      ...many(330, 'flag', { dataType: 'boolean', nullable: true }),
    ]),
  '200 long descriptions': () => table(many(200, 'described', { description: 'x'.repeat(900), nullable: true })),
  'tables named as devices': devices,
  'a key of 99,999,999,999 characters': () => {
    const target = anEntity({
      name: 'Target',
      typeAttributes: aList(aKey({ name: 'code', dataType: 'string', maxLength: 99_999_999_999 })),
    })
    const link = aRelationship(target, {
      associatedEntityTypeAttribute: 'code',
      foreignKeyTypeAttribute: 'targetCode',
      foreignKeyDataType: 'string',
    })
    return aResolvedModel([
      target,
      anEntity({
        name: 'Edge',
        typeAttributes: aList(aKey(), attribute('long', { maxLength: 99_999_999_999, nullable: true })),
        entityAttributes: [link],
      }),
    ])
  },
  ...wideDefinitions(),
  '900 decimals': () => table(many(900, 'decimal', { dataType: 'double', precision: 38, scale: 2, nullable: true })),
}

/** Tables whose long names make up most of their definition, as checks repeat them. */
function wideDefinitions(): Record<string, () => ResolvedModel> {
  const kinds: Record<string, [count: number, properties: Partial<TypeAttribute>]> = {
    'texts with a max length': [600, { maxLength: 255, nullable: true }],
    booleans: [600, { dataType: 'boolean' }],
    objects: [600, { dataType: 'object', nullable: true }],
    choices: [500, { choices: ['open', 'closed'], maxLength: 20, nullable: true }],
    numbers: [1016, { dataType: 'integer', nullable: true }],
  }
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, [count, properties]]) => [
      `${count} ${kind} under long names`,
      () => table(many(count, 'x'.repeat(46), properties)),
    ]),
  )
}

function table(attributes: readonly TypeAttribute[]): ResolvedModel {
  return aResolvedModel([anEntity({ name: 'Edge', typeAttributes: aList(aKey(), ...attributes) })])
}

function many(count: number, name: string, properties: Partial<TypeAttribute>): TypeAttribute[] {
  return Array.from({ length: count }, (_, index) => attribute(`${name}${index}`, properties))
}

function texts(count: number, word: string): string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${String(index).padStart(5, '0')}`)
}

function clearedKeys(): ResolvedModel {
  const types = ['boolean', 'dateTime'] as const
  const targets = types.map(dataType =>
    anEntity({ name: `Of_${dataType}`, typeAttributes: aList(aKey({ name: 'key', dataType })) }),
  )
  const entityAttributes = targets.map(target =>
    aRelationship(target, {
      associatedEntityTypeAttribute: 'key',
      nullable: true,
      onDelete: 'setNull',
    }),
  )
  return aResolvedModel([...targets, anEntity({ name: 'Edge', typeAttributes: aList(aKey()), entityAttributes })])
}

function manyIndexed(): ResolvedModel {
  const target = anEntity({
    name: 'Target',
    typeAttributes: aList(aKey({ name: 'code', dataType: 'string', maxLength: 700 })),
  })
  const link = aRelationship(target, {
    associatedEntityTypeAttribute: 'code',
    foreignKeyTypeAttribute: 'targetCode',
    foreignKeyDataType: 'string',
    position: 90,
  })
  const indexed = many(60, 'text', { indexed: true, maxLength: 500 })
  const edge = anEntity({ name: 'Edge', typeAttributes: aList(aKey(), ...indexed), entityAttributes: [link] })
  return aResolvedModel([target, edge])
}

function longDefaults(): ResolvedModel {
  const nullable = { nullable: true }
  return table([
    attribute('backslashes', { ...nullable, defaultValue: '\\'.repeat(10_000) }),
    attribute('mixed', { ...nullable, defaultValue: "a\\'".repeat(3000) }),
    attribute('quotes', { ...nullable, maxLength: 4000, defaultValue: "'".repeat(4000) }),
    attribute('ampersands', { ...nullable, maxLength: 4000, defaultValue: '&'.repeat(4000) }),
    attribute('lines', { ...nullable, defaultValue: 'a line\n'.repeat(1000) }),
    attribute('emoji', { ...nullable, maxLength: 1001, defaultValue: '😀'.repeat(1001) }),
    attribute('beyond', { ...nullable, defaultValue: 'x'.repeat(70_000) }),
  ])
}

function oddChoices(): ResolvedModel {
  const nullable = { nullable: true }
  const guid = '6F9619FF-8B86-D011-B42D-00C04FC964FF'
  const moment = { ...nullable, dataType: 'dateTime' } as const
  const double = { ...nullable, dataType: 'double' } as const
  return table([
    attribute('skipped', { ...moment, format: 'date', choices: ['1582-10-10'] }),
    attribute('days', { ...moment, format: 'date', choices: ['0001-01-01', '9999-12-31'], defaultValue: '9999-12-31' }),
    attribute('times', { ...moment, format: 'time', choices: ['00:00', '23:59:59.999999'], defaultValue: '00:00' }),
    attribute('moments', { ...moment, choices: ['2026-01-01T00:30:00.123456+05:30', '0001-01-01'] }),
    attribute('flag', { ...nullable, dataType: 'boolean', choices: ['true', 'false'], defaultValue: 'false' }),
    attribute('no', { ...nullable, dataType: 'boolean', choices: ['false'], unique: true }),
    attribute('short', { ...nullable, dataType: 'integer', format: 'int16', choices: ['01', '+1', '-32768'] }),
    attribute('guid', { ...nullable, format: 'guid', choices: [guid], defaultValue: guid, unique: true }),
    attribute('noGuid', { ...nullable, format: 'guid', choices: [guid, 'x'], indexed: true }),
    attribute('exact', { ...double, precision: 1000, scale: 500, choices: [`0.${'1'.repeat(40)}`, '2.5'] }),
    attribute('open', { ...double, format: 'decimal', choices: [`0.${'1'.repeat(60)}`, '9'.repeat(80)] }),
    attribute('tiny', { ...double, choices: ['5e-324', '.1'], defaultValue: '5e-324' }),
    attribute('data', { ...nullable, dataType: 'object', choices: ['{}', '[]'], defaultValue: '{}' }),
    attribute('long', { ...nullable, maxLength: 5, choices: ['y'.repeat(2000), 'a b '], defaultValue: 'a b ' }),
    attribute('nul', { ...nullable, choices: ['a\0b', 'c'] }),
    attribute('date', { ...nullable, format: 'date', choices: ['2026-01-31'], defaultValue: '2026-01-31' }),
    attribute('code', { ...nullable, format: 'guid', maxLength: 5 }),
  ])
}

function oddValues(): ResolvedModel {
  const object = { dataType: 'object', nullable: true } as const
  const double = { dataType: 'double', nullable: true } as const
  const moment = { dataType: 'dateTime', nullable: true } as const
  return table([
    attribute('nul', { ...object, defaultValue: '"\\u0000"' }),
    attribute('half', { ...object, defaultValue: '{"\\ud800": 1}' }),
    attribute('huge', { ...object, defaultValue: '1e200000' }),
    attribute('deep', { ...object, defaultValue: `${'['.repeat(60)}${']'.repeat(60)}` }),
    attribute('scalar', { ...object, defaultValue: '"text"' }),
    attribute('bytes', { ...object, format: 'binary', defaultValue: 'AP8Q' }),
    attribute('noBytes', { ...object, format: 'binary', defaultValue: '' }),
    attribute('smallest', { ...double, defaultValue: '5e-324' }),
    attribute('largest', { ...double, defaultValue: '1.7976931348623157e308' }),
    attribute('point', { ...double, defaultValue: '.5' }),
    attribute('noFraction', { ...double, precision: 5, scale: 2, defaultValue: '3.' }),
    attribute('exponent', { ...double, format: 'decimal', defaultValue: '1e5' }),
    attribute('digits', { ...double, format: 'decimal', defaultValue: '9'.repeat(38) }),
    attribute('places', { ...double, format: 'decimal', defaultValue: '0.12345678901234567890123' }),
    attribute('zeros', { dataType: 'integer', defaultValue: `+${'0'.repeat(25)}7` }),
    attribute('skipped', { ...moment, format: 'date', defaultValue: '1582-10-10' }),
    attribute('early', { ...moment, format: 'date', defaultValue: '0001-01-01' }),
    attribute('skippedMoment', { ...moment, defaultValue: '1582-10-10T12:00:00' }),
    attribute('offset', { ...moment, defaultValue: '2026-01-01T00:30:00.123456+05:30' }),
    attribute('nanoseconds', { ...moment, defaultValue: '2026-01-01T00:30:00.123456789Z' }),
    attribute('time', { ...moment, format: 'time', defaultValue: '23:59:59.999999' }),
    attribute('long', { maxLength: 20_000, nullable: true }),
    attribute('longer', { maxLength: 20_000_000, nullable: true }),
    attribute('unique', { maxLength: 3000, unique: true, nullable: true }),
  ])
}

function devices(): ResolvedModel {
  const targets = ['Con', 'aux', 'NUL', 'Prn', 'Com1', 'COM9', 'lpt1', 'Lpt9', 'CLOCK$'].map(name => anEntity({ name }))
  const edge = anEntity({
    name: 'Edge',
    entityAttributes: targets.map(target => aRelationship(target, { foreignKeyTypeAttribute: `${target.name}Id` })),
  })
  return aResolvedModel([...targets, edge])
}
