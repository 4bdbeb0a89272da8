import { join } from 'node:path'
import { buildPage, openPage } from '@cadmus/testing/built-page'
import { ACTION_TIMEOUT, launchChromium } from '@cadmus/testing/chromium'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {} from '../../testing/diagram/page.ts'

type Browser = Awaited<ReturnType<typeof launchChromium>>
type Page = Awaited<ReturnType<typeof openPage>>['page']

let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await launchChromium()
  const built = await buildPage(join(import.meta.dirname, '../../testing/diagram'), 'page.html')
  ;({ page } = await openPage(browser, built, { viewport: { width: 1000, height: 700 }, colorScheme: 'dark' }))
})
afterAll(() => browser.close())

/** What the browser reads when it opens an SVG document as a file of its own. */
async function opened(svg: string): Promise<{ root: string; texts: string[]; scripts: number }> {
  const other = await browser.newPage()
  other.setDefaultTimeout(ACTION_TIMEOUT)
  try {
    await other.route('http://file.test/', route => route.fulfill({ contentType: 'image/svg+xml', body: svg }))
    await other.goto('http://file.test/')
    return await other.evaluate(() => ({
      root: document.documentElement.nodeName,
      texts: [...document.querySelectorAll('text')].map(text => text.textContent ?? ''),
      scripts: document.querySelectorAll('script, b, parsererror').length,
    }))
  } finally {
    await other.close()
  }
}

describe('a diagram as SVG', () => {
  it('is opened by a browser with every name as it is', async () => {
    const svg = await page.evaluate(async () => {
      await diagramPage.openClinic()
      return diagramPage.exports.svgOf({ picture: diagramPage.picture, title: '<Clinic> & "more"' })
    })
    const { root, texts, scripts } = await opened(svg)
    expect({ root, scripts }).toEqual({ root: 'svg', scripts: 0 })
    expect(texts).toEqual(
      expect.arrayContaining([
        'Patient',
        'Visit',
        'Doctor',
        expect.stringMatching(/^<b>&"Bill‹U\+/),
        'Staff & <money>',
      ]),
    )
  })

  it('has only the chosen cards, without hidden ones, and the links among them', async () => {
    const svg = await page.evaluate(async () => {
      await diagramPage.openClinic({ hidden: new Set([2]) })
      return diagramPage.exports.svgOf({ picture: diagramPage.picture, title: 'Part', cards: new Set([0, 2]) })
    })
    const { texts } = await opened(svg)
    expect(texts).toContain('Patient')
    expect(texts).not.toContain('Visit')
    expect(texts).not.toContain('Doctor')
  })

  it('is drawn for paper in the dark theme too', async () => {
    const [dark, light] = await page.evaluate(async () => {
      await diagramPage.openClinic()
      const write = () => diagramPage.exports.svgOf({ picture: diagramPage.picture, title: '' })
      const dark = write()
      document.documentElement.dataset['theme'] = 'light'
      const light = write()
      delete document.documentElement.dataset['theme']
      return [dark, light]
    })
    expect(dark).toBe(light)
  })

  it('can be empty', async () => {
    const svg = await page.evaluate(async () => {
      await diagramPage.openClinic({ hidden: new Set([0, 1, 2, 3]) })
      return diagramPage.exports.svgOf({ picture: diagramPage.picture, title: 'Empty' })
    })
    expect((await opened(svg)).texts).toEqual([])
  })

  it('has a whole model of a thousand entities', async () => {
    const svg = await page.evaluate(async () => {
      await diagramPage.open(1000)
      return diagramPage.exports.svgOf({ picture: diagramPage.picture, title: 'Large' })
    })
    const { root, texts } = await opened(svg)
    expect(root).toBe('svg')
    expect(texts.length).toBeGreaterThan(20_000)
  })
})

describe('a diagram as PNG', () => {
  async function png(open: string): Promise<{ scale: number; width: number; height: number }> {
    return page.evaluate(async open => {
      if (open === 'clinic') await diagramPage.openClinic()
      else await diagramPage.open(Number(open))
      const { blob, scale } = await diagramPage.exports.pngOf({ picture: diagramPage.picture, title: '' })
      const { width, height } = await createImageBitmap(blob)
      return { scale, width, height }
    }, open)
  }

  it('has twice the size of the diagram', async () => {
    const { scale, width } = await png('clinic')
    expect(scale).toBe(2)
    expect(width).toBe(2 * (640 + 2 * (48 + 30)))
  })

  it('has at most 8,192 pixels a side', async () => {
    const { scale, width, height } = await png('1000')
    expect(scale).toBeLessThan(1)
    expect(Math.max(width, height)).toBeLessThanOrEqual(8193)
    expect(Math.max(width, height)).toBeGreaterThan(8000)
  })
})

describe('a printed diagram', () => {
  it('fills one sheet of paper, and leaves the page as it was', async () => {
    const children = () => page.evaluate(() => document.body.childElementCount)
    await page.evaluate(async () => {
      await diagramPage.openClinic()
      // The dialog would wait for a person.
      globalThis.print = () => undefined
      diagramPage.exports.printDiagram({ picture: diagramPage.picture, title: 'Clinic' })
    })
    expect(await children()).toBe(2)
    const pdf = await page.pdf({ preferCSSPageSize: true })
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    expect(await children()).toBe(1)
  })
})
