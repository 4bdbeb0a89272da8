import { processorTime } from '@cadmus/testing/processor-time'
import { expect, it } from 'vitest'
import { cdmFolder, document, guided, key, manifest } from '../testing/cdm-folder.ts'
import { ImportError } from '../import-error.ts'
import { bounds } from './bounds.ts'
import { parseJson } from './json.ts'
import { readCdm } from './read.ts'

// Checks that repeated content costs linear time. The generous time limits detect hangs only.

it.each<[string, (count: number) => unknown[], number]>([
  ['references to a missing key', missingKeys, 8_000],
  ['references to one entity', oneTarget, 8_000],
  ['inline groups 45 deep', deepGroups, 1_000],
  ['data types that extend each other', typeChain, 10_000],
  ['attributes with a name of 5,000,000 characters', longNames, 1],
  [
    'entities in one document',
    count => Array.from({ length: count }, (_, index) => ({ entityName: `E${index}` })),
    8_000,
  ],
])('readCdm reads thousands of %s in seconds', (_, definitions, count) => {
  const started = processorTime()
  readCdm(
    cdmFolder({
      'm.manifest.cdm.json': manifest('Model', ['Aa.cdm.json/Aa', 'Aa.cdm.json/Bb']),
      'Aa.cdm.json': document(definitions(count)),
    }),
  )
  expect(processorTime() - started).toBeLessThan(15_000)
})

it('readCdm counts the lists and objects of all documents of an import together', () => {
  const budget = { containers: bounds.containersInAll - 2 }
  expect(parseJson('{"a":[]}', 'a.json', { budget })).toEqual({ a: [] })
  expect(() => parseJson('{}', 'b.json', { budget })).toThrow(
    new ImportError('too-much', 'The documents have more than 20000000 lists and objects.'),
  )
})

it.each(['[', '"', '\\', '{"a":', '[],', '"\\"', '\\"', '0', '-', '1e', ' ', '\u0000', '"a","a",'])(
  'parseJson parses or refuses five megabytes of %j within seconds',
  part => {
    const started = processorTime()
    expect(() => parseJson(part.repeat(5_000_000 / part.length), 'a.json')).toThrow(ImportError)
    expect(processorTime() - started).toBeLessThan(5_000)
  },
)

function missingKeys(count: number): unknown[] {
  const plain = Array.from({ length: count }, (_, index) => ({ name: `a${index}`, dataType: 'string' }))
  const references = Array.from({ length: count }, (_, index) => guided('Bb', `k${index}`, 'nothing'))
  return [
    { entityName: 'Aa', hasAttributes: references },
    { entityName: 'Bb', hasAttributes: plain },
  ]
}

function oneTarget(count: number): unknown[] {
  const references = Array.from({ length: count }, (_, index) => guided('Bb', `k${index}`))
  return [
    { entityName: 'Aa', hasAttributes: references },
    { entityName: 'Bb', hasAttributes: [key('bbId')] },
  ]
}

function deepGroups(count: number): unknown[] {
  let members: unknown[] = ['nothing']
  for (let level = 0; level < 45; level++) {
    members = [{ attributeGroupReference: { attributeGroupName: `g${level}`, members } }]
  }
  return [{ entityName: 'Aa', hasAttributes: Array.from({ length: count }, () => members[0]) }]
}

function typeChain(count: number): unknown[] {
  const types = Array.from({ length: count }, (_, index) => ({
    dataTypeName: `t${index}`,
    extendsDataType: `t${index + 1}`,
    exhibitsTraits: ['some.trait'],
  }))
  const attributes = Array.from({ length: 5_000 }, (_, index) => ({ name: `a${index}`, dataType: 't0' }))
  return [{ entityName: 'Aa', hasAttributes: attributes }, ...types]
}

function longNames(): unknown[] {
  return [
    { entityName: 'Aa', hasAttributes: [{ name: 'x'.repeat(5_000_000), dataType: 'string' }] },
    { entityName: 'Bb'.repeat(2_500_000), hasAttributes: [{ name: 'aa' }] },
  ]
}
