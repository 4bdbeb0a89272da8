import { cdmFolder, document, guided, key, manifest } from '@cadmus/formats/testing/cdm-folder'
import { ImportError } from '@cadmus/formats/import-error'
import { parseJson } from '@cadmus/formats/cdm/json'
import { readCdm } from '@cadmus/formats/cdm/read'
import { expect, it } from 'vitest'
import { within } from './within.ts'

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
  const files = cdmFolder({
    'm.manifest.cdm.json': manifest('Model', ['Aa.cdm.json/Aa', 'Aa.cdm.json/Bb']),
    'Aa.cdm.json': document(definitions(count)),
  })
  expect(within(15_000, () => readCdm(files)).manifests).toHaveLength(1)
})

it.each(['[', '"', '\\', '{"a":', '[],', '"\\"', '\\"', '0', '-', '1e', ' ', '\u0000', '"a","a",'])(
  'parseJson parses or refuses five megabytes of %j within seconds',
  part => {
    const text = part.repeat(5_000_000 / part.length)
    within(5000, () => expect(() => parseJson(text, 'a.json')).toThrow(ImportError))
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
