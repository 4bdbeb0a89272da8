import { describe, expect, it } from 'vitest'
import { cdmFolder, entityDocument, key, manifest } from '../testing/cdm-folder.ts'
import { ImportError } from '../import-error.ts'
import type { ReadOptions } from './folder.ts'
import { readCdm } from './read.ts'

const entity = (version: string) => ({
  [`Aa.${version}.cdm.json`]: entityDocument('Aa', [
    key('aaId'),
    { name: `since${version.replace('.', '_')}`, dataType: 'string' },
  ]),
})
const root = (stem: string, version: string, more = {}) => ({
  [`${stem}.${version}.manifest.cdm.json`]: manifest(stem, [`Aa.${version}.cdm.json/Aa`], more),
})
const versions = { ...entity('1.9'), ...entity('1.10'), ...root('Sales', '1.10'), ...root('Sales', '1.9') }

function read(documents: Record<string, unknown>, options: ReadOptions = {}) {
  const { manifests, entities, report } = readCdm(cdmFolder(documents), options)
  return {
    root: manifests[0]?.path,
    attributes: entities[0]?.typeAttributes.map(({ name }) => name),
    report: report.map(({ path, message }) => `${path}: ${message}`),
  }
}

const others = (path: string, count: number) =>
  `${path}: ${count} documents are other versions that no manifest lists: the file name has a version.`

function refusal(documents: Record<string, unknown>, options: ReadOptions = {}) {
  try {
    return read(documents, options)
  } catch (error) {
    return error instanceof ImportError ? { code: error.code, message: error.message, roots: error.roots } : error
  }
}

describe('the root of a CDM folder that has its manifest in versions only', () => {
  it('is the newest, and the report names it and how many others there are', () => {
    expect(read(versions)).toEqual({
      root: 'Sales.1.10.manifest.cdm.json',
      attributes: ['aaId', 'since1_10'],
      report: [
        'Sales.1.10.manifest.cdm.json: It is the newest of 2 versions of the root manifest; it was read as the root.',
        others('Sales.1.10.manifest.cdm.json', 2),
      ],
    })
  })

  it('is the unversioned one where there is one', () => {
    expect(read({ ...versions, 'Sales.manifest.cdm.json': manifest('Sales', ['Aa.1.9.cdm.json/Aa']) })).toMatchObject({
      root: 'Sales.manifest.cdm.json',
      report: [others('Sales.manifest.cdm.json', 3)],
    })
  })

  it('is one of the top, though a manifest below it has no version', () => {
    const below = { 'sub/Below.manifest.cdm.json': manifest('Below', []) }
    const listing = { subManifests: [{ definition: 'sub/Below.manifest.cdm.json' }] }
    const documents = { ...versions, ...root('Sales', '2.0', listing), ...entity('2.0'), ...below }
    expect(read(documents).root).toBe('Sales.2.0.manifest.cdm.json')
  })

  it('is none that another version of a manifest lists', () => {
    const sub = (version: string) => ({ subManifests: [{ definition: `Part.${version}.manifest.cdm.json` }] })
    const documents = {
      ...versions,
      ...root('Sales', '1.9', sub('1.9')),
      ...root('Sales', '1.10', sub('1.10')),
      ...root('Part', '1.9'),
      ...root('Part', '1.10'),
    }
    expect(read(documents).root).toBe('Sales.1.10.manifest.cdm.json')
  })

  it('is the one that the caller names, also below another', () => {
    const path = 'Sales.1.9.manifest.cdm.json'
    const report = [others(path, 2)]
    expect(read(versions, { root: path })).toEqual({ root: path, attributes: ['aaId', 'since1_9'], report })
    expect(refusal(versions, { root: 'Aa.1.9.cdm.json' })).toMatchObject({
      code: 'no-root',
      message: '"Aa.1.9.cdm.json" is not a manifest.',
    })
    expect(refusal(versions, { root: 'gone.manifest.cdm.json' })).toMatchObject({ code: 'no-root' })
  })
})

describe('a choice of roots', () => {
  it('is offered, the newest first, to callers that can make one', () => {
    expect(refusal(versions, { asksForRoot: true })).toEqual({
      code: 'several-roots',
      message: 'The folder has several root manifests: "Sales.1.10.manifest.cdm.json", "Sales.1.9.manifest.cdm.json".',
      roots: ['Sales.1.10.manifest.cdm.json', 'Sales.1.9.manifest.cdm.json'],
    })
  })

  it('is offered to everybody where the roots are no versions of one manifest', () => {
    const unrelated = { 'a.manifest.cdm.json': manifest('aa', []), 'b.manifest.cdm.json': manifest('bb', []) }
    expect(refusal(unrelated)).toMatchObject({ roots: ['a.manifest.cdm.json', 'b.manifest.cdm.json'] })
    expect(refusal({ ...versions, ...root('Other', '3.0'), ...entity('3.0') })).toMatchObject({
      roots: ['Other.3.0.manifest.cdm.json', 'Sales.1.10.manifest.cdm.json', 'Sales.1.9.manifest.cdm.json'],
    })
  })

  it('is not offered where there is one root', () => {
    const only = { ...entity('1.9'), ...root('Sales', '1.9') }
    expect(read(only, { asksForRoot: true })).toMatchObject({ root: 'Sales.1.9.manifest.cdm.json', report: [] })
  })

  it('has no more than a hundred', () => {
    const many = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`m${index}.manifest.cdm.json`, manifest(`m${index}`, [])]),
    )
    expect(refusal(many)).toMatchObject({ roots: { length: 100 } })
  })
})
