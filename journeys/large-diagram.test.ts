import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { inAtMost } from './driver/hand.ts'
import { startJourney } from './driver/journey.ts'
import { keys } from './driver/keyboard.ts'
import { expectShown, press, restingBox } from './driver/widgets.ts'

const { page } = await startJourney({ width: 1440, height: 900 })

/** Tables in a tree: each but the first refers to one, and ten refer to each. */
const script = Array.from({ length: 10_000 }, (_, at) => {
  const parent = at === 0 ? '' : `,\n  parent_id integer REFERENCES t${Math.floor((at - 1) / 10)} (id)`
  return `CREATE TABLE t${at} (\n  id integer PRIMARY KEY${parent}\n);`
}).join('\n')

const answer = await page.request.post('/1.0/cdm/manifest/import', {
  headers: { 'X-Organisation-Code': 'ACME' },
  multipart: {
    importAs: 'DATABASE_STRUCTURE',
    manifestFile: { name: 'Large.sql', mimeType: 'application/sql', buffer: Buffer.from(script) },
  },
  timeout: 120_000,
})
const { manifest } = await answer.json()

const canvas = page.getByRole('application', { name: /^Diagram of / })
const pathOf = (from: string, to: string) => page.getByRole('region', { name: `${from} to ${to}`, exact: true })
const status = page.getByLabel('Diagram status')

/** The names of cards in the middle of the picture, around an entity at nearly full size. */
async function readNames(around: string): Promise<Locator[]> {
  await page.getByRole('textbox', { name: 'Find Entity' }).fill(around)
  await keys(page, 'Enter')
  await expect.poll(() => status.textContent()).toContain('1 chosen')
  const zoom = page.getByText(/^Zoom \d+ %$/)
  const percent = async () => Number(/\d+/.exec((await zoom.textContent()) ?? '')?.[0])
  for (let before = await percent(); before < 80; before = await percent()) {
    await page.getByRole('button', { name: 'Zoom In' }).click()
    await expect.poll(percent).toBeGreaterThan(before)
  }
  const names = canvas.locator('[aria-hidden]').getByText(/^t\d+$/)
  await expectShown(names.getByText(around, { exact: true }).or(names.first()).first())
  await canvas.focus()
  await keys(page, 'Escape')
  await expect.poll(() => status.textContent()).not.toContain('chosen')
  const frame = await restingBox(canvas)
  const all = await names.all()
  const boxes = await Promise.all(all.map(async one => restingBox(one)))
  return all.filter((_, at) => {
    const { x = 0, y = 0 } = boxes[at] ?? {}
    return Math.abs(x - frame.x - frame.width / 2) < 300 && Math.abs(y - frame.y - frame.height / 2) < 250
  })
}

it('by keyboard alone, the path between two of 10,000 entities takes at most four actions', async () => {
  await page.goto(`/?manifest=${manifest.id}&tab=diagram`)
  await expectShown(canvas)
  await expect.poll(() => status.textContent()).toContain('10,000 entities')
  const path = pathOf('t1234', 't8765')
  await inAtMost(page, 4, async hand => {
    await hand.press('Control+f')
    await hand.type('t1234')
    await hand.press('Enter')
    await expect.poll(() => status.textContent()).toContain('1 chosen')
    await hand.type('t8765')
    await hand.press('Control+Enter')
    await expect.poll(() => status.textContent()).toContain('2 chosen')
    await hand.press('p')
    await expectShown(
      path.getByRole('button', { name: /t1234 → t123 → t12 → t1 → t0 → t8 → t87 → t876 → t8765/, pressed: true }),
    )
  })
  await press(path, 'Close')
})

it('by mouse, the path between two of 10,000 entities takes at most four actions', async () => {
  const [from, to] = await readNames('t4321')
  if (!from || !to) throw new Error('Fewer than two names are in view.')
  const names = [await from.textContent(), await to.textContent()].map(String)
  await inAtMost(page, 4, async hand => {
    await hand.click(from)
    await expect.poll(() => status.textContent()).toContain('1 chosen')
    await hand.click(to, { modifiers: ['Control'] })
    await expect.poll(() => status.textContent()).toContain('2 chosen')
    await hand.click(page.getByRole('button', { name: 'Show', exact: true }))
    await hand.click(page.getByRole('menuitem', { name: 'Find Path' }))
    await expectShown(pathOf(names[0]!, names[1]!).getByRole('button', { pressed: true }))
  })
  await press(pathOf(names[0]!, names[1]!), 'Close')
})

it('the entities around one of 10,000 are shown in two actions, by mouse and by keyboard alone', async () => {
  const [name] = await readNames('t1234')
  if (!name) throw new Error('No name is in view.')
  await inAtMost(page, 2, async hand => {
    await hand.click(name, { button: 'right' })
    await hand.click(page.getByRole('menuitem', { name: 'Only What Is Linked' }))
    await expect.poll(() => status.textContent()).toMatch(/hidden/)
  })
  await page.getByRole('button', { name: 'Show All' }).click()
  await inAtMost(page, 2, async hand => {
    await hand.press('Control+k')
    await hand.type('t1234 show in diagram')
    await expect
      .poll(() => page.getByRole('option').first().textContent())
      .toMatch(/t1234.*Show in Diagram|Show in Diagram.*t1234/i)
    await hand.press('Enter')
    await expectShown(page.getByRole('application', { name: 'Diagram of t1234' }))
  })
})
