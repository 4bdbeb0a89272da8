import { newConfiguration, type Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { describe, expect, it } from 'vitest'
import type { SavedConfiguration } from '../../api/configurations.ts'
import {
  configurationDrafts as drafts,
  configurationStandIn,
  type ConfigurationDraft,
} from '../../drafts/configuration-store.ts'

type Property = Configuration['packageProperties']['customProperties'][number]

const open = (name: string, value = ''): Property => ({ name, value, secret: false })
const secret = (name: string, value: string): Property => ({ name, value, secret: true })
const [one, two] = ['******** 1111111111111111111111', '******** 2222222222222222222222']

function saved(...properties: Property[]): SavedConfiguration {
  const configuration = newConfiguration('Shop')
  configuration.packageProperties.customProperties = properties
  return configurationStandIn(4, configuration, undefined)
}

/** The draft after a step that sets the whole list. */
function listed(draft: ConfigurationDraft, ...value: Property[]): ConfigurationDraft {
  const edit: ConfigurationEdit = {
    kind: 'changeConfiguration',
    changes: [{ path: ['packageProperties', 'customProperties'], value }],
  }
  return drafts.edited(draft, [edit])
}

const propertiesOf = ({ content }: ConfigurationDraft) => content.packageProperties.customProperties
const names = (draft: ConfigurationDraft) => propertiesOf(draft).map(({ name }) => name)

const before = saved(open('aa'))
const mine = listed(drafts.open(before, 'a'), open('aa'), open('cc'))
const theirs = saved(open('aa'), open('dd'))

describe('concurrent additions to a list in a configuration', () => {
  it('survive the restoration of discarded edits', () => {
    const read = drafts.rebased(drafts.discarded(mine), theirs, 'b')
    expect(names(read)).toEqual(['aa', 'dd'])
    const restored = drafts.withDiscarded(read, mine)
    expect(names(restored).toSorted()).toEqual(['aa', 'cc', 'dd'])
    expect(restored).toMatchObject({ etag: 'b', changes: 1 })
  })

  it('survive any sequence of undo and redo', () => {
    const more = listed(mine, open('aa', 'value'), open('cc'))
    const both = drafts.rebased(more, theirs, 'b')
    expect(names(both).toSorted()).toEqual(['aa', 'cc', 'dd'])
    let now = both
    while (now.done.length > 0) {
      now = drafts.undone(now)
      expect(names(now)).toContain('dd')
    }
    expect(now.changes).toBe(0)
    while (now.undone.length > 0) now = drafts.redone(now)
    expect(now.content).toEqual(both.content)
  })

  it('survive the redo of an undone step', () => {
    const read = drafts.rebased(drafts.undone(mine), theirs, 'b')
    expect(names(drafts.redone(read)).toSorted()).toEqual(['aa', 'cc', 'dd'])
  })

  it('survive an edit of the list during a save', () => {
    const now = listed(mine, open('aa'), open('cc'), open('ee'))
    const after = drafts.afterSave(now, mine, saved(open('aa'), open('cc'), open('dd')), 'c')
    expect(names(after).toSorted()).toEqual(['aa', 'cc', 'dd', 'ee'])
    expect(after).toMatchObject({ etag: 'c', changes: 1 })
  })

  it('survive keeping my side of a conflict and undoing that', () => {
    const stale = listed(drafts.open(before, 'a'), open('aa', 'mine'), open('cc'))
    const state = saved(open('aa', 'theirs'), open('dd'))
    expect(drafts.rebased(stale, state, 'b').etag).toBe('a')
    let now = drafts.keepMine(stale, state, 'b')
    expect(propertiesOf(now).find(({ name }) => name === 'aa')?.value).toBe('mine')
    expect(names(now).toSorted()).toEqual(['aa', 'cc', 'dd'])
    while (now.done.length > 0) {
      now = drafts.undone(now)
      expect(names(now)).toContain('dd')
    }
    expect(now.changes).toBe(0)
  })

  it('survive an edit of the list in another tab, in either order', () => {
    const other = listed(drafts.open(before, 'a'), open('aa'), open('ee'))
    for (const [first, second] of [
      [mine, other],
      [other, mine],
    ] as const)
      expect(names(drafts.withOther(first, second) ?? first).toSorted()).toEqual(['aa', 'cc', 'ee'])
    const conflicting = listed(drafts.open(before, 'a'), open('aa', 'one'))
    expect(drafts.withOther(conflicting, listed(drafts.open(before, 'a'), open('aa', 'two')))).toBeNull()
  })
})

describe('edits of a configuration during a save', () => {
  it('conflict with a concurrent change of the same item on the next save', () => {
    const now = listed(mine, open('aa', 'mine'), open('cc'))
    const after = drafts.afterSave(now, mine, saved(open('aa', 'theirs'), open('cc')), 'c')
    expect(after).toMatchObject({ conflicting: true, incoming: { etag: 'c' } })
    expect(propertiesOf(after).map(({ value }) => value)).toEqual(['mine', ''])
  })

  it('edits during a save do not separate a secret from its property, even if the property is renamed and its old name reused', () => {
    const start = drafts.open(saved(secret('apikey', one), open('zone')), 'a')
    const sent = listed(start, secret('oldkey', one), open('zone'), secret('apikey', 'Lion-4711'))
    const stored = saved(secret('oldkey', one), open('zone'), secret('apikey', two))
    const now = listed(sent, secret('oldkey', one), open('zone', 'east'), secret('apikey', 'Lion-4711'))
    const after = drafts.afterSave(now, sent, stored, 'b')
    expect(propertiesOf(after)).toEqual([secret('oldkey', one), open('zone', 'east'), secret('apikey', two)])
    expect(after).toMatchObject({ etag: 'b', changes: 1 })
    expect(propertiesOf(drafts.undone(after))).toEqual(stored.configuration.packageProperties.customProperties)
  })

  it('send a retyped secret, and the placeholder of one that was only renamed', () => {
    const start = drafts.open(saved(secret('key', one)), 'a')
    const sent = listed(start, secret('key', 'Lion-1'))
    const stored = saved(secret('key', two))
    const typed = drafts.afterSave(listed(sent, secret('key', 'Lion-2')), sent, stored, 'b')
    expect(propertiesOf(typed)).toEqual([secret('key', 'Lion-2')])
    const renamed = listed(start, secret('first', one))
    const again = listed(renamed, secret('second', one))
    const after = drafts.afterSave(again, renamed, saved(secret('first', one)), 'b')
    expect(propertiesOf(after)).toEqual([secret('second', one)])
    expect(drafts.undone(after).content).toEqual(after.base)
  })

  it('count as a change if they revert a secret that the save has stored', () => {
    const start = drafts.open(saved(secret('key', one)), 'a')
    const sent = listed(start, secret('key', 'Lion-1'))
    const after = drafts.afterSave(drafts.undone(sent), sent, saved(secret('key', two)), 'b')
    expect([propertiesOf(after), after.changes]).toEqual([[secret('key', one)], 1])
    expect(propertiesOf(drafts.undone(after))).toEqual([secret('key', two)])
  })
})

describe('keeping my side of a configuration conflict', () => {
  it('keeping my side does not separate a secret from its property after edits during a save', () => {
    const start = drafts.open(saved(secret('apikey', one), open('v', '0')), 'a')
    const sent = listed(start, secret('oldkey', one), open('v', '0'), secret('apikey', 'Lion-4711'))
    const stored = saved(secret('oldkey', one), open('v', 'theirs'), secret('apikey', two))
    const now = listed(sent, secret('oldkey', one), open('v', 'mine'), secret('apikey', 'Lion-4711'))
    const draft = drafts.afterSave(now, sent, stored, 'b')
    expect(draft.conflicting).toBe(true)
    expect(drafts.conflictsWith(draft, stored).map(({ path }) => path)).toEqual([
      'packageProperties.customProperties.v',
    ])
    const [oldkey, apikey] = [secret('oldkey', one), secret('apikey', two)]
    const mine = drafts.keepMine(draft, stored, 'b')
    expect(propertiesOf(mine)).toEqual([oldkey, open('v', 'mine'), apikey])
    const theirs = drafts.takeTheirs(draft, { saved: stored, etag: 'b' })
    expect(propertiesOf(theirs)).toEqual([oldkey, open('v', 'theirs'), apikey])
    expect(propertiesOf(drafts.redone(theirs))).toEqual([oldkey, open('v', 'mine'), apikey])
  })

  it("keeping my side keeps the other user's change of a field that I had switched on and off again", () => {
    const set = (draft: ConfigurationDraft, path: string[], value: boolean | string) =>
      drafts.edited(draft, [{ kind: 'changeConfiguration', changes: [{ path, value }] }])
    const join = ['configurationBuild', 'sqlConfiguration', 'applyJoin']
    const user = ['packageProperties', 'connectionPoolInfo', 'username']
    const switched = set(set(drafts.open(saved(), 'a'), join, true), join, false)
    const draft = set(switched, user, 'mine')
    const isJoined = ({ content }: ConfigurationDraft) => content.configurationBuild.sqlConfiguration.applyJoin
    const now = saved()
    now.configuration.configurationBuild.sqlConfiguration.applyJoin = true
    const read = drafts.rebased(drafts.discarded(draft), now, 'b')
    const restored = drafts.withDiscarded(read, draft)
    expect([isJoined(restored), restored.content.packageProperties.connectionPoolInfo.username]).toEqual([true, 'mine'])
    expect(isJoined(drafts.withOther(drafts.open(now, 'b'), draft) ?? draft)).toBe(true)
    now.configuration.packageProperties.connectionPoolInfo.username = 'theirs'
    const resolved = drafts.keepMine(draft, now, 'b')
    expect([isJoined(resolved), resolved.content.packageProperties.connectionPoolInfo.username]).toEqual([true, 'mine'])
  })

  it('redoes a change over an unchanged secret, but not over a secret that they changed', () => {
    const start = drafts.open(saved(secret('key', one)), 'a')
    const typed = listed(start, secret('key', 'Lion-4711'))
    const theirs = saved(secret('key', two))
    const read = drafts.rebased(drafts.discarded(typed), theirs, 'b')
    expect(drafts.withDiscarded(read, typed)).toMatchObject({ etag: 'a', incoming: { etag: 'b' } })
    expect(drafts.redone(drafts.rebased(drafts.undone(typed), theirs, 'b')).changes).toBe(0)
    const withAddition = saved(secret('key', one), open('theirs'))
    expect(drafts.redone(drafts.rebased(drafts.undone(typed), withAddition, 'b')).changes).toBe(1)
  })
})
