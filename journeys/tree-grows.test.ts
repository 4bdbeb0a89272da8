import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { childrenOf, nodeAt, unfold } from './driver/tree.ts'

const desk = await openDesk()
const { page } = desk

describe('A group of the tree that somebody else adds to', () => {
  it('has each of its entities once when more of it is loaded, the new one too', async () => {
    const api = apiOf(page)
    for (let at = 10; at < 32; at += 1) await api.createEntity({ name: `Member_${at}` })
    await page.goto('/')
    await page.reload()
    const group = await nodeAt(page, 'Custom', 'Entities')
    await unfold(group)
    const more = page.getByRole('treeitem', { name: /^Load More/ })
    await more.waitFor()
    await api.createEntity({ name: 'Added_first' })
    await more.click()
    const shown = async () => (await childrenOf(page, group)).filter(name => !name.startsWith('Load'))
    await expect.poll(shown).toEqual(expect.arrayContaining(['Added_first', 'Member_21']))
    const found = await shown()
    expect(found.length).toBe(new Set(found).size)
  })
})
