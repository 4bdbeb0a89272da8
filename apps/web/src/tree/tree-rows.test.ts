import type { CoreNode } from '@cadmus/model/contract/navigator'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { indexCore } from './core-index.ts'
import { ancestorsOf, organisationOf, rootsOf, requiredBranches, type Branch, type BranchState } from './tree-model.ts'
import { treeRows, type TreeInput } from './tree-rows.ts'

const folder = (path: string): CoreNode => nodeAt('folder', -1, path)
const nodeAt = (kind: CoreNode['kind'], id: number, path: string): CoreNode => {
  const parts = path.split('/')
  const parent = parts.slice(0, -1).join('/')
  return { kind, id, name: parts.at(-1) ?? '', path, parent: parent === 'predefined' ? '' : parent }
}
const core = indexCore([
  folder('predefined/parties'),
  folder('predefined/parties/people'),
  folder('predefined/sales'),
  folder('predefined/empty'),
  nodeAt('entity', 1, 'predefined/parties/people/Person'),
  nodeAt('entity', 2, 'predefined/parties/Account'),
  nodeAt('manifest', 3, 'predefined/sales/Selling'),
  ...Array.from({ length: 45 }, (_, index) => nodeAt('entity', 100 + index, `predefined/sales/Order${index}`)),
])

function rowsWith(expanded: string[], overrides: Partial<TreeInput> = {}) {
  const open = new Set(expanded)
  return treeRows({
    roots: rootsOf('navigator', core, overrides.search ?? ''),
    movable: true,
    search: '',
    core,
    coreError: null,
    isExpanded: id => open.has(id),
    pagesOf: () => 1,
    branch: () => ({ items: [], total: 0, loading: false, reading: false, error: null }),
    isDirty: () => false,
    ...overrides,
  })
}
const labels = (output: ReturnType<typeof treeRows>) =>
  output.rows.map(row => `${'  '.repeat(row.level - 1)}${row.label}`)

