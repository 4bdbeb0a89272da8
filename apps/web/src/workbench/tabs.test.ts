import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import type { Tabs } from './tabs.ts'
import {
  activated,
  closed,
  closing,
  keepTab,
  neighbour,
  noTabs,
  opened,
  openedHidden,
  openedInBackground,
  renamed,
  shownTabs,
} from './tabs.ts'
import type { DocumentRef, TabId } from './documents.ts'

const entity = (id: number): DocumentRef => ({ kind: 'entity', id, name: `e${id}` })
const three = [1, 2, 3].reduce<Tabs>((state, id) => opened(state, entity(id), false), noTabs)
const ids = (state: Tabs) => state.tabs.map(tab => tab.tabId)
const which = (tabId: TabId, how: 'one' | 'all' | 'others' | 'left' | 'right') =>
  closing(three, tabId, how).map(tab => tab.tabId)

describe('tabs', () => {
  it('opening documents adds tabs in order and shows the last one', holds('E2.26'), () => {
    expect(ids(three)).toEqual(['entity:1', 'entity:2', 'entity:3'])
    expect(three.active).toBe('entity:3')
  })

  it('opening an open document shows its tab', () => {
    const again = opened(three, entity(1), false)
    expect(ids(again)).toEqual(ids(three))
    expect(again.active).toBe('entity:1')
  })

  it('a document opened in the background is not shown, nor from the home screen', () => {
    expect(openedInBackground(three, entity(4))).toEqual({
      tabs: opened(three, entity(4), false).tabs,
      active: 'entity:3',
    })
    expect(openedInBackground(noTabs, entity(4)).active).toBeNull()
  })

  it('a single click replaces the preview, a double click keeps the tab', () => {
    const first = opened(three, entity(4), true)
    const second = opened(first, entity(5), true)
    expect(ids(second)).toEqual(['entity:1', 'entity:2', 'entity:3', 'entity:5'])
    const third = opened(keepTab(second, 'entity:5'), entity(6), true)
    expect(ids(third)).toEqual(['entity:1', 'entity:2', 'entity:3', 'entity:5', 'entity:6'])
    expect(third.tabs.map(tab => tab.preview)).toEqual([false, false, false, false, true])
  })

  it('opening a preview permanently keeps it, and previewing a kept tab leaves it kept', () => {
    const preview = opened(noTabs, entity(1), true)
    expect(opened(preview, entity(1), false).tabs[0]?.preview).toBe(false)
    expect(opened(three, entity(2), true).tabs[1]?.preview).toBe(false)
  })

  it(
    'the tab menu closes the tab, all tabs, all other tabs, the tabs to the right, or the tabs to the left',
    holds('E2.29', 'E2.30', 'E2.31', 'E2.32', 'E2.33', 'M2.51', 'M2.52', 'M2.53'),
    () => {
      expect(which('entity:2', 'one')).toEqual(['entity:2'])
      expect(which('entity:2', 'all')).toEqual(['entity:1', 'entity:2', 'entity:3'])
      expect(which('entity:2', 'others')).toEqual(['entity:1', 'entity:3'])
      expect(which('entity:1', 'right')).toEqual(['entity:2', 'entity:3'])
      expect(which('entity:3', 'left')).toEqual(['entity:1', 'entity:2'])
    },
  )

  it('no tabs are to the right of the last or to the left of the first', holds('E2.35', 'E2.36'), () => {
    expect(which('entity:3', 'right')).toEqual([])
    expect(which('entity:1', 'left')).toEqual([])
  })

  it('closing an unknown tab closes nothing', () => {
    for (const how of ['one', 'left', 'right'] as const) expect(which('entity:9', how)).toEqual([])
  })

  it('closing the shown tab shows its right neighbour, otherwise its left neighbour, otherwise nothing', () => {
    const middle = { ...three, active: 'entity:2' as TabId }
    expect(closed(middle, new Set<TabId>(['entity:2'])).active).toBe('entity:3')
    expect(closed(three, new Set<TabId>(['entity:3'])).active).toBe('entity:2')
    expect(closed(middle, new Set<TabId>(['entity:2', 'entity:3'])).active).toBe('entity:1')
    expect(closed(three, new Set<TabId>(['entity:1', 'entity:2', 'entity:3']))).toEqual(noTabs)
  })

  it('closing another tab does not change the active tab', () => {
    expect(closed(three, new Set<TabId>(['entity:1'])).active).toBe('entity:3')
  })

  it('stepping through tabs wraps around', () => {
    expect(neighbour(three, 1)).toBe('entity:1')
    expect(neighbour({ ...three, active: 'entity:1' }, -1)).toBe('entity:3')
    expect(neighbour(noTabs, 1)).toBeNull()
  })

  it('a document held for unsaved changes is not among the tabs until it is opened', () => {
    const held = openedHidden(openedHidden(three, entity(4)), entity(2))
    expect([ids(held), ids({ ...held, tabs: shownTabs(held.tabs) })]).toEqual([[...ids(three), 'entity:4'], ids(three)])
    expect(closing(held, 'entity:1', 'others').map(({ id }) => id)).toEqual([2, 3])
    expect(closed(held, new Set<TabId>(['entity:3'])).active).toBe('entity:2')
    expect(neighbour(held, 1)).toBe('entity:1')
    expect(closed(openedHidden(noTabs, entity(4)), new Set<TabId>()).active).toBeNull()
    const shown = opened({ ...held, active: 'entity:1' }, entity(4), true)
    expect([ids(shown), shown.active]).toEqual([['entity:1', 'entity:4', 'entity:2', 'entity:3'], 'entity:4'])
    expect(shownTabs(shown.tabs)).toEqual(shown.tabs)
    expect(shownTabs(activated(held, 'entity:4').tabs).length).toBe(4)
  })

  it('renaming a tab to the same name returns the same state', () => {
    expect(renamed(three, 'entity:2', 'new').tabs[1]?.name).toBe('new')
    expect(renamed(three, 'entity:2', 'e2')).toBe(three)
  })
})
