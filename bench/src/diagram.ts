import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { buildPage, openPage } from '@cadmus/testing/built-page'
import { launchChromium } from '@cadmus/testing/chromium'

type Opened = Awaited<ReturnType<typeof openPage>>
type Session = Awaited<ReturnType<ReturnType<Opened['page']['context']>['newCDPSession']>>

// Draws generated models on the diagram's canvas in a browser without a graphics card. node bench/src/diagram.ts
// [entities …]

const folder = fileURLToPath(new URL('../../apps/web/src/testing/diagram', import.meta.url))
const counts = process.argv.slice(2).map(Number)
const viewport = { width: 1440, height: 900 }
const flight = 2500
const zooms = { pan: [0.03, 0.05, 0.085, 0.15, 0.25, 0.4, 0.6, 1], zoom: [0.06, 0.2, 0.5] }

const built = await buildPage(folder, 'page.html')
const browser = await launchChromium({ optimises: true })
try {
  for (const count of counts.length > 0 ? counts : [200, 3000, 10_000]) await measure(count)
} finally {
  await browser.close()
}

async function measure(count: number): Promise<void> {
  const { page, errors } = await openPage(browser, built, { viewport })
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const print = async (what: string, code: string) => {
    const before = await processorTime(session)
    const result: unknown = await page.evaluate(code)
    report(`${count}: ${what}`, result, (await processorTime(session)) - before)
  }
  await print(`open`, `diagramPage.open(${count})`)
  for (const kind of ['pan', 'zoom'] as const)
    for (const zoom of zooms[kind]) {
      await print(`sharp after a jump to ${zoom}`, `diagramPage.lookAt(${count / 2}, ${zoom})`)
      await print(`${kind} at ${zoom}`, `diagramPage.fly('${kind}', ${flight})`)
    }
  for (const zoom of [0.1, 0.5]) {
    await page.evaluate(`diagramPage.lookAt(diagramPage.hub, ${zoom})`)
    await print(`drag a hub at ${zoom}`, `diagramPage.drag(diagramPage.hub, ${flight})`)
  }
  console.log(`${count}: tiles held`, await page.evaluate('diagramPage.held'))
  await page.close()
  if (errors.length > 0) throw new Error(errors.join('\n'))
}

/** Milliseconds, or what is known of frames: a second, the longest waits, and the page's processor time of each. */
function report(what: string, result: unknown, own: number): void {
  const load = `load ${loadavg()[0]?.toFixed(1)}`
  if (!Array.isArray(result)) {
    console.log(`${what}: ${Number(result).toFixed(0)} ms, own ${own.toFixed(0)} ms, ${load}`)
    return
  }
  const gaps = result.map(Number).toSorted((a, b) => a - b)
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const late = gaps[Math.floor(gaps.length * 0.95)] ?? Number.NaN
  const each = (own / gaps.length).toFixed(1)
  console.log(`${what}: ${(1000 / mean).toFixed(0)} fps, p95 ${late.toFixed(0)} ms, own ${each} ms a frame, ${load}`)
}

/** Processor time of the page's main thread in milliseconds. */
async function processorTime(session: Session): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
}
