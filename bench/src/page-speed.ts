import { launchChromium } from '@cadmus/testing/chromium'
import { startConsole } from '@cadmus/testing/console'

type Context = Awaited<ReturnType<Awaited<ReturnType<typeof launchChromium>>['newContext']>>
type Page = Awaited<ReturnType<Context['newPage']>>
type Times = { waited: readonly number[]; processor: number }

// How long a key press takes in an editor beside a table of 200 rows, on a machine that is made four times slower.
// node bench/src/page-speed.ts [key presses]

const throttle = 4
const rows = 200
/** What the page itself does: not the tools that watch it, nor the painting, which here has no graphics card. */
const worked = new Set(['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'])
const presses = Number(process.argv[2] ?? 100)
const pause = 400

const console_ = await startConsole()
const browser = await launchChromium()
try {
  const context = await browser.newContext({ baseURL: console_.url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'designer' }).click()
  await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
  await page.goto(`/?entity=${await wideEntity(page)}`)
  await page.getByRole('combobox', { name: 'Rows per page' }).click()
  await page.getByRole('option', { name: '200 rows' }).click()
  await page.getByRole('gridcell', { name: 'attribute_2', exact: true }).click()
  const debug = await context.newCDPSession(page)
  // The page's own time: on a busy machine the time on the clock is mostly that of others.
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' })
  await debug.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  // What the page fetches once it is at rest has been fetched.
  await page.waitForTimeout(6000)
  const busy = async () => {
    const { metrics } = await debug.send('Performance.getMetrics')
    return metrics.filter(({ name: what }) => worked.has(what)).reduce((sum, { value }) => sum + value * 1000, 0)
  }
  const panel = page.getByRole('complementary', { name: 'Properties' })
  const name = panel.getByRole('region', { name: 'Type Attribute' }).getByRole('textbox', { name: 'Name' })
  await name.click()
  tell('a letter in Name in Properties', await pressAll(page, busy, 'a'))
  await page.keyboard.press('Escape')
  await panel.getByRole('textbox', { name: 'Description' }).first().click()
  tell('a letter in Description in Properties', await pressAll(page, busy, 'b'))
  await page.keyboard.press('Escape')
  await page.getByRole('gridcell', { name: 'attribute_2', exact: true }).click()
  tell('an arrow key in the table', await pressAll(page, busy, 'ArrowDown'))
  await page.getByRole('textbox', { name: 'Search type attributes' }).click()
  tell('a letter in the search of the table', await pressAll(page, busy, 'a'))
} finally {
  await browser.close()
  await console_.stop()
}

async function wideEntity(page: Page): Promise<number> {
  const typeAttributes = Array.from({ length: rows }, (_, at) => ({ name: `attribute_${at + 1}` }))
  const answer = await page.request.post('/1.0/cdm/entity', {
    headers: { 'X-Organisation-Code': 'ACME' },
    data: { entity: { name: 'Wide', typeAttributes }, targetManifestId: -1 },
  })
  const { entity }: { entity: { id: number } } = await answer.json()
  return entity.id
}

/** From the key going down to the frame that shows what it did, as the page itself sees it. */
async function pressAll(page: Page, busy: () => Promise<number>, key: string): Promise<Times> {
  const before = await busy()
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(window, { times })
    window.addEventListener(
      'keydown',
      event => {
        // After the next frame is painted.
        requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - event.timeStamp)))
      },
      true,
    )
  })
  for (let at = 0; at < presses; at++) {
    await page.keyboard.press(key)
    // One at a time: what the key before left to do is not this one's. Nobody asks the page meanwhile: that would be in its time.
    await page.waitForTimeout(pause)
  }
  await page.waitForFunction(count => Reflect.get(window, 'times').length >= count, presses)
  const times = await page.evaluate(() => Reflect.get(window, 'times'))
  const waited = Array.isArray(times) ? times.map(Number).toSorted((a, b) => a - b) : []
  return { waited, processor: ((await busy()) - before) / presses }
}

function tell(what: string, { waited: times, processor }: Times): void {
  const at = (share: number) =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN)
  const words = `median ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms; of the page's own time ${Math.round(processor)} ms`
  process.stdout.write(`${what}: ${words} (${times.length} presses)\n`)
}
