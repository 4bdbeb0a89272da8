import { launchChromium } from '@cadmus/testing/chromium'
import { startConsole } from '@cadmus/testing/console'

type Context = Awaited<ReturnType<Awaited<ReturnType<typeof launchChromium>>['newContext']>>
type Page = Awaited<ReturnType<Context['newPage']>>
type Debug = Awaited<ReturnType<Context['newCDPSession']>>
type Times = { waited: readonly number[]; told: readonly number[]; own: number; all: number }

// How long a key press takes in an editor beside a table of 200 rows, on a machine that is made four times slower; and as a control
// in a page with one field, and in a page that looks as ours does and has no script.
// node bench/src/page-speed.ts [key presses]

const throttle = 4
const rows = 200
/** What the page itself does: not the tools that watch it, nor the painting, which here has no graphics card. */
const worked = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']
const presses = Number(process.argv[2] ?? 60)
/** More than the 400 ms after which a field is checked: the check of one press would fall on the next. */
const pause = 600
/** What takes less than this is told by nobody: it counts as this. */
const leastTold = 16

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
  const lifeless = (await page.content()).replaceAll(/<script[^]*?<\/script>/g, '')
  const panel = page.getByRole('complementary', { name: 'Properties' })
  const name = panel.getByRole('region', { name: 'Type Attribute' }).getByRole('textbox', { name: 'Name' })
  await name.click()
  tell('a letter in Name in Properties', await pressAll(page, debug, 'a'))
  await page.keyboard.press('Escape')
  await panel.getByRole('textbox', { name: 'Description' }).first().click()
  tell('a letter in Description in Properties', await pressAll(page, debug, 'b'))
  await page.keyboard.press('Escape')
  await page.getByRole('gridcell', { name: 'attribute_2', exact: true }).click()
  tell('an arrow key in the table', await pressAll(page, debug, 'ArrowDown'))
  await page.getByRole('textbox', { name: 'Search type attributes' }).click()
  tell('a letter in the search of the table', await pressAll(page, debug, 'a'))
  await show(page, '<!doctype html><input>')
  await page.getByRole('textbox').click()
  tell('control: a letter in a page with one field', await pressAll(page, debug, 'a'))
  await show(page, lifeless)
  await name.click()
  tell('control: a letter in Name in this page without its script', await pressAll(page, debug, 'a'))
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

/** A page of the console's address, and so with its styles and fonts, that holds this alone. */
async function show(page: Page, body: string): Promise<void> {
  await page.route('**/control', route => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('/control')
  await page.unroute('**/control')
}

/** From the key going down to the frame that shows what it did, as the page itself sees it, and as the browser tells it. */
async function pressAll(page: Page, debug: Debug, key: string): Promise<Times> {
  // What went before, such as a page that opens, is over.
  await page.waitForTimeout(2000)
  await page.evaluate(() => {
    const [times, told]: number[][] = [[], []]
    Object.assign(window, { times, told })
    const observer = new PerformanceObserver(list => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') told?.push(duration)
    })
    const slow = { type: 'event', durationThreshold: 16 }
    observer.observe(slow)
    const pressed = (event: KeyboardEvent) => {
      // After the next frame is painted.
      requestAnimationFrame(() => setTimeout(() => times?.push(performance.now() - event.timeStamp)))
    }
    addEventListener('keydown', pressed, true)
    Object.assign(window, {
      unwatch: () => {
        observer.disconnect()
        removeEventListener('keydown', pressed, true)
      },
    })
  })
  const before = await timesOf(debug)
  for (let at = 0; at < presses; at++) {
    await page.keyboard.press(key)
    // One at a time: what the key before left to do is not this one's. Nobody asks the page meanwhile: that would be in its time.
    await page.waitForTimeout(pause)
  }
  const after = await timesOf(debug)
  await page.waitForFunction(count => Reflect.get(window, 'times').length >= count, presses)
  const times = (what: string) => page.evaluate(name => Reflect.get(window, name), what).then(numbers)
  const [waited, slow] = [await times('times'), await times('told')]
  await page.evaluate(() => Reflect.get(window, 'unwatch')())
  const quick = Array.from({ length: Math.max(0, presses - slow.length) }, () => leastTold)
  return {
    waited,
    told: [...quick, ...slow],
    own: (after.own - before.own) / presses,
    all: (after.all - before.all) / presses,
  }
}

/** Milliseconds of the page's main thread so far: of the page's own, and of everything. */
async function timesOf(debug: Debug): Promise<{ own: number; all: number }> {
  const { metrics } = await debug.send('Performance.getMetrics')
  const sum = (which: readonly string[]) =>
    metrics.filter(({ name }) => which.includes(name)).reduce((total, { value }) => total + value * 1000, 0)
  return { own: sum(worked), all: sum(['TaskDuration']) }
}

function numbers(given: unknown): number[] {
  return Array.isArray(given) ? given.map(Number).toSorted((a, b) => a - b) : []
}

function tell(what: string, { waited, told, own, all }: Times): void {
  const at = (times: readonly number[], share: number) =>
    Math.round(times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? Number.NaN)
  const wait = `median ${at(waited, 0.5)} ms, p95 ${at(waited, 0.95)} ms, most ${at(waited, 1)} ms`
  const browsers = `the browser tells ${at(told, 0.5)} and ${at(told, 0.95)} ms`
  const thread = `of the page's own time ${Math.round(own)} ms, of its thread in all ${Math.round(all)} ms`
  process.stdout.write(`${what}: ${wait}; ${browsers}; ${thread} (${waited.length} presses)\n`)
}
