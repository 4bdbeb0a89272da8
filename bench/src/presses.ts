import { startConsole } from '@cadmus/testing/console'
import { launchChromium } from '@cadmus/testing/chromium'

// Measures key presses in a page, for page-speed.ts and sheet-speed.ts.

type Context = Awaited<ReturnType<Awaited<ReturnType<typeof launchChromium>>['newContext']>>
export type Page = Awaited<ReturnType<Context['newPage']>>
export type Debug = Awaited<ReturnType<Context['newCDPSession']>>
type Times = { waited: readonly number[]; reported: readonly number[]; own: number; all: number }

const throttle = 4
/** Metrics of the page's own work, without automation and without painting, which has no graphics card here. */
const ownMetrics = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']
/** Exceeds the 400 ms after which a field is validated, so that validation does not overlap with the next press. */
const pause = 600
/** Minimum of `durationThreshold`: shorter events are not reported and count as this long. */
const minReported = 16

/** Opens an entity with this number of attributes in a browser slowed down four times, and ends both afterwards. */
export async function withWideEntity(
  rows: number,
  measure: (page: Page, debug: Debug) => Promise<void>,
): Promise<void> {
  const console_ = await startConsole()
  const browser = await launchChromium({ optimises: true })
  try {
    const context = await browser.newContext({ baseURL: console_.url, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await page.goto('/')
    await page.getByRole('button', { name: 'designer' }).click()
    await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
    await page.goto(`/?entity=${await wideEntity(page, rows)}`)
    await page.getByRole('gridcell', { name: 'attribute_2', exact: true }).click()
    const debug = await context.newCDPSession(page)
    // Processor time of the page, independent of other processes.
    await debug.send('Performance.enable', { timeDomain: 'threadTicks' })
    await debug.send('Emulation.setCPUThrottlingRate', { rate: throttle })
    // Waits for deferred requests of the page.
    await page.waitForTimeout(6000)
    await measure(page, debug)
  } finally {
    await browser.close()
    await console_.stop()
  }
}

async function wideEntity(page: Page, rows: number): Promise<number> {
  const typeAttributes = Array.from({ length: rows }, (_, at) => ({ name: `attribute_${at + 1}` }))
  const answer = await page.request.post('/1.0/cdm/entity', {
    headers: { 'X-Organisation-Code': 'ACME' },
    data: { entity: { name: 'Wide', typeAttributes }, targetManifestId: -1 },
  })
  const { entity }: { entity: { id: number } } = await answer.json()
  return entity.id
}

/** Measures from key down to the next frame, as seen by the page and as reported by the browser. Several keys are pressed in one go. */
export async function pressAll(page: Page, debug: Debug, keys: readonly string[], presses: number): Promise<Times> {
  // Waits for earlier work, such as opening a page.
  await page.waitForTimeout(2000)
  await page.evaluate(() => {
    const [times, reported]: number[][] = [[], []]
    Object.assign(window, { times, reported })
    const observer = new PerformanceObserver(list => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') reported?.push(duration)
    })
    const slow = { type: 'event', durationThreshold: 16 }
    observer.observe(slow)
    const pressed = (event: KeyboardEvent) => {
      // Measures after the next frame is painted.
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
    for (const key of keys) await page.keyboard.press(key)
    // Separate presses do not overlap. The page is not queried during this, as that would be measured.
    await page.waitForTimeout(pause)
  }
  const after = await timesOf(debug)
  await page.waitForFunction(count => Reflect.get(window, 'times').length >= count, presses * keys.length)
  const times = (what: string) => page.evaluate(name => Reflect.get(window, name), what).then(numbers)
  const [waited, slow] = [await times('times'), await times('reported')]
  await page.evaluate(() => Reflect.get(window, 'unwatch')())
  const quick = Array.from({ length: Math.max(0, presses - slow.length) }, () => minReported)
  return {
    waited,
    reported: [...quick, ...slow],
    own: (after.own - before.own) / presses,
    all: (after.all - before.all) / presses,
  }
}

/** Milliseconds of the page's main thread so far: own work, and everything. */
export async function timesOf(debug: Debug): Promise<{ own: number; all: number }> {
  const { metrics } = await debug.send('Performance.getMetrics')
  const sum = (which: readonly string[]) =>
    metrics.filter(({ name }) => which.includes(name)).reduce((total, { value }) => total + value * 1000, 0)
  return { own: sum(ownMetrics), all: sum(['TaskDuration']) }
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.map(Number).toSorted((a, b) => a - b) : []
}

export function print(what: string, { waited, reported, own, all }: Times): void {
  const at = (times: readonly number[], share: number) =>
    Math.round(times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? Number.NaN)
  const wait = `median ${at(waited, 0.5)} ms, p95 ${at(waited, 0.95)} ms, most ${at(waited, 1)} ms`
  const browsers = `reported by the browser: ${at(reported, 0.5)} and ${at(reported, 0.95)} ms`
  const thread = `of the page's own time ${Math.round(own)} ms, of its thread in all ${Math.round(all)} ms`
  process.stdout.write(`${what}: ${wait}; ${browsers}; ${thread} (${waited.length} presses)\n`)
}
