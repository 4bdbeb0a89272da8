import type { AuditDifference, AuditEntry } from '@cadmus/model/audit-differences'
import { describe, expect, it } from 'vitest'
import { describeDifference } from './Differences.tsx'

const base = { change: 'changed', path: '', field: '', before: null, after: null } as const
const cellsOf = (overrides: Partial<AuditDifference>, kind: AuditEntry['CONTENT_KIND'] = 'entity') => {
  const { subject, before, after } = describeDifference({ ...base, ...overrides }, kind)
  return [subject, before, after]
}

describe('a line of a log entry', () => {
  it('names changes of an entity as its screen does', () => {
    expect(cellsOf({ field: 'description', before: '', after: 'New' })).toEqual(['Description', 'nothing', 'New'])
    const path = 'typeAttributes.code'
    expect(cellsOf({ path, field: 'maxLength', before: null, after: 12 })).toEqual([
      'Attribute code: max length',
      'nothing',
      '12',
    ])
    expect(cellsOf({ path, field: 'nullable', before: true, after: false })).toEqual([
      'Attribute code: nullable',
      'yes',
      'no',
    ])
    expect(cellsOf({ change: 'renamed', path, field: 'name', before: 'old', after: 'code' })).toEqual([
      'Attribute code: name',
      'old',
      'code',
    ])
  })

  it('describes additions, removals, moves and changed types', () => {
    const path = 'entityAttributes.countryId'
    expect(cellsOf({ change: 'added', path, after: 'Country.id' })).toEqual([
      'Relationship countryId',
      'missing',
      'Country.id',
    ])
    expect(cellsOf({ change: 'removed', path, before: 'Country.id' })).toEqual([
      'Relationship countryId',
      'Country.id',
      'removed',
    ])
    expect(cellsOf({ change: 'moved', path })).toEqual(['Relationship countryId: place', '', 'moved'])
    expect(cellsOf({ change: 'converted', path })).toEqual(['Relationship countryId', '', 'became a foreign key'])
  })

  it('names members of a manifest by their path', () => {
    const path = 'entities.user-defined/Shop/Order'
    expect(cellsOf({ change: 'added', path, after: 'TEMPLATE' }, 'manifest')).toEqual([
      'Entity user-defined/Shop/Order',
      'missing',
      'in its place',
    ])
    expect(cellsOf({ change: 'removed', path: 'subManifests.user-defined/Base', before: '' }, 'manifest')).toEqual([
      'Sub-Manifest user-defined/Base',
      'present',
      'removed',
    ])
    expect(cellsOf({ change: 'moved', path: 'subManifests', field: 'order' }, 'manifest')).toEqual([
      'Order of the sub-manifests',
      '',
      'changed',
    ])
  })

  it('names fields of a configuration as its parts do', () => {
    const path = 'configurationBuild.sqlConfiguration'
    expect(cellsOf({ path, field: 'applyJoin', before: false, after: true }, 'configuration')).toEqual([
      'Apply Relationship Join',
      'no',
      'yes',
    ])
  })
})
