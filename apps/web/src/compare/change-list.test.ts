import type { Comparison, EntityComparison } from '@cadmus/model/contract/comparison'
import { describe, expect, it } from 'vitest'
import { changeItems, changeRows, countKinds, filteredItems } from './change-list.ts'

const side = { name: 'Clinic', version: '1.0.0', packageVersion: null }
const place = (name: string, manifest: string) => ({ id: 1, name, path: `user-defined/Clinic/${name}`, manifest })

const renamed: EntityComparison = {
  uid: 'r',
  kinds: ['renamed', 'changed'],
  before: place('Doctor', 'Clinic'),
  after: place('Physician', 'Clinic'),
  changes: [{ kind: 'renamed', step: null, before: 'Doctor', after: 'Physician' }],
}
const added: EntityComparison = { uid: 'a', kinds: ['added'], before: null, after: place('Ward', 'Wards'), changes: [] }
const removed: EntityComparison = { uid: 'x', kinds: ['removed'], before: place('Bed', ''), after: null, changes: [] }

const comparison: Comparison = {
  before: side,
  after: side,
  entities: [renamed, added, removed],
  subManifests: [{ uid: 's', kind: 'added', before: '', after: 'Wards' }],
  manifest: [],
  configuration: [{ path: 'apiConfiguration', field: 'type', before: ['REST'], after: ['SOAP'] }],
  same: 4,
  more: 0,
}

const items = changeItems(comparison)

describe('The list of changes', () => {
  it('has lines for the manifest itself, then entities below the manifests that list them', () => {
    const rows = changeRows(items, new Set())
    expect(rows.map(({ label, level, count }) => [label, level, count])).toEqual([
      ['Sub-manifests', 1, 1],
      ['Configuration', 1, 1],
      ['Clinic', 1, 1],
      ['Physician', 2, 1],
      ['Wards', 1, 1],
      ['Ward', 2, undefined],
      ['Outside the manifest', 1, 1],
      ['Bed', 2, undefined],
    ])
    expect(rows.find(({ label }) => label === 'Physician')).toMatchObject({
      detail: 'was Doctor',
      title: 'Physician, was Doctor, renamed, changed',
    })
  })

  it('a folded manifest hides its entities, and a single one has no head', () => {
    const folded = changeRows(items, new Set(['group Clinic']))
    expect(folded.map(({ label }) => label)).not.toContain('Physician')
    const one = changeRows(changeItems({ ...comparison, entities: [renamed] }), new Set())
    expect(one.map(({ label, level, posInSet, setSize }) => [label, level, posInSet, setSize])).toEqual([
      ['Sub-manifests', 1, 1, 3],
      ['Configuration', 1, 2, 3],
      ['Physician', 1, 3, 3],
    ])
  })

  it('is filtered by kind and by the name of either side, with counts of all lines', () => {
    expect(Object.fromEntries(countKinds(items))).toEqual({ added: 2, changed: 2, renamed: 1, removed: 1 })
    const labels = (kinds: readonly EntityComparison['kinds'][number][], search = '') =>
      filteredItems(items, { kinds: new Set(kinds), search }).map(({ label }) => label)
    expect(labels(['added', 'removed'])).toEqual(['Sub-manifests', 'Ward', 'Bed'])
    expect(labels([], 'doctor')).toEqual(['Physician'])
    expect(labels(['added'], 'physician')).toEqual([])
  })
})
