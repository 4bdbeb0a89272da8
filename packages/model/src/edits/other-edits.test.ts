import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newConfiguration } from '../configuration.ts'
import { newManifestContent } from '../manifest.ts'
import {
  applyConfigurationEdits,
  configurationEditsBetween,
  configurationEditSchema,
  invertConfigurationEdits,
} from './configuration-edits.ts'
import { applyManifestEdits, invertManifestEdits, type ManifestEdit, manifestEditSchema } from './manifest-edits.ts'

const id = fc.integer({ min: 1, max: 12 })
const before = fc.option(id, { nil: null })
const member = fc.record({ id, type: fc.constantFrom('EXCLUSIVE' as const, 'TEMPLATE' as const) })
const manifest = fc
  .record({
    name: fc.string(),
    entities: fc.uniqueArray(member, { selector: item => item.id }),
    subManifests: fc.uniqueArray(id),
  })
  .map(newManifestContent)
const manifestEdit: fc.Arbitrary<ManifestEdit> = fc.oneof(
  fc.record({ kind: fc.constant('changeManifest' as const), change: fc.record({ name: fc.string() }) }),
  fc.record({ kind: fc.constant('addMembers' as const), added: fc.array(fc.record({ item: member, before })) }),
  fc.record({ kind: fc.constant('removeMembers' as const), ids: fc.array(id) }),
  fc.record({ kind: fc.constant('addSubManifests' as const), added: fc.array(fc.record({ item: id, before })) }),
  fc.record({ kind: fc.constant('removeSubManifests' as const), ids: fc.array(id) }),
)

describe('arbitrary edits of a manifest', () => {
  it('undoing manifest edits restores the state before; edits survive storage as JSON', () => {
    fc.assert(
      fc.property(manifest, fc.array(manifestEdit), (content, edits) => {
        const after = applyManifestEdits(content, edits)
        expect(applyManifestEdits(after, invertManifestEdits(content, edits))).toEqual(content)
        expect(edits.map(edit => manifestEditSchema.parse(JSON.parse(JSON.stringify(edit))))).toEqual(edits)
      }),
      { numRuns: 500 },
    )
  })

  it('an added sub-manifest is inserted before the given one, or last if the given one is missing', () => {
    const content = newManifestContent({ name: 'Shop', subManifests: [1, 2] })
    const added = [
      { item: 3, before: 2 },
      { item: 4, before: 2 },
      { item: 5, before: 99 },
    ]
    expect(applyManifestEdits(content, [{ kind: 'addSubManifests', added }]).subManifests).toEqual([1, 3, 4, 2, 5])
  })
})

it.each<[edit: ManifestEdit, inverse: ManifestEdit]>([
  [
    { kind: 'changeManifest', change: { name: 'Shop', description: 'x' } },
    { kind: 'changeManifest', change: { description: '' } },
  ],
  [
    { kind: 'addMembers', added: [1, 3].map(id => ({ item: { id, type: 'EXCLUSIVE' }, before: null })) },
    { kind: 'removeMembers', ids: [3] },
  ],
  [
    { kind: 'removeMembers', ids: [1, 9] },
    { kind: 'addMembers', added: [{ item: { id: 1, type: 'TEMPLATE' }, before: 2 }] },
  ],
  [
    { kind: 'addSubManifests', added: [5, 4].map(item => ({ item, before: null })) },
    { kind: 'removeSubManifests', ids: [4] },
  ],
  [
    { kind: 'removeSubManifests', ids: [5, 9] },
    { kind: 'addSubManifests', added: [{ item: 5, before: null }] },
  ],
])('an edit of a manifest is undone by restoring what it changes, and nothing else: $kind', (edit, inverse) => {
  const members = [1, 2].map(id => ({ id, type: 'TEMPLATE' as const }))
  const content = newManifestContent({ name: 'Shop', entities: members, subManifests: [5] })
  expect(invertManifestEdits(content, [edit])).toEqual([inverse])
  expect(invertManifestEdits(applyManifestEdits(content, [edit]), [edit])).toEqual([])
})

describe('edits of a configuration', () => {
  const fresh = newConfiguration('Shop')
  const { apiConfiguration } = fresh.configurationBuild
  const changed = {
    ...fresh,
    configurationBuild: {
      ...fresh.configurationBuild,
      apiConfiguration: { ...apiConfiguration, type: ['REST' as const], excludeOperations: ['Order.get'] },
    },
  }

  it('undoing configuration edits restores the state before, field by field', () => {
    const edits = configurationEditsBetween(fresh, changed)
    expect(edits).toEqual([
      {
        kind: 'changeConfiguration',
        changes: [
          { path: ['configurationBuild', 'apiConfiguration', 'type'], value: ['REST'] },
          { path: ['configurationBuild', 'apiConfiguration', 'excludeOperations'], value: ['Order.get'] },
        ],
      },
    ])
    expect(configurationEditsBetween(fresh, structuredClone(fresh))).toEqual([])
    expect(applyConfigurationEdits(fresh, edits)).toEqual(changed)
    expect(applyConfigurationEdits(changed, invertConfigurationEdits(fresh, edits))).toEqual(fresh)
    expect(edits.map(edit => configurationEditSchema.parse(JSON.parse(JSON.stringify(edit))))).toEqual(edits)
  })

  it.each([[['nowhere']], [['__proto__', 'x']], [['configurationBuild', 'apiConfiguration', 'security']]])(
    'configuration edits ignore an unknown field or invalid value: %j',
    path => {
      const edits = [{ kind: 'changeConfiguration' as const, changes: [{ path, value: 'EVERYTHING' }] }]
      expect(applyConfigurationEdits(fresh, edits)).toBe(fresh)
      expect(invertConfigurationEdits(fresh, edits)).toEqual([])
    },
  )
})
