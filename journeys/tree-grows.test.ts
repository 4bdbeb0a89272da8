import { describe, expect, it } from 'vitest'
import { apiOf } from './driver/api.ts'
import { openDesk } from './driver/desk.ts'
import { openEntity } from './driver/document.ts'
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

describe('A tree of more pages than show', () => {
  const chosen = () => page.getByRole('treeitem', { selected: true })

  it('follows the document to a manifest that is on a later page, where a namesake stands on the first', async () => {
    const api = apiOf(page)
    const made = []
    for (let at = 10; at < 34; at += 1) {
      const manifest = await api.createManifest(`Pages_${at}`)
      if (at === 10 || at === 33) made.push(await api.createEntity({ name: 'Namesake' }, manifest))
    }
    await page.reload()
    for (const entity of made) {
      await openEntity(page, entity)
      const place = new RegExp(`^custom>manifests>manifest:\\d+>entities>entity:${entity.id}$`)
      await expect.poll(() => chosen().first().getAttribute('data-row-id')).toMatch(place)
    }
  })

  it('chooses nothing where the document is on none of the pages that it looks through', async () => {
    const api = apiOf(page)
    const names = Array.from({ length: 210 }, (_, at) => `Far_${at + 100}`)
    for (const name of names) await api.createEntity({ name })
    const last = await api.createEntity({ name: 'Zz_last' })
    const first = await api.createEntity({ name: 'Aa_first' })
    await openEntity(page, first)
    await expect.poll(() => chosen().first().textContent()).toMatch(/^Aa_first/)
    await openEntity(page, last)
    await expect.poll(() => chosen().count()).toBe(0)
  })
})
