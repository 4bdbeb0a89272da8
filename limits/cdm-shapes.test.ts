import { cdmFolder, document, entityDocument, guided, key, manifest } from '@cadmus/formats/testing/cdm-folder'
import { ImportError } from '@cadmus/formats/import-error'
import type { ImportedModel } from '@cadmus/formats/imported-model'
import { readCdm } from '@cadmus/formats/cdm/read'
import { expect, it } from 'vitest'
import { within } from './within.ts'

// Small folders that expand to large models. Each must give a model or an error; the generous time limits detect
// hangs only.

type Folder = Record<string, unknown>
type Shape = { make: () => Folder; says: string }

const shapes: Readonly<Record<string, Shape>> = {
  '900 documents in layers of 30, each importing the whole next layer': { make: () => diamonds(900, 30), says: '' },
  '10,000 documents that import nothing': { make: () => diamonds(10_000, 0), says: '' },
  '2,000 documents in a row, each with a moniker of its own': { make: monikerChain, says: '' },
  'a name of 9,000 monikers that lead to the same document': {
    make: monikersInMonikers,
    says: 'which is not in the folder',
  },
  'a moniker of 19,000 characters, used 100 times': { make: longMoniker, says: '' },
  '10,000 references that point back and forth': { make: mutualReferences, says: '' },
  '3,000 references to one of 3,000 entities each': { make: choicesOfTargets, says: 'more than 20000 targets' },
  '2,000 sub-manifests, each listing the next 20': { make: subManifests, says: '' },
  'a chain of 60 entities with 800 attributes each': { make: deepChain, says: 'more than 20000 attributes' },
  '3,000 entities that extend each other in a row and all import each other': { make: row, says: '' },
  'entities that extend and project each other in a ring': { make: projectedRing, says: 'extends itself' },
  'arrays of arrays of arrays': { make: expandedArrays, says: 'more than 20000 attributes' },
  'names that double with each of 1,000 steps': { make: doubledNames, says: 'more than 1000 characters' },
  'names that triple with each of 40 levels': { make: tripledNames, says: 'more than 1000 characters' },
  'groups that double 90 times and end in nothing': { make: doubledGroups, says: 'more than 20000 attributes' },
  '100 steps that leave out 10,000 names each': { make: manyExclusions, says: '' },
}

it.each(Object.entries(shapes))(
  'readCdm reads %s in seconds or reports omissions',
  (_, { make, says }) => {
    const files = cdmFolder(make())
    const model = within(15_000, () => readCdm(files))
    expect(model.entities.length).toBeGreaterThan(0)
    expect(messagesOf(model)).toContain(says)
  },
  120_000,
)

it.each([
  ['The entities of this folder have more than 1000000 attributes.', () => doubledForAll(200)],
  ['The references of this folder have more than 1000000 targets.', () => choicesForAll(100)],
])(
  'readCdm refuses an import without bounds: %s',
  (says, make) => {
    const files = cdmFolder(make())
    within(30_000, () => expect(() => readCdm(files)).toThrow(new ImportError('too-large', says)))
  },
  120_000,
)