describe('the rows of the navigator tree', () => {
  it('the workspace roots contain the groups Entities and Manifests', holds('E2.2'), () => {
    expect(labels(rowsWith(['standard', 'custom']))).toEqual([
      'Standard',
      '  Entities',
      '  Manifests',
      'Custom',
      '  Entities',
      '  Manifests',
    ])
  })

  it('a manifest node contains Entities and Sub-Manifests', holds('E2.3'), () => {
    const branch = (requested: Branch): BranchState => ({
      items: requested.id === 'custom>manifests' ? [{ id: 7, name: 'Shop', location: 'user-defined/Shop' }] : [],
      total: 1,
      loading: false,
      reading: false,
      error: null,
    })
    const rows = labels(rowsWith(['custom', 'custom>manifests', 'custom>manifests>manifest:7'], { branch }))
    expect(rows.slice(-3)).toEqual(['    Shop', '      Entities', '      Sub-Manifests'])
  })

  it('folders come before items, and only folders that contain items of the kind are shown', holds('E2.4'), () => {
    const parties = `standard>entities>folder:${encodeURIComponent('predefined/parties')}`
    expect(labels(rowsWith(['standard', 'standard>entities', parties])).slice(1, 7)).toEqual([
      '  Entities',
      '    parties',
      '      people',
      '      Account',
      '    sales',
      '  Manifests',
    ])
    expect(labels(rowsWith(['standard', 'standard>manifests'])).slice(2, 4)).toEqual(['  Manifests', '    sales'])
  })

  it('a group shows twenty items, then Load More', holds('E2.5', 'E2.6'), () => {
    const sales = `standard>entities>folder:${encodeURIComponent('predefined/sales')}`
    const open = ['standard', 'standard>entities', sales]
    const first = rowsWith(open).rows.filter(row => row.id.startsWith(`${sales}>`))
    expect(first).toHaveLength(21)
    expect(first.at(-1)).toMatchObject({ kind: 'more', label: 'Load More (20 of 45)' })
    const last = rowsWith(open, { pagesOf: () => 3 }).rows.filter(row => row.id.startsWith(`${sales}>`))
    expect(last).toHaveLength(45)
    expect(last.every(row => row.kind === 'node')).toBe(true)
  })

  it('a group shows Loading until items arrive, or an error with a retry', holds('E2.7'), () => {
    const loading = (): BranchState => ({ items: [], total: undefined, loading: true, reading: true, error: null })
    const failed = (): BranchState => ({
      items: [],
      total: undefined,
      loading: false,
      reading: false,
      error: 'The server cannot be reached.',
    })
    expect(rowsWith(['custom', 'custom>entities'], { branch: loading }).rows.at(-2)).toMatchObject({
      kind: 'loading',
      label: 'Loading',
    })
    expect(rowsWith(['custom', 'custom>entities'], { branch: failed }).rows.at(-2)?.kind).toBe('error')
    expect(rowsWith(['standard', 'standard>entities'], { core: null }).rows[2]?.kind).toBe('loading')
  })

  it('entities can be dragged to manifests, and nothing moves in the CDM Library', holds('E2.9', 'E2.24'), () => {
    const folders = ['library>entities', `library>entities>folder:${encodeURIComponent('predefined/parties')}`]
    const library = rowsWith(folders, { roots: rootsOf('library', core, ''), movable: false }).rows
    expect(library.some(row => row.label === 'Account')).toBe(true)
    expect(library.some(row => row.draggable || row.target)).toBe(false)
    const own = rowsWith([
      'standard',
      'standard>entities',
      `standard>entities>folder:${encodeURIComponent('predefined/parties')}`,
    ])
    expect(own.rows.filter(row => row.draggable).map(row => row.label)).toEqual(['Account'])
  })

  it('a search lists its results with their locations, without folders', () => {
    const rows = rowsWith(['standard', 'standard>entities'], { search: 'PERS' }).rows
    expect(rows.slice(1, 3)).toMatchObject([
      { label: 'Entities', count: 1 },
      { label: 'Person', detail: 'parties/people' },
    ])
  })

  it('every row has a unique id and a position among its siblings', () => {
    const { rows } = rowsWith(['standard', 'custom', 'standard>entities', 'standard>manifests'])
    expect(new Set(rows.map(row => row.id)).size).toBe(rows.length)
    expect(rows.filter(row => row.level === 1).map(row => [row.posInSet, row.setSize])).toEqual([
      [1, 2],
      [2, 2],
    ])
  })

  it('only unfolded and visible branches are requested', () => {
    const open = new Set(['custom', 'custom>manifests>manifest:7>entities'])
    expect(requiredBranches(['standard', 'custom'], id => open.has(id), open).map(branch => branch.id)).toEqual([
      'custom>entities',
      'custom>manifests',
    ])
    open.add('custom>manifests').add('custom>manifests>manifest:7')
    expect(requiredBranches(['standard', 'custom'], id => open.has(id), open).at(-1)).toEqual({
      id: 'custom>manifests>manifest:7>entities',
      tree: 'entities',
      manifest: { id: 7, name: '' },
    })
  })

  it('several organisations are shown, each with its own documents', () => {
    const roots = ['ACME', 'A>B'].map(code => ({
      id: `org:${encodeURIComponent(code)}`,
      label: code,
      target: { kind: 'organisation' as const, code, name: code },
      expandable: true,
    }))
    const open = ['org:ACME', 'org:ACME>manifests']
    const branch = ({ id }: Branch): BranchState => ({
      items: id === 'org:ACME>manifests' ? [{ id: 7, name: 'Shop', location: 'user-defined/Shop' }] : [],
      total: 1,
      loading: false,
      reading: false,
      error: null,
    })
    const output = rowsWith(open, { roots, branch })
    expect(labels(output)).toEqual(['ACME', '  Entities', '  Manifests', '    Shop', 'A>B'])
    expect(output.rows.map(({ id }) => organisationOf(id))).toEqual(['ACME', 'ACME', 'ACME', 'ACME', 'A>B'])
    const branches = requiredBranches(
      roots.map(({ id }) => id),
      id => open.includes(id),
      open,
    )
    expect(branches.map(({ id }) => id)).toEqual(['org:ACME>entities', 'org:ACME>manifests'])
  })

  it('the ancestors of the last selected node are derived from its id', holds('E9.13'), () => {
    expect(ancestorsOf('custom>manifests>manifest:7')).toEqual(['custom', 'custom>manifests'])
  })
})
