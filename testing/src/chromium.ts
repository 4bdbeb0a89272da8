import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { findProgram } from './availability.ts'

/** The first is the same browser without windows, whose main process works half as much. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/**
 * Features that tests do not need. The list replaces the driver's list, so it repeats the driver's entries; the last
 * ones are pages of the address bar, which cost each window more than a second of processor time.
 */
const DISABLED_FEATURES = [
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

const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
]
/** Optimizing code that runs for seconds takes more processor time than it saves: a tenth of all journeys. */
const UNOPTIMISED = '--js-flags=--no-opt --no-maglev'

/** Milliseconds. Only ends what hangs: on a busy machine an action may take many times as long. */
export const ACTION_TIMEOUT = 60_000

export const NO_BROWSER =
  'No Chromium was found and none could be installed. Install one (apt-get install chromium) or name it in CADMUS_CHROMIUM.'

/** A browser on this machine: CADMUS_CHROMIUM, the path, or a downloaded one. */
export function findChromium(): string | undefined {
  const configured = process.env['CADMUS_CHROMIUM']
  if (configured !== undefined) return existsSync(configured) ? configured : undefined
  const candidates = [...NAMES.map(name => findProgram(name)), MAC, chromium.executablePath()]
  return candidates.find(path => path !== undefined && existsSync(path))
}

/** Finds or installs a browser: Debian's package as root, else a download. Slow the first time, so run before tests. */
export function getChromium(): string {
  const candidates = findChromium() ?? (process.env['CADMUS_CHROMIUM'] === undefined ? installChromium() : undefined)
  if (candidates === undefined) throw new Error(NO_BROWSER)
  return candidates
}

/** Starts the browser without background network traffic; measurements of speed optimise as users' browsers do. */
export async function launchChromium({ optimises = false } = {}): Promise<Browser> {
  const args = optimises ? BROWSER_ARGS : [...BROWSER_ARGS, UNOPTIMISED]
  return chromium.launch({ executablePath: getChromium(), args })
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