function messagesOf({ report }: ImportedModel): string {
  return [...new Set(report.map(({ message }) => message))].join('\n')
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

function plain(count: number, name = 'a'): unknown[] {
  return numbers(count).map(index => ({ name: `${name}${index}`, dataType: 'string' }))
}

/** A folder with entities E0, E1 and so on, each in its own document. */
function folderOf(entities: readonly unknown[]): Folder {
  const paths = entities.map((_, index) => `E${index}.cdm.json`)
  return {
    'm.manifest.cdm.json': manifest(
      'Model',
      paths.map((path, index) => `${path}/E${index}`),
    ),
    ...Object.fromEntries(paths.map((path, index) => [path, entities[index]])),
  }
}

/** Entity E0 with further definitions in its document. */
function oneEntity(hasAttributes: unknown[], others: unknown[] = [], imports: string[] = []): Folder {
  return folderOf([document([{ entityName: 'E0', hasAttributes }, ...others], imports)])
}

function diamonds(count: number, width: number): Folder {
  const entities = numbers(count).map(index => {
    const next = width === 0 ? count : (Math.floor(index / width) + 1) * width
    const imports = numbers(width).flatMap(at => (next + at < count ? [`E${next + at}.cdm.json`] : []))
    const parent = next < count ? { extendsEntity: `E${next}` } : {}
    return entityDocument(`E${index}`, [key(`key${index}`)], parent, imports)
  })
  return folderOf(entities)
}

function monikerChain(): Folder {
  const entities = numbers(2000).map(index =>
    entityDocument(`E${index}`, [key('id'), guided(`m${index}/Gone`, 'goneId')], {}, [
      `E${index + 1}.cdm.json`,
      `m${index}=E${index + 2}.cdm.json`,
    ]),
  )
  return folderOf(entities)
}

function monikersInMonikers(): Folder {
  return oneEntity([guided(`${'m/'.repeat(9000)}E0`, 'id')], [], ['m=E0.cdm.json'])
}

function longMoniker(): Folder {
  const moniker = 'm'.repeat(19_000)
  const references = numbers(100).map(index => guided(`${moniker}/E0`, `k${index}`))
  return oneEntity([key('id'), ...references], [], [`${moniker}=E0.cdm.json`])
}

function mutualReferences(): Folder {
  const to = (name: string) => numbers(5000).map(index => guided(name, `k${index}`))
  return oneEntity([key('id'), ...to('Other')], [{ entityName: 'Other', hasAttributes: [key('id'), ...to('E0')] }])
}

function choice(index: number): unknown {
  return {
    name: `choice${index}`,
    entity: { entityReference: 'Choice' },
    resolutionGuidance: {
      entityByReference: { allowReference: true, foreignKeyAttribute: { name: `k${index}`, dataType: 'entityId' } },
      selectsSubAttribute: { selects: 'one' },
    },
  }
}

function options(count: number): unknown[] {
  const references = numbers(count).map(index => ({ name: `o${index}`, entity: { entityReference: 'Target' } }))
  return [
    { entityName: 'Choice', hasAttributes: references },
    { entityName: 'Target', hasAttributes: [key('id')] },
  ]
}

function choicesOfTargets(): Folder {
  return oneEntity(numbers(3000).map(choice), options(3000))
}

function choicesForAll(count: number): Folder {
  const entity = (index: number) => ({ entityName: `E${index}`, hasAttributes: numbers(10).map(choice) })
  const all = numbers(count).map(index => document([entity(index)], ['choice.cdm.json']))
  return { ...folderOf(all), 'choice.cdm.json': document(options(1500)) }
}

function subManifests(): Folder {
  const listing = (from: number) => ({
    subManifests: numbers(20).map(at => ({ definition: `s${from + at}.manifest.cdm.json` })),
  })
  const subs = numbers(2000).map(index => [
    `s${index}.manifest.cdm.json`,
    manifest(`s${index}`, ['E0.cdm.json/E0'], listing(index + 1)),
  ])
  const folder = oneEntity([key('id')])
  return {
    ...folder,
    'm.manifest.cdm.json': manifest('Model', ['E0.cdm.json/E0'], listing(0)),
    ...Object.fromEntries(subs),
  }
}

function deepChain(): Folder {
  const entities = numbers(60).map(index =>
    entityDocument(
      `E${index}`,
      plain(800, `a${index}_`),
      index < 59 ? { extendsEntity: `E${index + 1}` } : {},
      index < 59 ? [`E${index + 1}.cdm.json`] : [],
    ),
  )
  return folderOf(entities)
}

function row(): Folder {
  const names = numbers(3000).map(index => `E${index}`)
  const entity = (name: string, index: number) =>
    entityDocument(name, [key('id')], { extendsEntity: `E${index + 1}` }, ['all.cdm.json'])
  const imports = names.map(name => `${name}.cdm.json`)
  return { ...folderOf(names.map(entity)), 'all.cdm.json': document([], imports) }
}

function projectedRing(): Folder {
  const count = 20
  const entities = numbers(count).map(index => {
    const [next, after] = [`E${(index + 1) % count}`, `E${(index + 2) % count}`]
    const operations = [{ $type: 'renameAttributes', renameFormat: '{a}{m}' }]
    const extendsEntity = {
      source: after,
      operations: [{ $type: 'excludeAttributes', excludeAttributes: ['x'] }],
    }
    return entityDocument(
      `E${index}`,
      [key('id'), { name: 'p', entity: { source: next, operations } }],
      { extendsEntity },
      [`${next}.cdm.json`, `${after}.cdm.json`],
    )
  })
  return folderOf(entities)
}

function projectedBy(operations: unknown[], attributes: unknown[]): Folder {
  const projection = { source: 'Source', runSequentially: true, operations }
  return oneEntity(
    [key('id'), { name: 'p', entity: projection }],
    [{ entityName: 'Source', hasAttributes: attributes }],
  )
}

function expandedArrays(): Folder {
  const operation = { $type: 'arrayExpansion', startOrdinal: 1, endOrdinal: 20 }
  return projectedBy(
    numbers(1000).map(() => operation),
    plain(100),
  )
}

function doubledNames(): Folder {
  const operation = { $type: 'renameAttributes', renameFormat: '{m}{m}' }
  return projectedBy(
    numbers(1000).map(() => operation),
    plain(10),
  )
}

function manyExclusions(): Folder {
  const excludeAttributes = numbers(10_000).map(index => `b${index}`)
  return projectedBy(
    numbers(100).map(() => ({ $type: 'excludeAttributes', excludeAttributes })),
    plain(150),
  )
}

function tripledNames(): Folder {
  const entities = numbers(40).map(index => ({
    entityName: `E${index}`,
    hasAttributes: [
      { name: 'x'.repeat(100), dataType: 'string' },
      { name: 'p', entity: { entityReference: `E${index + 1}` }, resolutionGuidance: { renameFormat: '{m}{m}{m}' } },
    ],
  }))
  return folderOf([document(entities)])
}

function groups(count: number): unknown[] {
  return numbers(count).map(index => ({
    attributeGroupName: `g${index}`,
    members: index === count - 1 ? [] : [`g${index + 1}`, `g${index + 1}`],
  }))
}

function doubledGroups(): Folder {
  return oneEntity([key('id'), 'g0'], groups(90))
}

function doubledForAll(count: number): Folder {
  const all = numbers(count).map(index => entityDocument(`E${index}`, [key('id'), 'g0'], {}, ['g.cdm.json']))
  return { ...folderOf(all), 'g.cdm.json': document(groups(90)) }
}
