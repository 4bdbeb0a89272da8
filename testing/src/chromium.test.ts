import { afterEach, describe, expect, it } from 'vitest'
import { findChromium, launchChromium, NO_BROWSER } from './chromium.ts'

const before = process.env['CADMUS_CHROMIUM']

afterEach(() => {
  if (before === undefined) delete process.env['CADMUS_CHROMIUM']
  else process.env['CADMUS_CHROMIUM'] = before
})

describe('the browser', () => {
  it.skipIf(findChromium() === undefined)('shows a page', async () => {
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      await page.setContent('<h1>Cadmus</h1>')
      expect(await page.textContent('h1')).toBe('Cadmus')
    } finally {
      await browser.close()
    }
  })

  it('a missing browser in CADMUS_CHROMIUM is rejected with a message', async () => {
    process.env['CADMUS_CHROMIUM'] = '/nowhere/chromium'
    await expect(launchChromium()).rejects.toThrow(NO_BROWSER)
  })
})
