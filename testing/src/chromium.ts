import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { findProgram } from './availability.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/**
 * What nobody here looks at. A second list replaces the driver's own, so what that turns off for good reasons stands here too; the last
 * ones are pages of the address bar, which cost each window more than a second of processor time.
 */
const WITHOUT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'PreloadTopChromeWebUI',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
]

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${WITHOUT.join(',')}`,
]

export const NO_BROWSER =
  'No Chromium was found and none could be installed. Install one (apt-get install chromium) or name it in CADMUS_CHROMIUM.'

/** A browser on this machine: CADMUS_CHROMIUM, the path, or one that was downloaded before. */
export function findChromium(): string | undefined {
  const named = process.env['CADMUS_CHROMIUM']
  if (named !== undefined) return existsSync(named) ? named : undefined
  const found = [...NAMES.map(name => findProgram(name)), MAC, chromium.executablePath()]
  return found.find(path => path !== undefined && existsSync(path))
}

/** Finds a browser or gets one: Debian's package as root, else a download. Slow the first time, so done before tests. */
export function getChromium(): string {
  const found = findChromium() ?? (process.env['CADMUS_CHROMIUM'] === undefined ? installChromium() : undefined)
  if (found === undefined) throw new Error(NO_BROWSER)
  return found
}

/** Starts the browser without anything that talks to the network by itself. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: getChromium(), args: QUIET })
}

/** The same with what it keeps in that folder: a browser that was closed and is started again. */
export async function launchChromiumProfile(folder: string, options: BrowserContextOptions): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { ...options, executablePath: getChromium(), args: QUIET })
}

function installChromium(): string | undefined {
  if (process.getuid?.() === 0 && findProgram('apt-get') !== undefined) {
    run('apt-get', ['update', '-q'])
    run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'])
  }
  if (findChromium() === undefined) {
    const folder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
    run(process.execPath, [join(folder, 'cli.js'), 'install', 'chromium'])
  }
  return findChromium()
}

function run(program: string, args: readonly string[]): void {
  spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}
