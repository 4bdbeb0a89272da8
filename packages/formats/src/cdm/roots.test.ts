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

describe('the root of a CDM folder whose manifests are all versioned', () => {
  it('the newest version becomes the root, and the report names it and the number of others', () => {
    expect(read(versions)).toEqual({
      root: 'Sales.1.10.manifest.cdm.json',
      attributes: ['aaId', 'since1_10'],
      report: [
        others('Sales.1.10.manifest.cdm.json', 2),
        'Sales.1.10.manifest.cdm.json: It is the newest of 2 versions of the root manifest; it was read as the root.',
      ],
    })
  })

  it('an unversioned manifest becomes the root if there is one', () => {
    expect(read({ ...versions, 'Sales.manifest.cdm.json': manifest('Sales', ['Aa.1.9.cdm.json/Aa']) })).toMatchObject({
      root: 'Sales.manifest.cdm.json',
      report: [others('Sales.manifest.cdm.json', 3)],
    })
  })

  it('a top-level manifest becomes the root even if a lower one has no version', () => {
    const below = { 'sub/Below.manifest.cdm.json': manifest('Below', []) }
    const listing = { subManifests: [{ definition: 'sub/Below.manifest.cdm.json' }] }
    const documents = { ...versions, ...root('Sales', '2.0', listing), ...entity('2.0'), ...below }
    expect(read(documents).root).toBe('Sales.2.0.manifest.cdm.json')
  })

  it('a manifest listed by another version does not become the root', () => {
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

  it('the manifest named by the caller becomes the root, even below another one', () => {
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

describe('choosing among several roots', () => {
  it('versions of a root are offered, newest first, to callers that support a choice', () => {
    expect(refusal(versions, { asksForRoot: true })).toEqual({
      code: 'several-roots',
      message: 'The folder has several root manifests: "Sales.1.10.manifest.cdm.json", "Sales.1.9.manifest.cdm.json".',
      roots: ['Sales.1.10.manifest.cdm.json', 'Sales.1.9.manifest.cdm.json'],
    })
  })

  it('different root manifests are offered to every caller', () => {
    const unrelated = { 'a.manifest.cdm.json': manifest('aa', []), 'b.manifest.cdm.json': manifest('bb', []) }
    expect(refusal(unrelated)).toMatchObject({ roots: ['a.manifest.cdm.json', 'b.manifest.cdm.json'] })
    expect(refusal({ ...versions, ...root('Other', '3.0'), ...entity('3.0') })).toMatchObject({
      roots: ['Other.3.0.manifest.cdm.json', 'Sales.1.10.manifest.cdm.json', 'Sales.1.9.manifest.cdm.json'],
    })
  })

  it('a single root is not offered for choice', () => {
    const only = { ...entity('1.9'), ...root('Sales', '1.9') }
    expect(read(only, { asksForRoot: true })).toMatchObject({ root: 'Sales.1.9.manifest.cdm.json', report: [] })
  })

  it('at most a hundred roots are offered', () => {
    const many = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`m${index}.manifest.cdm.json`, manifest(`m${index}`, [])]),
    )
    expect(refusal(many)).toMatchObject({ roots: { length: 100 } })
  })
})
