import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { launchChromium } from '@cadmus/testing/chromium'
import { type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { machine } from './machine.ts'

/**
 * Measures live problems in a manifest of many entities: `node bench/src/problems.ts [entities] [attributes] [rounds]`. First the call
 * with one edited entity, each time another edit; then a page as it is and slowed down four times, from the key that changes an attribute
 * to the frame after the numbers in the status bar have changed, and what of it is the page's own time. On SQLite.
 */
const token = 'bench-token-0123456789-0123456789-0123456789'
const organisation = 'ACME'
const entities = Number(process.argv[2] ?? 1000)
const attributes = Number(process.argv[3] ?? 20)
const rounds = Number(process.argv[4] ?? 40)
const filler = resolve(import.meta.dirname, '../../apps/server/src/testing/fill-store.ts')
const headers = { authorization: `Bearer ${token}`, 'x-organisation-code': organisation }

type Member = { id: number; name: string }

const folder = temporaryFolder('problems')
const options = { dataDir: folder, env: { CADMUS_BOOTSTRAP_TOKEN: token } }
await (await startConsole(options)).stop()
const database = join(folder, 'cadmus.sqlite')
const args = [organisation, '50', String(entities), database, '0', String(attributes), '']
const filled: { wide: { id: number } } = JSON.parse(execFileSync(process.execPath, [filler, ...args]).toString())
const server = await startConsole(options)
console.log(`${entities} entities of ${attributes} attributes; ${machine()}; load ${loadavg()[0]?.toFixed(1)}`)
const members = await membersOf(server)
await measureCalls(server, members)
for (const slowed of [1, 4]) await measurePage(server, members, slowed)
await server.stop()
removeFolder(folder)

async function membersOf({ url }: ConsoleServer): Promise<Member[]> {
  const answer = await fetch(`${url}/1.0/cdm/manifest/${filled.wide.id}`, { headers })
  const { manifest }: { manifest: { entityPaths: Member[] } } = await answer.json()
  return manifest.entityPaths
}

async function measureCalls({ url }: ConsoleServer, [first = { id: -1, name: '' }]: readonly Member[]): Promise<void> {
  let known: string | null = null
  const call = async (name: string) => {
    const edits = [{ kind: 'changeEntity', change: { name } }]
    const begin = performance.now()
    const answer = await fetch(`${url}/1.0/cdm/manifest/${filled.wide.id}/problems`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ entities: [{ id: first.id, edits }], known }),
    })
    const { tag, counts }: { tag: string; counts: object | null } = await answer.json()
    if (!answer.ok) throw new Error(`The call was refused: ${answer.status}.`)
    known = tag
    return { time: performance.now() - begin, bytes: JSON.stringify(counts).length }
  }
  const { time } = await call(first.name)
  console.log(`first call: ${time.toFixed(0)} ms`)
  const times: number[] = []
  let size = 0
  for (let round = 0; round < rounds; round += 1) {
    // Every second edit breaks a rule.
    const one = await call(`${first.name}${round % 2 === 0 ? '__' : '_'}${round}`)
    times.push(one.time)
    size = Math.max(size, one.bytes)
  }
  report('call after an edit', times)
  console.log(`largest answer: ${(size / 1000).toFixed(1)} kB`)
}

async function measurePage({ url }: ConsoleServer, members: readonly Member[], rate: number): Promise<void> {
  const member = members[Math.floor(members.length / 2)]
  if (!member) throw new Error('The manifest has no entity.')
  const browser = await launchChromium({ optimises: true })
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('button', { name: 'designer' }).click()
  await page.getByRole('tree', { name: 'Project Navigator' }).waitFor()
  await page.goto(`/?entity=${member.id}`)
  const bar = page.getByRole('contentinfo', { name: 'Status bar' })
  await bar.getByRole('button').waitFor({ timeout: 60_000 })
  const debug = await context.newCDPSession(page)
  await debug.send('Performance.enable', { timeDomain: 'threadTicks' })
  await debug.send('Emulation.setCPUThrottlingRate', { rate })
  const cell = page.locator('tr[aria-rowindex="4"] td[data-column=name]')
  await page.evaluate(() => {
    const state = { pressed: 0, times: [] as number[] }
    Object.assign(window, { state })
    addEventListener('keydown', ({ key, timeStamp }) => key === 'Enter' && (state.pressed = timeStamp), true)
    const shown = document.querySelector('footer')
    const changed = () =>
      requestAnimationFrame(() => setTimeout(() => state.times.push(performance.now() - state.pressed)))
    if (shown) new MutationObserver(changed).observe(shown, { subtree: true, childList: true, characterData: true })
  })
  const own: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await cell.click()
    // A reserved word, and a name that is none.
    await page.keyboard.type(round % 2 === 0 ? 'select' : `plain${round}`)
    const [before, count] = [await scriptTime(), await measured()]
    await page.keyboard.press('Enter')
    while ((await measured()) === count) await page.waitForTimeout(20)
    own.push((await scriptTime()) - before)
  }
  report(
    `key to painted numbers, slowed down ${rate} times`,
    await page.evaluate(() => Reflect.get(window, 'state').times),
  )
  report('of it time of the page', own)
  await browser.close()

  async function measured(): Promise<number> {
    return page.evaluate(() => Reflect.get(window, 'state').times.length)
  }

  async function scriptTime(): Promise<number> {
    const { metrics } = await debug.send('Performance.getMetrics')
    const counted = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration']
    return 1000 * metrics.reduce((sum, { name, value }) => sum + (counted.includes(name) ? value : 0), 0)
  }
}

function report(what: string, list: readonly number[]): void {
  const sorted = list.toSorted((a, b) => a - b)
  const at = (share: number) =>
    `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1)} ms`
  console.log(`${what}: best ${at(0)}, median ${at(0.5)}, p95 ${at(0.95)} (${sorted.length})`)
}
