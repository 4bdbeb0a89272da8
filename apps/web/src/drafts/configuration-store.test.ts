import { newConfiguration, type Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { describe, expect, it } from 'vitest'
import type { SavedConfiguration } from '../api/configurations.ts'
import { readStored } from '@cadmus/model/stored/stored-form'
import { toStoredDraft, restoredFrom } from './stored-draft.ts'
import {
  type ConfigurationDraft,
  configurationDraftForm,
  configurationDrafts,
  withoutSecrets,
} from './configuration-store.ts'

type Build = Configuration['configurationBuild']

function saved(change: (build: Build) => void = () => undefined): SavedConfiguration {
  const configuration = newConfiguration('Shop')
  change(configuration.configurationBuild)
  const version = { versions: ['1.0.0'], latestVersion: '1.0.0', currentVersion: '1.0.0' }
  return { id: 4, name: 'Shop', path: 'user-defined/Shop', isDefault: false, ...version, configuration }
}

const set = (path: string, value: ConfigurationEdit['changes'][number]['value']): ConfigurationEdit => ({
  kind: 'changeConfiguration',
  changes: [{ path: path.split('.'), value }],
})
const queries = (...items: [name: string, entity: string][]) =>
  set(
    'configurationBuild.aggregateQueries',
    items.map(([name, entity]) => ({ name, entity, columns: [{ field: 'id', type: 'COUNT', alias: 'n' }] })),
  )
const edited = (draft: ConfigurationDraft, ...edits: ConfigurationEdit[]) =>
  edits.reduce((now, edit) => configurationDrafts.edited(now, [edit]), draft)
const names = ({ content }: ConfigurationDraft) =>
  content.configurationBuild.aggregateQueries.map(({ name, entity }) => `${name} ${entity}`)
const query = (name: string, entity: string): Build['aggregateQueries'][number] => ({
  name,
  entity,
  columns: [{ field: 'id', type: 'COUNT', alias: 'n' }],
})

const mark = (of: string) => `******** ${of.padEnd(22, 'x')}`

describe('the draft of a configuration', () => {
  it('names its steps with the labels of the screen', () => {
    const draft = edited(
      configurationDrafts.open(saved(), 'a'),
      set('configurationBuild.sqlConfiguration.applyJoin', true),
      set('configurationBuild.apiScopeConfiguration.scopeDefinitions', ['read', 'write']),
      set('configurationBuild.apiScopeConfiguration.scopeDefinitions', ['write']),
      set('configurationBuild.apiConfiguration.excludeOperations', ['Order.id.get']),
      set('packageProperties.connectionPoolInfo.url', 'x'),
      set('packageProperties.customProperties', [{ name: '', value: '', secret: false }]),
      queries(['revenue', 'Order']),
    )
    expect(draft.done.map(({ name }) => name)).toEqual([
      'Switched on Apply Relationship Join',
      'Added read and 1 more to Scope Definitions',
      'Removed read from Scope Definitions',
      'Added GET - /order/{id} to Excluded API Operations',
      'Changed Connection Url',
      'Added a row to Properties',
      'Added revenue to Aggregate Queries',
    ])
    expect(draft.changes).toBe(6)
    expect(edited(draft, set('packageProperties.connectionPoolInfo.url', 'x'))).toBe(draft)
  })

  it('follows a rename in all steps of undo and redo', () => {
    const before = saved(build => void (build.aggregateQueries = [query('one', 'Order')]))
    const draft = edited(
      configurationDrafts.open(before, 'a'),
      queries(['one', 'Order'], ['two', 'Order']),
      queries(['one', 'Order'], ['two', 'Order'], ['three', 'Order']),
    )
    const after = saved(build => void (build.aggregateQueries = [query('one', 'Purchase')]))
    const followed = configurationDrafts.refreshed(configurationDrafts.undone(draft), after)
    expect(names(followed)).toEqual(['one Purchase', 'two Purchase'])
    const again = configurationDrafts.redone(followed)
    expect(names(again)).toEqual(['one Purchase', 'two Purchase', 'three Purchase'])
    expect(names(configurationDrafts.discarded(again))).toEqual(['one Purchase'])
    expect(again.changes).toBe(1)
  })

  it('the draft of a configuration keeps concurrent additions for both choices in a conflict', () => {
    const before = saved(build => void (build.aggregateQueries = [query('one', 'Order')]))
    const mine = edited(
      configurationDrafts.open(before, 'a'),
      queries(['one', 'Order'], ['mine', 'Order']),
      set('packageProperties.connectionPoolInfo.url', 'mine'),
    )
    const theirs = saved(build => void (build.aggregateQueries = [query('one', 'Order'), query('theirs', 'Order')]))
    expect(names(configurationDrafts.rebased(mine, theirs, 'b')).toSorted()).toEqual([
      'mine Order',
      'one Order',
      'theirs Order',
    ])
    theirs.configuration.packageProperties.connectionPoolInfo.url = 'theirs'
    expect(configurationDrafts.rebased(mine, theirs, 'b').base).toBe(mine.base)
    const resolved = configurationDrafts.keepMine(mine, theirs, 'b')
    expect(names(resolved).toSorted()).toEqual(['mine Order', 'one Order', 'theirs Order'])
    expect(resolved.content.packageProperties.connectionPoolInfo.url).toBe('mine')
    const withTheirs = configurationDrafts.takeTheirs(mine, { saved: theirs, etag: 'b' })
    expect(names(withTheirs).toSorted()).toEqual(['mine Order', 'one Order', 'theirs Order'])
    expect(withTheirs.content.packageProperties.connectionPoolInfo.url).toBe('theirs')
  })

  it('is stored in the browser and restored without secrets', () => {
    const draft = edited(
      configurationDrafts.open(saved(), 'a'),
      set('packageProperties.connectionPoolInfo.password', 'Tiger-9213'),
      set('packageProperties.customProperties', [
        { name: 'key', value: 'Lion-4711', secret: true },
        { name: 'zone', value: 'east', secret: false },
      ]),
      set('packageProperties.connectionPoolInfo.username', 'keeper'),
    )
    const stored = toStoredDraft(draft, '2026-11-22T18:00:00.000Z', withoutSecrets)
    expect(JSON.stringify(stored)).not.toMatch(/Tiger|Lion/)
    expect(stored.secretsOmitted).toBe(true)
    const read = readStored(configurationDraftForm, JSON.parse(JSON.stringify(stored)))
    const { packageProperties } = restoredFrom(configurationDrafts, read, saved(), 'a').content
    expect(packageProperties.connectionPoolInfo).toMatchObject({ username: 'keeper', password: '' })
    expect(packageProperties.customProperties.map(({ value }) => value)).toEqual(['', 'east'])
    const open = edited(configurationDrafts.open(saved(), 'a'), set('packageProperties.connectionPoolInfo.url', 'x'))
    expect(toStoredDraft(open, '', withoutSecrets).secretsOmitted).toBeUndefined()
  })

  it.each([
    'jdbc:postgresql://db/shop?user=ann&password=Tiger-9213',
    'postgres://ann:Tiger-9213@db/shop',
    'jdbc:sqlserver://db:1433;databaseName=shop;Password=Tiger-9213',
    'jdbc:oracle:thin:ann/Tiger-9213@db:1521:shop',
    'jdbc:postgresql://db/shop?sslpassword=Tiger-9213',
  ])('is stored in the browser without a connection URL that contains a password: %s', url => {
    const base = saved()
    const field = 'packageProperties.connectionPoolInfo.url'
    const draft = edited(configurationDrafts.open(base, 'a'), set(field, url))
    const stored = toStoredDraft(draft, '', withoutSecrets)
    expect([JSON.stringify(stored).includes('Tiger'), stored.secretsOmitted]).toEqual([false, true])
    const corrected = toStoredDraft(edited(draft, set(field, 'jdbc:postgresql://db/shop')), '', withoutSecrets)
    expect(JSON.stringify(corrected)).not.toContain('Tiger')
    const read = readStored(configurationDraftForm, JSON.parse(JSON.stringify(corrected)))
    const restored = restoredFrom(configurationDrafts, read, base, 'a').content
    expect(restored.packageProperties.connectionPoolInfo.url).toBe('jdbc:postgresql://db/shop')
    const pool = { ...base.configuration.packageProperties.connectionPoolInfo, url }
    const packageProperties = { ...base.configuration.packageProperties, connectionPoolInfo: pool }
    const open = { ...base, configuration: { ...base.configuration, packageProperties } }
    const other = edited(
      configurationDrafts.open(open, 'a'),
      set('packageProperties.connectionPoolInfo.username', 'keeper'),
    )
    expect(JSON.stringify(toStoredDraft(other, '', withoutSecrets))).not.toContain('Tiger')
  })

  it('restores the stored secret if a retyped one was not stored in the browser', () => {
    const before = saved()
    before.configuration.packageProperties.connectionPoolInfo.password = mark('a')
    before.configuration.packageProperties.customProperties = [{ name: 'key', value: mark('b'), secret: true }]
    const draft = edited(
      configurationDrafts.open(before, 'a'),
      set('packageProperties.connectionPoolInfo.password', 'Tiger-9213'),
      set('packageProperties.customProperties', [{ name: 'key', value: 'Lion-4711', secret: true }]),
    )
    const stored = toStoredDraft(draft, '', withoutSecrets)
    expect([stored.secretsOmitted, stored.steps]).toEqual([true, []])
    const restored = restoredFrom(configurationDrafts, readStored(configurationDraftForm, stored), before, 'a')
    expect(restored.content).toEqual(before.configuration)
    expect(restored.changes).toBe(0)
  })

  it('the draft of a configuration is stored without text similar to the placeholder of an unknown secret', () => {
    const before = saved()
    const property = (name: string, value: string) => ({ name, value, secret: true })
    before.configuration.packageProperties.customProperties = [property('key', mark('a'))]
    const draft = edited(
      configurationDrafts.open(before, 'a'),
      set('packageProperties.connectionPoolInfo.password', '******** Tiger-9213'),
      set('packageProperties.customProperties', [property('apiKey', mark('a')), property('x', '******** Lion-4711')]),
    )
    const stored = toStoredDraft(draft, '', withoutSecrets)
    expect(JSON.stringify(stored)).not.toMatch(/Tiger|Lion/)
    expect(stored.secretsOmitted).toBe(true)
    const { customProperties } = restoredFrom(
      configurationDrafts,
      readStored(configurationDraftForm, stored),
      before,
      'a',
    ).content.packageProperties
    expect(customProperties).toEqual([property('apiKey', mark('a')), property('x', '')])
  })

  it('is stored without values typed before their property was marked secret', () => {
    const property = (name: string, value: string, secret = false) => ({ name, value, secret })
    const list = (...items: ReturnType<typeof property>[]) => set('packageProperties.customProperties', items)
    const before = saved()
    before.configuration.packageProperties.customProperties = [property('open', 'Puma-8230')]
    const open = property('open', 'Puma-8230')
    const draft = edited(
      configurationDrafts.open(before, 'a'),
      list(open, property('', 'Lion-4')),
      list(open, property('', 'Lion-4711')),
      list(open, property('key', 'Lion-4711')),
      list(open, property('key', 'Lion-4711', true)),
      list({ ...open, secret: true }, property('key', 'Lion-4711', true)),
    )
    const stored = toStoredDraft(draft, '', withoutSecrets)
    expect(JSON.stringify(stored)).not.toMatch(/Lion|Puma/)
    const read = readStored(configurationDraftForm, JSON.parse(JSON.stringify(stored)))
    const later = structuredClone(before)
    later.configuration.packageProperties.connectionPoolInfo.url = 'by somebody else'
    for (const [now, etag] of [
      [before, 'a'],
      [later, 'b'],
    ] as const) {
      const { content } = restoredFrom(configurationDrafts, read, now, etag)
      expect(content.packageProperties.customProperties).toEqual([
        property('open', 'Puma-8230', true),
        property('key', '', true),
      ])
      expect(content.packageProperties.connectionPoolInfo.url).toBe(now === later ? 'by somebody else' : '')
    }
    const marked = edited(configurationDrafts.open(before, 'a'), list({ ...open, secret: true }))
    expect([stored.secretsOmitted, toStoredDraft(marked, '', withoutSecrets).secretsOmitted]).toEqual([true, undefined])
  })
})
