import { extname } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { ACTION_TIMEOUT } from './chromium.ts'

const address = 'http://page.test/'
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.woff2': 'font/woff2',
}

export type BuiltPage = { readonly name: string; readonly files: ReadonlyMap<string, string | Uint8Array> }

/** Builds an HTML file of a folder as the product is built, in memory. */
export async function buildPage(folder: string, name: string): Promise<BuiltPage> {
  const result = await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      write: false,
      target: 'es2023',
      cssTarget: 'chrome123',
      assetsInlineLimit: 0,
      rolldownOptions: { input: `${folder}/${name}` },
    },
  })
  if (!('output' in result)) throw new Error('The build has several outputs.')
  const files = result.output.map(file => [file.fileName, file.type === 'chunk' ? file.code : file.source] as const)
  return { name, files: new Map(files) }
}

/** Opens a built page; errors on it are collected. */
export async function openPage(
  browser: Browser,
  built: BuiltPage,
  options: Parameters<Browser['newPage']>[0],
): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(ACTION_TIMEOUT)
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  await page.route(`${address}**`, route => {
    const path = new URL(route.request().url()).pathname.slice(1)
    const body = built.files.get(path)
    if (body === undefined) return route.fulfill({ status: 404 })
    const contentType = types[extname(path)] ?? 'application/octet-stream'
    return route.fulfill({ contentType, body: typeof body === 'string' ? body : Buffer.from(body) })
  })
  await page.goto(address + built.name)
  return { page, errors }
}
